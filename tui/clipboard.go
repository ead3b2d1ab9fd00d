package tui

import (
	"io"
	"os"
	"strings"

	"github.com/aymanbagabas/go-osc52/v2"
	tea "github.com/charmbracelet/bubbletea"
)

// clipboard is the clipboard of the user's own terminal, also over SSH. It uses the escape sequence
// OSC 52.
type clipboard struct {
	out  io.Writer
	tmux bool
	wrap []func(osc52.Sequence) osc52.Sequence
}

// newClipboard returns the clipboard of the terminal behind out.
//
// tmux accepts the bare sequence if its option set-clipboard is on, and passes on a wrapped sequence if
// allow-passthrough is on. Either may be off, so write sends both. Screen needs a different wrapping.
func newClipboard(out io.Writer) clipboard {
	bare := func(s osc52.Sequence) osc52.Sequence { return s }
	switch {
	case os.Getenv("TMUX") != "":
		return clipboard{out, true, []func(osc52.Sequence) osc52.Sequence{bare, osc52.Sequence.Tmux}}
	case strings.HasPrefix(os.Getenv("TERM"), "screen"):
		return clipboard{out, false, []func(osc52.Sequence) osc52.Sequence{osc52.Sequence.Screen}}
	}
	return clipboard{out, false, []func(osc52.Sequence) osc52.Sequence{bare}}
}

// write sends text to the terminal in a single write, so that it falls between two frames.
func (c clipboard) write(text string) tea.Cmd {
	var all strings.Builder
	for _, wrap := range c.wrap {
		all.WriteString(wrap(osc52.New(text)).String())
	}
	return func() tea.Msg {
		io.WriteString(c.out, all.String()) // A terminal without a clipboard is not an error.
		return nil
	}
}
