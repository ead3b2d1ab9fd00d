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

	"dgplab/session/interrupt"
	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz/canvas"
)

// Streams are the streams of a command.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	// Exit ends the process on the second signal. nil selects os.Exit.
	Exit func(status int)
}

// console combines the streams with properties of the terminal.
type console struct {
	Streams
	// end limits the time of writes from now on, because the command is asked to end.
	end    context.CancelFunc
	getenv func(string) string
}

// say writes a line with a message to standard error and ignores write errors.
func (c *console) say(format string, args ...any) {
	fmt.Fprintf(c.Err, "dgplab: %s\n", report.Printable(fmt.Sprintf(format, args...)))
}

// interactive reports whether standard output is a terminal.
func (c *console) interactive() bool { return isTerminal(c.Out) }

func isTerminal(stream any) bool {
	file, ok := stream.(interrupt.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// unlimited is the width used if standard output is not a terminal.
const unlimited = 1000

// width returns the number of columns of standard output.
func (c *console) width() int {
	if file, ok := c.Out.(interrupt.File); ok && c.interactive() {
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

// watchSignals handles signals that ask a command to end, until ctx ends. The first Ctrl-C cancels gentle
// and prints hint. Other signals, and the end of ctx, cancel both gentle and firm. From the first signal on,
// writes have a time limit. A second signal exits immediately, with its own status. SIGHUP does not count,
// because a closing terminal sends it several times.
//
// SIGHUP remains ignored if the program was started with nohup.
func (c *console) watchSignals(ctx context.Context, hint string) (gentle, firm context.Context) {
	firm, endFirm := context.WithCancel(ctx)
	gentle, endGentle := context.WithCancel(firm)
	wanted := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		wanted = append(wanted, syscall.SIGHUP)
	}
	heard := make(chan os.Signal, 4)
	signal.Notify(heard, wanted...)
	go func() {
		defer signal.Stop(heard)
		defer endFirm()
		for counted := 0; ; {
			var s os.Signal
			select {
			case <-ctx.Done():
				return
			case s = <-heard:
			}
			if s != syscall.SIGHUP {
				counted++
			}
			if counted == 2 {
				c.Exit(statusAtOnce)
				return
			}
			c.end()
			if s == os.Interrupt {
				endGentle()
				go c.say("%s", hint) // The reader must not delay the next signal.
			} else {
				endFirm()
			}
		}
	}()
	return gentle, firm
}
