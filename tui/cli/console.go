package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/muesli/termenv"
	"golang.org/x/term"

	"dgplab/tui/kit"
	"dgplab/tui/printable"
	"dgplab/viz/canvas"
)

// Streams are what a command reads and writes.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	// Exit ends the process at once, for the second Ctrl-C; nil means os.Exit.
	Exit func(status int)
}

// console is the streams with what is known of the terminal behind them.
type console struct {
	Streams
	getenv func(string) string
}

// say writes one message line to standard error. That it cannot be written is no
// reason to do anything else.
func (c *console) say(format string, args ...any) {
	fmt.Fprintf(c.Err, "dgplab: %s\n", printable.Text(fmt.Sprintf(format, args...)))
}

// interactive says whether standard output is a terminal.
func (c *console) interactive() bool { return isTerminal(c.Out) }

func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// unlimited is the width of what is no terminal: nothing is cut there.
const unlimited = 1000

// width returns the columns of standard output.
func (c *console) width() int {
	if file, ok := c.Out.(*os.File); ok && c.interactive() {
		if w, _, err := term.GetSize(int(file.Fd())); err == nil && w > 0 {
			return w
		}
		return 80
	}
	return unlimited
}

// style returns how pictures look on standard output: plain text unless it is a
// terminal that has colours and the user wants them.
func (c *console) style() canvas.Style {
	style := canvas.Style{Dark: !strings.HasSuffix(c.getenv("COLORFGBG"), ";15"), ASCII: !c.unicode()}
	if !c.interactive() {
		return style
	}
	// Knows NO_COLOR, and asks the terminal nothing.
	switch kit.Colors(termenv.NewOutput(c.Out).EnvColorProfile(), c.getenv) {
	case termenv.ANSI:
		style.Mode = canvas.ANSI16
	case termenv.ANSI256:
		style.Mode = canvas.ANSI256
	case termenv.TrueColor:
		style.Mode = canvas.TrueColor
	}
	return style
}

// unicode says whether output may have other characters than ASCII: a terminal that
// is dumb has no part in what goes to a file.
func (c *console) unicode() bool {
	return kit.CanUnicode(func(name string) string {
		if name == "TERM" && !c.interactive() {
			return ""
		}
		return c.getenv(name)
	})
}

// statusLine shows on standard error, where that is a terminal, what is done now,
// in one line that is written over. It does nothing between two calls.
type statusLine struct {
	*console
	rewrite bool
}

func (c *console) newStatusLine() *statusLine {
	return &statusLine{console: c, rewrite: isTerminal(c.Err) && c.getenv("TERM") != "dumb"}
}

func (l *statusLine) show(text string) {
	if l.rewrite {
		fmt.Fprintf(l.Err, "\r\x1b[K%s", printable.Text(text))
	}
}

// end leaves an empty line behind.
func (l *statusLine) end() { l.show("") }

// watchSignals hears the signals that ask a command to end. The first Ctrl-C ends
// gentle, the first of the others (and the end of ctx) ends both gentle and firm;
// any second one ends the process at once. hint is said after the first Ctrl-C.
// release gives the signals back.
//
// A program that nohup started goes on ignoring SIGHUP.
func (c *console) watchSignals(
	ctx context.Context, hint string,
) (gentle, firm context.Context, release func()) {
	firm, endFirm := context.WithCancel(ctx)
	gentle, endGentle := context.WithCancel(firm)
	wanted := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		wanted = append(wanted, syscall.SIGHUP)
	}
	heard := make(chan os.Signal, 2)
	signal.Notify(heard, wanted...)
	done := make(chan struct{})
	go func() {
		for first := true; ; first = false {
			select {
			case <-done:
				return
			case s := <-heard:
				switch {
				case !first:
					c.Exit(statusInterrupted)
				case s == os.Interrupt:
					c.say("%s", hint)
					endGentle()
				default:
					endFirm()
				}
			}
		}
	}()
	return gentle, firm, func() {
		signal.Stop(heard)
		close(done)
		endFirm()
	}
}
