package tui

import (
	"io"
	"os"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// terminal is a terminal as it was before the screens took it.
type terminal struct {
	out   io.Writer
	modes []terminalMode
}

// terminalMode is the mode of a file that is a terminal.
type terminalMode struct {
	file  term.File
	state *term.State
}

// rememberTerminal returns the terminal behind an input (nil for standard input) and an output.
// Either may be something else than a terminal, whose mode is left alone.
func rememberTerminal(in io.Reader, out io.Writer) terminal {
	t := terminal{out: out}
	if in == nil {
		in = os.Stdin
	}
	for _, stream := range []any{in, out} {
		file, ok := stream.(term.File)
		if !ok {
			continue
		}
		if state, err := term.GetState(file.Fd()); err == nil {
			t.modes = append(t.modes, terminalMode{file, state})
		}
	}
	return t
}

// leaveScreen takes back what the screens ask of a terminal.
const leaveScreen = ansi.ResetModeBracketedPaste + ansi.ResetModeMouseButtonEvent +
	ansi.ResetModeMouseAnyEvent + ansi.ResetModeMouseExtSgr + ansi.ShowCursor +
	ansi.ResetModeAltScreenSaveCursor

// restore gives the terminal back without Bubble Tea. It reports whether the terminal has taken
// what was written to it; one that is stopped takes nothing.
func (t terminal) restore() bool {
	const patience = time.Second
	for _, m := range t.modes {
		_ = term.Restore(m.file.Fd(), m.state) // A terminal that is gone needs nothing.
	}
	written := make(chan struct{})
	go func() {
		defer close(written)
		_, _ = io.WriteString(t.out, leaveScreen)
	}()
	select {
	case <-written:
		return true
	case <-time.After(patience):
		return false
	}
}
