package tui

import (
	"strings"

	"dgplab/session"
)

// glyphs is a set of signs. Every state has a sign and a word, since colour is
// never the only mark.
type glyphs struct {
	unicode                                    bool
	focus, cursor, caret                       string
	dot, ellipsis, bullet, check, cross        string
	preparing, training, paused, finishing     string
	asked, up, down, left, right               string
	horizontal, vertical                       string
	topLeft, topRight, bottomLeft, bottomRight string
}

var unicodeGlyphs = glyphs{
	unicode: true,
	focus:   "▸", cursor: "›", caret: "▏",
	dot: "·", ellipsis: "…", bullet: "•", check: "✓", cross: "✗",
	preparing: "○", training: "●", paused: "‖", finishing: "◐", asked: "■",
	up: "↑", down: "↓", left: "←", right: "→",
	horizontal: "─", vertical: "│",
	topLeft: "╭", topRight: "╮", bottomLeft: "╰", bottomRight: "╯",
}

var asciiGlyphs = glyphs{
	focus: ">", cursor: ">", caret: "_",
	dot: "-", ellipsis: "~", bullet: "*", check: "v", cross: "x",
	preparing: "o", training: "*", paused: "=", finishing: "~", asked: "#",
	up: "up", down: "down", left: "left", right: "right",
	horizontal: "-", vertical: "|",
	topLeft: "+", topRight: "+", bottomLeft: "+", bottomRight: "+",
}

// canUnicode reports whether a terminal with this environment shows UTF-8. An
// environment that says nothing is believed to: containers rarely set a locale,
// and their terminals are modern. TERM=dumb and a locale that names another
// character set are not.
func canUnicode(getenv func(string) string) bool {
	if getenv("TERM") == "dumb" {
		return false
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if value := strings.ToLower(getenv(name)); value != "" {
			return strings.Contains(value, "utf-8") || strings.Contains(value, "utf8")
		}
	}
	return true
}

// tone is what a state means to a person; styles.go gives it a colour.
type tone int

const (
	toneCalm tone = iota
	toneGood
	toneWarn
	toneBad
)

// stateSign returns the glyph, the word and the tone of where a run stands.
func (g glyphs) stateSign(s *session.Snapshot) (glyph, word string, t tone) {
	if s == nil {
		return g.preparing, string(session.Preparing), toneCalm
	}
	switch s.State {
	case session.Training:
		return g.training, "training", toneGood
	case session.Paused:
		return g.paused, "paused", toneWarn
	case session.Finishing:
		return g.finishing, "finishing", toneCalm
	case session.Ended:
		switch s.Stop {
		case session.StopSteps:
			return g.check, "finished", toneGood
		case session.StopEarly:
			return g.check, "stopped early", toneGood
		case session.StopAsked:
			return g.asked, "stopped", toneWarn
		default:
			return g.cross, "failed", toneBad
		}
	}
	return g.preparing, string(s.State), toneCalm
}
