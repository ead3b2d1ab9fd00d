package kit

import "strings"

// Glyphs is a set of glyphs. Every state has a glyph and a word, because colour is never the only
// mark.
type Glyphs struct {
	Unicode                                bool
	Focus, Cursor, Caret                   string
	Dot, Ellipsis, Bullet, Check, Cross    string
	Preparing, Training, Paused, Finishing string
	Asked, Up, Down, Left, Right           string
	// Before and After surround a value that has neighbours in a list. Ascending and Descending mark the
	// column by which a list is sorted.
	Before, After, Ascending, Descending       string
	Star, PlusMinus                            string
	Horizontal, Vertical, Thumb                string
	TopLeft, TopRight, BottomLeft, BottomRight string
}

var Unicode = Glyphs{
	Unicode: true,
	Focus:   "▸", Cursor: "›", Caret: "▏",
	Dot: "·", Ellipsis: "…", Bullet: "•", Check: "✓", Cross: "✗",
	Preparing: "○", Training: "●", Paused: "‖", Finishing: "◐", Asked: "■",
	Up: "↑", Down: "↓", Left: "←", Right: "→",
	Before: "←", After: "→", Ascending: "↑", Descending: "↓", Star: "★", PlusMinus: "±",
	Horizontal: "─", Vertical: "│", Thumb: "▐",
	TopLeft: "╭", TopRight: "╮", BottomLeft: "╰", BottomRight: "╯",
}

var ASCII = Glyphs{
	Focus: ">", Cursor: ">", Caret: "_",
	Dot: "-", Ellipsis: "~", Bullet: "*", Check: "v", Cross: "x",
	Preparing: "o", Training: "*", Paused: "=", Finishing: "~", Asked: "#",
	Up: "up", Down: "down", Left: "left", Right: "right",
	Before: "<", After: ">", Ascending: "^", Descending: "v", Star: "*", PlusMinus: "+-",
	Horizontal: "-", Vertical: "|", Thumb: "#",
	TopLeft: "+", TopRight: "+", BottomLeft: "+", BottomRight: "+",
}

// CanUnicode reports whether a terminal with this environment shows UTF-8. It returns false with TERM=dumb or
// with a locale that names another character set. It returns true if no locale is set, because containers
// rarely set one and their terminals are modern.
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

// CanDots reports whether a terminal with this environment is likely to show braille dots. The Linux console
// has no glyphs for them.
func CanDots(getenv func(string) string) bool {
	return CanUnicode(getenv) && getenv("TERM") != "linux"
}

// Tone is the meaning of a state or a message; Theme.Tone returns its colour.
type Tone int

const (
	Calm Tone = iota
	Good
	Warn
	Bad
)

// Order returns the glyph of a sort direction.
func (g Glyphs) Order(descending bool) string {
	if descending {
		return g.Descending
	}
	return g.Ascending
}
