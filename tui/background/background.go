// Package background determines whether the background of the terminal is dark. It does not wait long for a
// terminal that does not answer. It is a separate package with few imports, so that it is initialised before
// Bubble Tea.
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

// timeout is the time limit for an answer of the terminal. Most terminals answer within a millisecond, but a
// slow connection can delay the answer.
const timeout = 200 * time.Millisecond

// Bubble Tea queries the background through Lip Gloss when it is imported, even in commands without
// a screen, and waits up to 5 seconds for the answer. Lip Gloss does not query a value that has
// been set. This package is initialised before Bubble Tea because it imports only packages that
// Bubble Tea imports, and its path sorts first (Go specification, "Program initialization").
func init() { lipgloss.SetHasDarkBackground(true) }

// IsDark reports whether the background of a terminal is dark. If the terminal does not answer in time,
// IsDark returns true unless the environment variable COLORFGBG indicates a light background.
func IsDark(tty cancelreader.File) bool {
	if runtime.GOOS == "windows" || os.Getenv("CI") != "" || !term.IsTerminal(tty.Fd()) {
		return termenv.NewOutput(tty).HasDarkBackground() // This call does not query the terminal.
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
	cancelreader.File
	reader cancelreader.CancelReader
	state  *term.State
}

// Talk starts a conversation with a terminal.
func Talk(tty cancelreader.File) (*Conversation, error) {
	reader, err := cancelreader.NewReader(tty)
	if err != nil {
		return nil, err
	}
	state, err := term.MakeRaw(tty.Fd())
	if err != nil {
		return nil, errors.Join(err, reader.Close())
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

// terminal is the interface that termenv requires.
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
