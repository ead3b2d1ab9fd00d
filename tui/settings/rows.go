package settings

import (
	"slices"
	"strconv"

	"github.com/muesli/termenv"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/tui/form"
)

// The texts of the values of a choice between true and false.
const (
	on  = "on"
	off = "off"
)

// row is an entry of the file that the page changes.
type row struct {
	name    string
	choices []string
	help    string
	// value returns the text of the entry in settings.
	value func(s Settings) string
}

// rows holds the rows of the page in their order.
var rows = []row{
	{name: "mouse", choices: []string{on, off},
		help:  "off leaves the mouse to the terminal, which then selects text",
		value: func(s Settings) string { return onOff(s.Mouse) }},
	{name: "braille", choices: []string{Auto, on, off},
		help: "draw lines with braille dots, or with strokes (off); auto: as last chosen with D, or if the " +
			"terminal can",
		value: brailleText},
	{name: "frame_rate", choices: []string{"1", "2", "5", "10", "20", "30", "60"},
		help:  "frames with new data per second; keys need none; more than 30 from the next start",
		value: func(s Settings) string { return strconv.Itoa(s.FrameRate) }},
	{name: "ascii", choices: []string{on, off},
		help:  "draw with ASCII characters only",
		value: func(s Settings) string { return onOff(s.ASCII) }},
	{name: "images", choices: []string{on, off},
		help:  "maps are bitmaps in kitty (seen in 0.41.1) and Ghostty (not tested)",
		value: func(s Settings) string { return onOff(s.Images) }},
	{name: "theme", choices: Themes,
		help: "auto keeps the terminal's background; light paints white, dark black, high-contrast one of " +
			"these",
		value: func(s Settings) string { return s.Theme }},
}

// onOff returns the text of a choice.
func onOff(yes bool) string {
	if yes {
		return on
	}
	return off
}

// brailleText returns the text of the choice between dots and strokes.
func brailleText(s Settings) string {
	if s.Braille == nil {
		return Auto
	}
	return onOff(*s.Braille)
}

// valueOf returns the value in the file for the text of a row.
func valueOf(text string) any {
	switch text {
	case on:
		return true
	case off:
		return false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err == nil {
		return n
	}
	return text
}

// field returns the field of a row whose value in the file is text.
func (p *Page) field(r row, text string) *form.Field {
	choices := r.choices
	if !slices.Contains(choices, text) { // The file may hold any frame rate.
		choices = append(slices.Clone(choices), text)
		slices.SortFunc(choices, func(x, y string) int { return atoi(x) - atoi(y) })
	}
	standard := r.value(Default())
	f := form.NewField(models.Hyperparameter{Name: r.name, Kind: family.Choice, Choices: choices,
		Default: standard, Help: r.help, First: true}, standard)
	f.Note = p.note(r, text)
	return f
}

// atoi returns the number of a text, or 0 if it is none.
func atoi(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	return n
}

// note returns the remark at the end of a row: when the value is used, and the value in use if it is another.
func (p *Page) note(r row, text string) string {
	inUse := r.value(p.program.InUse())
	switch {
	case r.name == "images":
		return "from the next start"
	case inUse != text:
		return "in use: " + inUse
	case r.name == "theme" && p.theme.Profile == termenv.Ascii:
		return "this terminal has no colours"
	}
	return ""
}
