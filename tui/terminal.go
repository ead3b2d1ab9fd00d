package tui

import (
	"io"
	"os"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// terminal holds the modes of a terminal before the screens changed them.
type terminal struct {
	out   io.Writer
	modes []terminalMode
}

// terminalMode is the mode of a file that is a terminal.
type terminalMode struct {
	file  term.File
	state *term.State
}

// rememberTerminal returns the terminal behind an input and an output. If the input is nil, it is standard
// input. Modes are saved only for files that are terminals.
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

// leaveScreen resets the terminal modes that the screens set.
const leaveScreen = ansi.ResetModeBracketedPaste + ansi.ResetModeMouseButtonEvent +
	ansi.ResetModeMouseAnyEvent + ansi.ResetModeMouseExtSgr + ansi.ShowCursor +
	ansi.ResetModeAltScreenSaveCursor

// restore restores the terminal without Bubble Tea.
func (t terminal) restore() {
	for _, m := range t.modes {
		_ = term.Restore(m.file.Fd(), m.state) // Fails only if the terminal is gone.
	}
	_, _ = io.WriteString(t.out, leaveScreen)
}
