package tui

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/tui/kit"
)

// guard wraps the root model. A panic in Update, View, Init or a command ends the program regularly, which
// restores the terminal. Run then writes the details to a file and returns a one-line error. Most panics
// caused by runs do not reach the guard; see recover.go.
type guard struct {
	model tea.Model
	frame string
	crash *screenCrashedMsg
}

func (g *guard) Init() (cmd tea.Cmd) {
	defer g.recover(&cmd)
	return guardCommand(g.model.Init())
}

func (g *guard) Update(msg tea.Msg) (model tea.Model, cmd tea.Cmd) {
	if g.crash != nil {
		return g, tea.Quit
	}
	if crash, ok := msg.(screenCrashedMsg); ok {
		g.crash = &crash
		return g, tea.Quit
	}
	defer func() { model = g }()
	defer g.recover(&cmd)
	g.model, cmd = g.model.Update(msg)
	// The frame is drawn here, where a panic can still end the program.
	g.frame = g.model.View()
	return g, guardCommand(cmd)
}

// View returns the frame that the last Update drew.
func (g *guard) View() string { return g.frame }

// recover turns a panic into a crash. It must be deferred.
func (g *guard) recover(cmd *tea.Cmd) {
	if value := recover(); value != nil {
		g.crash = &screenCrashedMsg{value, debug.Stack()}
		g.frame, *cmd = "", tea.Quit
	}
}

// guardCommand returns cmd with its panics turned into messages, including panics of the commands
// in a batch.
func guardCommand(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if value := recover(); value != nil {
				msg = screenCrashedMsg{value, debug.Stack()}
			}
		}()
		msg = cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			guarded := make(tea.BatchMsg, len(batch))
			for i, c := range batch {
				guarded[i] = guardCommand(c)
			}
			return guarded
		}
		return msg
	}
}

// report writes the crash to a file in r's directory, or in the system's temporary directory if r
// is nil, and returns a one-line error.
func (c *screenCrashedMsg) report(r kit.Run) error {
	write := func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "the screen failed: %v\n\n%s", c.value, c.stack)
		return err
	}
	line, _, _ := strings.Cut(fmt.Sprint(c.value), "\n") // The rest may be a stack trace.
	path, err := writeCrash(r, write)
	if err != nil {
		return fmt.Errorf("the screen failed: %s (cannot write details: %w)", line, err)
	}
	return fmt.Errorf("the screen failed: %s; details in %s", line, path)
}

func writeCrash(r kit.Run, write func(io.Writer) error) (string, error) {
	if r != nil {
		return r.WriteFile("screen-crash.txt", write)
	}
	f, err := os.CreateTemp("", "dgplab-crash-*.txt")
	if err != nil {
		return "", err
	}
	defer f.Close()
	return f.Name(), write(f)
}
