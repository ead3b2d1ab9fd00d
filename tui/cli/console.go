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
	"dgplab/tui/report"
	"dgplab/viz/canvas"
)

// Streams are the streams of a command.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	// Exit ends the process on the second Ctrl-C. nil selects os.Exit.
	Exit func(status int)
}

// console combines the streams with properties of the terminal.
type console struct {
	Streams
	getenv func(string) string
}

// say writes a line with a message to standard error and ignores write errors.
func (c *console) say(format string, args ...any) {
	fmt.Fprintf(c.Err, "dgplab: %s\n", report.Printable(fmt.Sprintf(format, args...)))
}

// interactive reports whether standard output is a terminal.
func (c *console) interactive() bool { return isTerminal(c.Out) }

func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// unlimited is the width used if standard output is not a terminal.
const unlimited = 1000

// width returns the number of columns of standard output.
func (c *console) width() int {
	if file, ok := c.Out.(*os.File); ok && c.interactive() {
		if w, _, err := term.GetSize(int(file.Fd())); err == nil && w > 0 {
			return w
		}
		return 80
	}
	return unlimited
}

// style returns the style of pictures on standard output. It is plain unless standard output is a terminal
// with colours that the user has not disabled.
func (c *console) style() canvas.Style {
	style := canvas.Style{Dark: !strings.HasSuffix(c.getenv("COLORFGBG"), ";15"), ASCII: !c.unicode()}
	if !c.interactive() {
		return style
	}
	// EnvColorProfile respects NO_COLOR and does not query the terminal.
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

// unicode reports whether output may contain non-ASCII characters. TERM is ignored if standard
// output is not a terminal.
func (c *console) unicode() bool {
	return kit.CanUnicode(func(name string) string {
		if name == "TERM" && !c.interactive() {
			return ""
		}
		return c.getenv(name)
	})
}

// statusLine shows the current activity in a line on standard error that is overwritten. It does nothing if
// standard error is not a terminal.
type statusLine struct {
	*console
	rewrite bool
}

func (c *console) newStatusLine() *statusLine {
	return &statusLine{console: c, rewrite: isTerminal(c.Err) && c.getenv("TERM") != "dumb"}
}

func (l *statusLine) show(text string) {
	if l.rewrite {
		fmt.Fprintf(l.Err, "\r\x1b[K%s", report.Printable(text))
	}
}

// end clears the line.
func (l *statusLine) end() { l.show("") }

// watchSignals handles signals that ask a command to end. The first Ctrl-C cancels gentle and prints hint.
// Other signals, and the end of ctx, cancel both gentle and firm. A second signal exits immediately. release
// stops the handling.
//
// SIGHUP remains ignored if the program was started with nohup.
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
