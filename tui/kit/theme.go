package kit

import (
	"io"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"dgplab/viz/canvas"
)

// Theme holds the look of the screens: the terminal's colours, the glyphs it can show, and the
// styles, named by their meaning.
type Theme struct {
	Glyphs  Glyphs
	Profile termenv.Profile
	// Dark is set if the background is dark.
	Dark bool
	// Ground is set if Paint paints the background.
	Ground bool
	// HighContrast and Braille also apply to pictures.
	HighContrast, Braille bool
	// Images shows maps as bitmaps; nil draws them with characters.
	Images canvas.Images

	Plain, Text, Dim, Title, Key, Accent lipgloss.Style
	Border, FocusBorder                  lipgloss.Style
	FocusTitle, Selected                 lipgloss.Style
	Good, Warn, Bad                      lipgloss.Style
}

// palette is a set of colours, each with a value for light and for dark backgrounds.
type palette struct {
	text, dim, accent, border, good, warn, bad, selected lipgloss.AdaptiveColor
}

// normal has a contrast of at least 4.5 to 1 on a white or black background for all colours except borders
// (WCAG 2.2, success criterion 1.4.3).
var normal = palette{
	text:     lipgloss.AdaptiveColor{Light: "#1f2328", Dark: "#d7dbe0"},
	dim:      lipgloss.AdaptiveColor{Light: "#656d76", Dark: "#868e99"},
	accent:   lipgloss.AdaptiveColor{Light: "#0a5ea8", Dark: "#6cb6ff"},
	border:   lipgloss.AdaptiveColor{Light: "#c4c9cf", Dark: "#444c56"},
	good:     lipgloss.AdaptiveColor{Light: "#116329", Dark: "#6bc46d"},
	warn:     lipgloss.AdaptiveColor{Light: "#8a5a00", Dark: "#daaa3f"},
	bad:      lipgloss.AdaptiveColor{Light: "#b3202a", Dark: "#f47067"},
	selected: lipgloss.AdaptiveColor{Light: "#0a5ea8", Dark: "#9ecbff"},
}

// highContrast has a contrast of at least 7 to 1 for all colours, including borders (WCAG 2.2, success
// criterion 1.4.6).
var highContrast = palette{
	text:     lipgloss.AdaptiveColor{Light: "#000000", Dark: "#ffffff"},
	dim:      lipgloss.AdaptiveColor{Light: "#333333", Dark: "#d0d0d0"},
	accent:   lipgloss.AdaptiveColor{Light: "#00308f", Dark: "#7fdbff"},
	border:   lipgloss.AdaptiveColor{Light: "#000000", Dark: "#ffffff"},
	good:     lipgloss.AdaptiveColor{Light: "#004d00", Dark: "#66ff66"},
	warn:     lipgloss.AdaptiveColor{Light: "#5c3a00", Dark: "#ffe14d"},
	bad:      lipgloss.AdaptiveColor{Light: "#8b0000", Dark: "#ffa3a3"},
	selected: lipgloss.AdaptiveColor{Light: "#00308f", Dark: "#ffff66"},
}

// Option changes a theme.
type Option func(*Theme)

// WithHighContrast increases the contrast of text, borders and pictures.
func WithHighContrast(th *Theme) { th.HighContrast = true }

// WithGround paints the background, which is otherwise the terminal's.
func WithGround(th *Theme) { th.Ground = true }

// WithBraille draws curves with braille dots, unless the glyphs are ASCII.
func WithBraille(th *Theme) { th.Braille = true }

// WithImages shows maps as bitmaps.
func WithImages(images canvas.Images) Option { return func(th *Theme) { th.Images = images } }

// NewTheme returns the theme for a terminal with the given colours and glyphs. It does not query
// the terminal.
func NewTheme(profile termenv.Profile, dark bool, signs Glyphs, options ...Option) *Theme {
	th := &Theme{Glyphs: signs, Profile: profile, Dark: dark}
	for _, set := range options {
		set(th)
	}
	colours := normal
	if th.HighContrast {
		colours = highContrast
	}
	th.setColors(colours)
	return th
}

// setColors creates the styles from a palette.
func (th *Theme) setColors(p palette) {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(th.Profile)
	r.SetHasDarkBackground(th.Dark)
	in := func(c lipgloss.AdaptiveColor) lipgloss.Style { return r.NewStyle().Foreground(c) }
	th.Plain = r.NewStyle()
	th.Text = in(p.text)
	th.Dim = in(p.dim)
	th.Title = in(p.text).Bold(true)
	th.Key = in(p.accent)
	th.Accent = in(p.accent)
	th.Border = in(p.border)
	th.FocusBorder = in(p.accent)
	th.FocusTitle = in(p.accent).Bold(true)
	th.Selected = in(p.selected).Bold(true)
	th.Good = in(p.good)
	th.Warn = in(p.warn)
	th.Bad = in(p.bad)
}

// Paint returns a frame of w cells per line on the background of the theme: black or white, for which its
// colours are chosen. It returns the frame unchanged if the theme keeps the terminal's background.
func (th *Theme) Paint(frame string, w int) string {
	if !th.Ground || th.Profile == termenv.Ascii {
		return frame
	}
	text, ground := "#000000", "#ffffff"
	if th.Dark {
		text, ground = ground, text
	}
	const reset = "\x1b[0m"
	base := "\x1b[" + th.Profile.Color(text).Sequence(false) + ";" +
		th.Profile.Color(ground).Sequence(true) + "m"
	lines := strings.Split(frame, "\n")
	for i, line := range lines {
		lines[i] = base + strings.ReplaceAll(th.Fit(line, w), reset, reset+base) + reset
	}
	return strings.Join(lines, "\n")
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

// Separator returns the dimmed dot between two facts in a line.
func (th *Theme) Separator() string { return th.Dim.Render(" " + th.Glyphs.Dot + " ") }

// Marker returns the marker of a run in its colour.
func (th *Theme) Marker(run int) string {
	style := th.VizStyle()
	return style.Paint(style.RunColor(run), true, style.RunMarker(run))
}

// VizStyle returns the style of pictures.
func (th *Theme) VizStyle() canvas.Style {
	mode := canvas.NoColor
	switch th.Profile {
	case termenv.ANSI:
		mode = canvas.ANSI16
	case termenv.ANSI256:
		mode = canvas.ANSI256
	case termenv.TrueColor:
		mode = canvas.TrueColor
	}
	return canvas.Style{
		Mode:         mode,
		Dark:         th.Dark,
		ASCII:        !th.Glyphs.Unicode,
		Braille:      th.Braille,
		HighContrast: th.HighContrast,
		Images:       th.Images,
	}
}
