package tui

import (
	"bytes"
	"io"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

// listener records the keys that it receives and quits at q.
type listener struct{ keys []string }

func (l *listener) Init() tea.Cmd { return nil }
func (l *listener) View() string  { return "" }

func (l *listener) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if key, ok := msg.(tea.KeyMsg); ok {
		l.keys = append(l.keys, key.String())
		if key.String() == "q" {
			return l, tea.Quit
		}
	}
	return l, nil
}

func TestLateAnswerIsDropped(t *testing.T) {
	for _, c := range []struct{ input, want string }{
		{"\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\\x1b[5;1R", ""},
		{"\x1b]11;rgb:1e1e/1e1e/1e1e\a\x1b[5;1R", ""},
		{"\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\\a1", "ctrl+g 1"},
		{"\x1bP>|kitty(0.35.2)\x1b\\\x1b[?62;c", ""},
		{"\x1b_Gi=31;OK\x1b\\\x1b[6;20;10t\x1b[?62;c1", "1"},
		{"\x1b]12", "12"},
		{"\a", "ctrl+g"},
	} {
		l := &listener{}
		var out bytes.Buffer
		input := io.MultiReader(strings.NewReader(c.input), strings.NewReader("q"))
		if _, err := tea.NewProgram(l, tea.WithInput(input), tea.WithOutput(&out),
			tea.WithFilter(withoutLateAnswer())).Run(); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(l.keys, " "); got != strings.TrimSpace(c.want+" q") {
			t.Errorf("%q gives the keys %q, want %q", c.input, got, c.want)
		}
	}
}
