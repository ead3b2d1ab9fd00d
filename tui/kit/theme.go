package kit

import (
	"io"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"dgplab/viz"
)

// Theme is everything that decides how the screens look: the terminal's colours,
// the signs it can show and the styles, named by what they mean.
type Theme struct {
	Glyphs  Glyphs
	Profile termenv.Profile
	Dark    bool

	Plain, Text, Dim, Title, Key, Accent lipgloss.Style
	Border, FocusBorder                  lipgloss.Style
	FocusTitle, Selected                 lipgloss.Style
	Good, Warn, Bad                      lipgloss.Style
}

// The palette, each with a value for light and for dark backgrounds; the
// contrast with a white or black background is at least 4.5 to 1 for all but the
// borders.
var palette = struct {
	text, dim, accent, border, good, warn, bad, selected lipgloss.AdaptiveColor
}{
	text:     lipgloss.AdaptiveColor{Light: "#1f2328", Dark: "#d7dbe0"},
	dim:      lipgloss.AdaptiveColor{Light: "#656d76", Dark: "#868e99"},
	accent:   lipgloss.AdaptiveColor{Light: "#0a5ea8", Dark: "#6cb6ff"},
	border:   lipgloss.AdaptiveColor{Light: "#c4c9cf", Dark: "#444c56"},
	good:     lipgloss.AdaptiveColor{Light: "#116329", Dark: "#6bc46d"},
	warn:     lipgloss.AdaptiveColor{Light: "#8a5a00", Dark: "#daaa3f"},
	bad:      lipgloss.AdaptiveColor{Light: "#b3202a", Dark: "#f47067"},
	selected: lipgloss.AdaptiveColor{Light: "#0a5ea8", Dark: "#9ecbff"},
}

// NewTheme returns the theme of a terminal with the given colours and signs. It
// asks the terminal nothing.
func NewTheme(profile termenv.Profile, dark bool, signs Glyphs) *Theme {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(profile)
	r.SetHasDarkBackground(dark)
	colour := func(c lipgloss.AdaptiveColor) lipgloss.Style { return r.NewStyle().Foreground(c) }
	return &Theme{
		Glyphs: signs, Profile: profile, Dark: dark,
		Plain:       r.NewStyle(),
		Text:        colour(palette.text),
		Dim:         colour(palette.dim),
		Title:       colour(palette.text).Bold(true),
		Key:         colour(palette.accent),
		Accent:      colour(palette.accent),
		Border:      colour(palette.border),
		FocusBorder: colour(palette.accent),
		FocusTitle:  colour(palette.accent).Bold(true),
		Selected:    colour(palette.selected).Bold(true),
		Good:        colour(palette.good),
		Warn:        colour(palette.warn),
		Bad:         colour(palette.bad),
	}
}

// Tone returns the style of a meaning.
func (th *Theme) Tone(t Tone) lipgloss.Style {
	switch t {
	case Good:
		return th.Good
	case Warn:
		return th.Warn
	case Bad:
		return th.Bad
	}
	return th.Accent
}

// VizStyle returns the terminal as viz knows it.
func (th *Theme) VizStyle() viz.Style {
	mode := viz.NoColor
	switch th.Profile {
	case termenv.ANSI:
		mode = viz.ANSI16
	case termenv.ANSI256:
		mode = viz.ANSI256
	case termenv.TrueColor:
		mode = viz.TrueColor
	}
	return viz.Style{Mode: mode, Dark: th.Dark, ASCII: !th.Glyphs.Unicode}
}
