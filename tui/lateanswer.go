package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// withoutLateAnswer returns a message filter that drops the terminal's late reply to a query of its
// background colour: ESC ] 11 ; rgb:... ended by BEL or ESC \, which Bubble Tea reads as keys.
func withoutLateAnswer() func(tea.Model, tea.Msg) tea.Msg {
	const (
		nothing = iota // was seen
		opening        // ESC ]
		colour         // and 11;rgb:...
	)
	seen := nothing
	return func(_ tea.Model, msg tea.Msg) tea.Msg {
		key, ok := msg.(tea.KeyMsg)
		if !ok {
			return msg
		}
		before := seen
		seen = nothing
		switch name := key.String(); {
		case name == "alt+]":
			seen = opening
		case before == opening && strings.HasPrefix(name, "11;rgb:"):
			seen = colour
		case before == colour && (name == `alt+\` || name == "ctrl+g"):
		default:
			return msg
		}
		return nil
	}
}
