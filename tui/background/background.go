// Package background tells whether the terminal's background is dark, and never
// waits long for the answer.
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

// patience is how long a terminal has to answer. Most take a millisecond; over a
// slow line the answer may come later.
const patience = 200 * time.Millisecond

// Bubble Tea asks through Lip Gloss while it is imported, for commands too that draw
// no screen, and waits for 5 seconds. What Lip Gloss was told it does not ask for.
// This package is initialised first: it imports only what Bubble Tea imports, and
// its path comes before (Go specification, "Program initialization").
func init() { lipgloss.SetHasDarkBackground(true) }

// IsDark asks a terminal for its background. One that does not answer in time has a
// dark one, unless the environment (COLORFGBG) says otherwise.
func IsDark(tty *os.File) bool {
	if runtime.GOOS == "windows" || os.Getenv("CI") != "" || !term.IsTerminal(tty.Fd()) {
		return termenv.NewOutput(tty).HasDarkBackground() // It does not ask either.
	}
	state, err := term.MakeRaw(tty.Fd()) // The answer is not echoed.
	if err != nil {
		return true
	}
	defer term.Restore(tty.Fd(), state)
	reader, err := cancelreader.NewReader(tty)
	if err != nil {
		return true
	}
	defer reader.Close()
	return ask(patient{tty, reader}, func() { reader.Cancel() })
}

// patient is a terminal whose reads can be given up.
type patient struct {
	*os.File
	reader cancelreader.CancelReader
}

func (p patient) Read(b []byte) (int, error) { return p.reader.Read(b) }

// terminal is what termenv can ask: a file, to it.
type terminal interface {
	io.ReadWriter
	Fd() uintptr
}

// ask asks a terminal, and gives up its reads when it has waited long enough.
func ask(tty terminal, giveUp func()) bool {
	timer := time.AfterFunc(patience, giveUp)
	defer timer.Stop()
	// Unsafe means without the waiting of termenv's own.
	return termenv.NewOutput(tty, termenv.WithUnsafe()).HasDarkBackground()
}
