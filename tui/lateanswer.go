package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// withoutLateAnswer returns a message filter that drops the terminal's late replies to queries, which Bubble
// Tea reads as keys. A reply is about the background colour, ESC ] 11; rgb:..., the name of the terminal, ESC
// P > | ..., or a bitmap, ESC _ G i=31 ..., and ends with BEL or ESC \.
func withoutLateAnswer() func(tea.Model, tea.Msg) tea.Msg {
	const (
		nothing = iota // no reply
		opening        // ESC ], ESC P or ESC _
		content        // within the reply
	)
	replies := map[string]string{"alt+]": "11;rgb:", "alt+P": ">|", "alt+_": "Gi=31;"}
	seen, expected := nothing, ""
	return func(_ tea.Model, msg tea.Msg) tea.Msg {
		key, ok := msg.(tea.KeyMsg)
		if !ok {
			return msg
		}
		before := seen
		seen = nothing
		name := key.String()
		switch {
		case replies[name] != "":
			seen, expected = opening, replies[name]
		case before == opening && strings.HasPrefix(name, expected):
			seen = content
		case before == content && (name == `alt+\` || name == "ctrl+g"):
		default:
			return msg
		}
		return nil
	}
}
