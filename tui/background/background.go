// Package background determines whether the background of the terminal is dark, without waiting
// long for a terminal that does not answer. It must be a package of its own, with few imports, to be
// initialised before Bubble Tea.
package background

import (
	"errors"
	"io"
	"os"
	"runtime"
	"time"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/term"
	"github.com/muesli/cancelreader"
	"github.com/muesli/termenv"
)

// timeout is how long a terminal has to answer. Most answer within a millisecond, but the answer
// may be late on a slow connection.
const timeout = 200 * time.Millisecond

// Bubble Tea queries the background through Lip Gloss when it is imported, even in commands without
// a screen, and waits up to 5 seconds for the answer. Lip Gloss does not query a value that has
// been set. This package is initialised before Bubble Tea because it imports only packages that
// Bubble Tea imports, and its path sorts first (Go specification, "Program initialization").
func init() { lipgloss.SetHasDarkBackground(true) }

// IsDark queries the background of a terminal. If the terminal does not answer in time, IsDark
// returns true unless the environment variable COLORFGBG says otherwise.
func IsDark(tty *os.File) bool {
	if runtime.GOOS == "windows" || os.Getenv("CI") != "" || !term.IsTerminal(tty.Fd()) {
		return termenv.NewOutput(tty).HasDarkBackground() // This does not query the terminal.
	}
	c, err := Talk(tty)
	if err != nil {
		return true
	}
	defer c.Close()
	return ask(c, c.Cancel)
}

// Conversation is a terminal in raw mode, which does not echo answers. Its reads can be cancelled.
type Conversation struct {
	*os.File
	reader cancelreader.CancelReader
	state  *term.State
}

// Talk begins a conversation with a terminal.
func Talk(tty *os.File) (*Conversation, error) {
	state, err := term.MakeRaw(tty.Fd())
	if err != nil {
		return nil, err
	}
	reader, err := cancelreader.NewReader(tty)
	if err != nil {
		return nil, errors.Join(err, term.Restore(tty.Fd(), state))
	}
	return &Conversation{tty, reader, state}, nil
}

// Read implements io.Reader.
func (c *Conversation) Read(b []byte) (int, error) { return c.reader.Read(b) }

// Cancel makes reads return an error.
func (c *Conversation) Cancel() { c.reader.Cancel() }

// Close restores the mode of the terminal, which remains open.
func (c *Conversation) Close() error {
	return errors.Join(c.reader.Close(), term.Restore(c.Fd(), c.state))
}

// terminal is the interface that termenv needs.
type terminal interface {
	io.ReadWriter
	Fd() uintptr
}

// ask queries a terminal, and calls giveUp after the timeout to cancel its reads.
func ask(tty terminal, giveUp func()) bool {
	timer := time.AfterFunc(timeout, giveUp)
	defer timer.Stop()
	// Unsafe disables the timeout of termenv.
	return termenv.NewOutput(tty, termenv.WithUnsafe()).HasDarkBackground()
}
