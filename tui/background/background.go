// Package background determines whether the background of the terminal is dark, without waiting
// long for a terminal that does not answer. It must be a package of its own, with few imports, to be
// initialised before Bubble Tea.
package background

import (
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
	state, err := term.MakeRaw(tty.Fd()) // Raw mode does not echo the answer.
	if err != nil {
		return true
	}
	defer term.Restore(tty.Fd(), state)
	reader, err := cancelreader.NewReader(tty)
	if err != nil {
		return true
	}
	defer reader.Close()
	return ask(cancelableFile{tty, reader}, func() { reader.Cancel() })
}

// cancelableFile is a terminal with cancelable reads.
type cancelableFile struct {
	*os.File
	reader cancelreader.CancelReader
}

func (p cancelableFile) Read(b []byte) (int, error) { return p.reader.Read(b) }

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
