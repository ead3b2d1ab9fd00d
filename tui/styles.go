package tui

import (
	"io"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// theme is everything that decides how the screens look: the terminal's colours,
// the signs it can show and the styles, named by what they mean.
type theme struct {
	glyphs  glyphs
	profile termenv.Profile
	dark    bool

	plain, text, dim, title, key, accent lipgloss.Style
	border, focusBorder                  lipgloss.Style
	focusTitle, selected                 lipgloss.Style
	good, warn, bad                      lipgloss.Style
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

// newTheme returns the theme of a terminal with the given colours and signs. It
// asks the terminal nothing.
func newTheme(profile termenv.Profile, dark bool, signs glyphs) *theme {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(profile)
	r.SetHasDarkBackground(dark)
	colour := func(c lipgloss.AdaptiveColor) lipgloss.Style { return r.NewStyle().Foreground(c) }
	return &theme{
		glyphs: signs, profile: profile, dark: dark,
		plain:       r.NewStyle(),
		text:        colour(palette.text),
		dim:         colour(palette.dim),
		title:       colour(palette.text).Bold(true),
		key:         colour(palette.accent),
		accent:      colour(palette.accent),
		border:      colour(palette.border),
		focusBorder: colour(palette.accent),
		focusTitle:  colour(palette.accent).Bold(true),
		selected:    colour(palette.selected).Bold(true),
		good:        colour(palette.good),
		warn:        colour(palette.warn),
		bad:         colour(palette.bad),
	}
}

// tone returns the style of a meaning.
func (th *theme) tone(t tone) lipgloss.Style {
	switch t {
	case toneGood:
		return th.good
	case toneWarn:
		return th.warn
	case toneBad:
		return th.bad
	}
	return th.accent
}
