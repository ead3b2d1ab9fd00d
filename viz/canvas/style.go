package canvas

// ColorMode is the number of colours of a terminal.
type ColorMode int

const (
	// NoColor writes no escape codes, not even for bold.
	NoColor ColorMode = iota
	// ANSI16 has the 16 basic colours.
	ANSI16
	// ANSI256 has the colour cube and greys of xterm.
	ANSI256
	// TrueColor has 24 bits.
	TrueColor
)

// Style is the terminal that a picture is drawn for. The zero value has no colour, a light
// background and Unicode glyphs.
type Style struct {
	Mode ColorMode
	// Dark is set for a dark background.
	Dark bool
	// ASCII restricts the text to bytes between 32 and 126.
	ASCII bool
	// Braille draws curves with 2 x 4 dots per cell, which many fonts lack. ASCII disables it.
	Braille bool
	// HighContrast gives all colours except tints a contrast of at least 7:1 with black or white
	// (WCAG 2, 1.4.6).
	HighContrast bool
	// Images shows maps as bitmaps; nil draws them with characters.
	Images Images
}

// pick returns the first colour on a dark background, else the second.
func (s Style) pick(dark, light Color) Color {
	if s.Dark {
		return dark
	}
	return light
}

// contrast returns pick of the first two colours, or of the other two with HighContrast.
func (s Style) contrast(dark, light, highDark, highLight Color) Color {
	if s.HighContrast {
		return s.pick(highDark, highLight)
	}
	return s.pick(dark, light)
}

// Dim is the colour of background details: raw values, units.
func (s Style) Dim() Color {
	return s.contrast(named(0x8c8c8c, 8), named(0x707070, 8), named(0xd8d8d8, 7), named(0x303030, 0))
}

// Faint is the colour of axes and grids.
func (s Style) Faint() Color {
	return s.contrast(named(0x5c5c5c, 8), named(0xa8a8a8, 8), named(0xa8a8a8, 7), named(0x505050, 0))
}

// Bad is the colour of errors: values that are not finite, failures.
func (s Style) Bad() Color {
	return s.contrast(named(0xff7a5c, 9), named(0xc0361a, 1), named(0xff8f78, 9), named(0x9c1200, 1))
}

// Warn is the colour of warnings, such as a collapsed GP.
func (s Style) Warn() Color {
	return s.contrast(named(0xf0c541, 11), named(0x8f6a00, 3), named(0xffd84a, 11), named(0x5e4600, 3))
}

// Good is the colour of the best value.
func (s Style) Good() Color {
	return s.contrast(named(0xf2d64b, 11), named(0x8a6d00, 3), named(0xffea60, 11), named(0x5a4700, 3))
}

// Pale is the colour of areas without information.
func (s Style) Pale() Color {
	return s.contrast(rgb(0x3a3a3a), rgb(0xdadada), rgb(0x6c6c6c), rgb(0x9e9e9e))
}

// ground is the assumed background colour. It is mixed into tints and never written.
func (s Style) ground() Color {
	return s.contrast(rgb(0x1a1a1a), rgb(0xffffff), rgb(0x000000), rgb(0xffffff))
}

// Tint returns c mixed with the share t of the background, or half of t with HighContrast.
func (s Style) Tint(c Color, t float64) Color {
	if s.HighContrast {
		t /= 2
	}
	return c.mix(s.ground(), t)
}

// Dots reports whether lines are drawn with dots, 2 x 4 per cell.
func (s Style) Dots() bool { return s.Braille && !s.ASCII }

// Shades reports whether bands are drawn as background shades, for which 16 colours are too few.
func (s Style) Shades() bool { return !s.ASCII && s.Mode >= ANSI256 }

// shade returns the background colour of a band.
func (s Style) shade(c Color) Color { return s.Tint(c, 0.6) }

// runColor is a colour of the run palette for dark and light backgrounds, plain and with high
// contrast, with its marker.
type runColor struct {
	dark, light, highDark, highLight Color
	marker                           rune
}

// runColors is based on the palette of Okabe and Ito for all kinds of colour vision ("Color
// Universal Design", 2008, jfly.uni-koeln.de/color). Each hue is lightened or darkened until it is
// legible on its background.
var runColors = [...]runColor{
	// Sky blue, or blue on a light background.
	{named(0x56b4e9, 14), named(0x0072b2, 4), named(0x7cccff, 14), named(0x00508c, 4), '●'},
	// Orange.
	{named(0xe69f00, 11), named(0xa86400, 3), named(0xffb52e, 11), named(0x6e4000, 3), '▲'},
	// Bluish green.
	{named(0x35c49a, 10), named(0x007a59, 2), named(0x4fe0b4, 10), named(0x005540, 2), '■'},
	// Reddish purple.
	{named(0xdb96bf, 13), named(0xa04a7c, 5), named(0xf5aed9, 13), named(0x7d2f60, 5), '◆'},
	// Yellow.
	{named(0xf0e442, 3), named(0x7d7300, 11), named(0xf7ef6a, 3), named(0x575000, 11), '▼'},
	// Vermilion.
	{named(0xff8a4c, 9), named(0xc24a00, 1), named(0xffa070, 9), named(0x8c3200, 1), '+'},
	// Blue.
	{named(0x8fa8ff, 12), named(0x3a4fc2, 12), named(0xb3c3ff, 12), named(0x2c3ca0, 12), '○'},
	// Light grey, or dark grey on a light background.
	{named(0xd0d0d0, 7), named(0x303030, 0), named(0xffffff, 7), named(0x000000, 0), '□'},
}

// RunColor returns the colour of run i. Neighbouring runs differ clearly for every kind of colour
// vision. Colours repeat after eight.
func (s Style) RunColor(i int) Color {
	c := runColors[wrap(i, len(runColors))]
	return s.contrast(c.dark, c.light, c.highDark, c.highLight)
}

// RunMarker returns the glyph of run i, one cell wide.
func (s Style) RunMarker(i int) string {
	return string(s.glyph(Marker(i)))
}

// Marker returns the marker of run i. Markers shift where colours repeat, so that 64 runs differ.
func Marker(i int) rune {
	n := len(runColors)
	return runColors[wrap(i+max(i, 0)/n, n)].marker
}

// smallMarkers maps markers to small ones, for many points.
var smallMarkers = map[rune]rune{
	'●': '•', '▲': '▴', '■': '▪', '◆': '⋄', '▼': '▾', '+': '+',
	'○': '◦', '□': '▫',
}

// SmallMarker returns the small marker of run i.
func SmallMarker(i int) rune { return smallMarkers[Marker(i)] }

// wrap returns i modulo n, never negative.
func wrap(i, n int) int { return ((i % n) + n) % n }

// Paint returns text in a colour, followed by a reset. With NoColor it returns the text unchanged.
func (s Style) Paint(c Color, bold bool, text string) string {
	look := Ink{FG: c, Bold: bold}
	open := appendSGR(nil, s.Mode, Ink{}, look)
	if len(open) == 0 || text == "" {
		return text
	}
	return string(open) + text + "\x1b[0m"
}

// asciiGlyphs maps glyphs to their ASCII replacements.
var asciiGlyphs = map[rune]rune{
	'─': '-', '│': '|', '╭': '.', '╮': '.', '╰': '\'', '╯': '\'', '╴': '-', '╶': '-',
	'╎': '!', '╱': '/', '╲': '\\', '∙': '*', '┄': '-', '▓': 'O',
	'┼': '+', '┤': '+', '├': '+', '┬': '+', '┴': '+', '└': '+', '┊': ':', '·': '.', '•': 'o',
	'★': '*', '±': '~', '×': 'x', '↑': '^', '↓': 'v', '▴': '^', '▾': 'v', '▸': '>',
	'…': '~', '–': '-', '−': '-', 'µ': 'u', '≤': '<', '≥': '>',
	'●': 'o', '▲': 'A', '■': '#', '◆': '%', '▼': 'V', '○': '0', '□': '&', '▪': ':',
	'⋄': 'x', '◦': 'c', '▫': 'n',
	'▁': '_', '▂': '.', '▃': '-', '▄': '=', '▅': '+', '▆': '*', '▇': '%', '█': '#',
	'░': '.', '▒': ':', '▏': '.', '▎': '.', '▍': '.', '▌': '#',
	'▋': '#', '▊': '#', '▉': '#',
	'⚠': '!', '▀': '#',
	'┃': '|', '━': '=', '╂': '|', '┿': '=', '╋': '#',
}

// PlusMinus returns the sign between a mean and its standard error.
func (s Style) PlusMinus() string {
	if s.ASCII {
		return "+-"
	}
	return "±"
}

// glyph returns r or its ASCII replacement.
func (s Style) glyph(r rune) rune {
	if !s.ASCII || (r >= 32 && r < 127) {
		return r
	}
	if a, ok := asciiGlyphs[r]; ok {
		return a
	}
	return '?'
}
