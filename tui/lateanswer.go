package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// withoutLateAnswer returns a message filter that drops the terminal's late replies to queries, which
// Bubble Tea reads as keys: of its background colour, ESC ] 11 ; rgb:..., of its name, ESC P > | ...,
// and of a bitmap, ESC _ G i=31 ..., each ended by BEL or ESC \.
func withoutLateAnswer() func(tea.Model, tea.Msg) tea.Msg {
	const (
		nothing = iota // was seen
		opening        // ESC ], ESC P or ESC _
		content        // and the beginning of the reply
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
		switch name := key.String(); {
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
