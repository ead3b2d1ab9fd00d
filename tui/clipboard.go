package tui

import (
	"io"
	"os"
	"strings"

	"github.com/aymanbagabas/go-osc52/v2"
	tea "github.com/charmbracelet/bubbletea"
)

// clipboard is that of the person's own terminal, also over SSH, by the escape
// sequence OSC 52.
type clipboard struct {
	out  io.Writer
	tmux bool
	wrap []func(osc52.Sequence) osc52.Sequence
}

// newClipboard returns the clipboard of the terminal behind out.
//
// tmux takes the bare sequence when its option set-clipboard is on, and hands a
// wrapped one on when allow-passthrough is on; either may be off, so that it gets
// both. Screen needs its own wrapping.
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

// write sends text to the terminal, in one piece: between two frames, since a file
// takes one write at a time.
func (c clipboard) write(text string) tea.Cmd {
	var all strings.Builder
	for _, wrap := range c.wrap {
		all.WriteString(wrap(osc52.New(text)).String())
	}
	return func() tea.Msg {
		io.WriteString(c.out, all.String()) // A terminal that does not answer is no error.
		return nil
	}
}

// lineCount returns the number of lines of a text.
func lineCount(text string) int { return strings.Count(strings.TrimRight(text, "\n"), "\n") + 1 }
