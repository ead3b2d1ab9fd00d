package kit

import "strings"

// Glyphs is a set of signs. Every state has a sign and a word, since colour is
// never the only mark.
type Glyphs struct {
	Unicode                                bool
	Focus, Cursor, Caret                   string
	Dot, Ellipsis, Bullet, Check, Cross    string
	Preparing, Training, Paused, Finishing string
	Asked, Up, Down, Left, Right           string
	// Before and After stand beside a value with others before and after it, Ascending and
	// Descending at what a list is ordered by.
	Before, After, Ascending, Descending       string
	Star, PlusMinus                            string
	Horizontal, Vertical                       string
	TopLeft, TopRight, BottomLeft, BottomRight string
}

var Unicode = Glyphs{
	Unicode: true,
	Focus:   "▸", Cursor: "›", Caret: "▏",
	Dot: "·", Ellipsis: "…", Bullet: "•", Check: "✓", Cross: "✗",
	Preparing: "○", Training: "●", Paused: "‖", Finishing: "◐", Asked: "■",
	Up: "↑", Down: "↓", Left: "←", Right: "→",
	Before: "←", After: "→", Ascending: "↑", Descending: "↓", Star: "★", PlusMinus: "±",
	Horizontal: "─", Vertical: "│",
	TopLeft: "╭", TopRight: "╮", BottomLeft: "╰", BottomRight: "╯",
}

var ASCII = Glyphs{
	Focus: ">", Cursor: ">", Caret: "_",
	Dot: "-", Ellipsis: "~", Bullet: "*", Check: "v", Cross: "x",
	Preparing: "o", Training: "*", Paused: "=", Finishing: "~", Asked: "#",
	Up: "up", Down: "down", Left: "left", Right: "right",
	Before: "<", After: ">", Ascending: "^", Descending: "v", Star: "*", PlusMinus: "+-",
	Horizontal: "-", Vertical: "|",
	TopLeft: "+", TopRight: "+", BottomLeft: "+", BottomRight: "+",
}

// CanUnicode reports whether a terminal with this environment shows UTF-8. An
// environment that says nothing is believed to: containers rarely set a locale,
// and their terminals are modern. TERM=dumb and a locale that names another
// character set are not.
func CanUnicode(getenv func(string) string) bool {
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

// CanDots tells from the environment whether the terminal is likely to show braille
// dots. The console of Linux has no glyphs for them.
func CanDots(getenv func(string) string) bool {
	return CanUnicode(getenv) && getenv("TERM") != "linux"
}

// Tone is what a state means to a person; Theme.Tone gives it a colour.
type Tone int

const (
	Calm Tone = iota
	Good
	Warn
	Bad
)

// Order is the sign of a direction.
func (g Glyphs) Order(descending bool) string {
	if descending {
		return g.Descending
	}
	return g.Ascending
}
