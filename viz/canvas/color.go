package canvas

import (
	"strconv"

	"github.com/lucasb-eyer/go-colorful"
)

// Color is a colour of the terminal. The zero value is the terminal's default colour of text or
// background.
type Color struct {
	r, g, b uint8
	// ansi is 1 + the index among the 16 basic colours, or 0 for the nearest.
	ansi uint8
	set  bool
}

// rgb returns the colour 0xRRGGBB.
func rgb(hex uint32) Color {
	return Color{r: uint8(hex >> 16), g: uint8(hex >> 8), b: uint8(hex), set: true}
}

// named returns the colour 0xRRGGBB with the basic colour (0 to 15) that replaces it on terminals
// with 16 colours.
func named(hex uint32, basic uint8) Color {
	c := rgb(hex)
	c.ansi = basic + 1
	return c
}

// IsSet reports whether c is a colour and not the terminal's default.
func (c Color) IsSet() bool { return c.set }

// RGB returns the red, green and blue parts. ok is false for the terminal's default.
func (c Color) RGB() (r, g, b uint8, ok bool) { return c.r, c.g, c.b, c.set }

// colorful returns the colour for arithmetic.
func (c Color) colorful() colorful.Color {
	return colorful.Color{R: float64(c.r) / 255, G: float64(c.g) / 255, B: float64(c.b) / 255}
}

// mix returns c mixed with the share t (0 to 1) of d, in sRGB. It is used for tints, which need not
// be exact.
func (c Color) mix(d Color, t float64) Color {
	r, g, b := c.colorful().BlendRgb(d.colorful(), t).RGB255()
	return Color{r: r, g: g, b: b, ansi: c.ansi, set: true}
}

// Opposite returns black for a light colour and white for a dark one, by lightness.
func (c Color) Opposite() Color {
	if light, _, _ := c.colorful().Lab(); light > 0.55 {
		return named(0x000000, 0)
	}
	return named(0xffffff, 15)
}

// cubeLevels are the intensities of the 6x6x6 colour cube, entries 16 to 231 of the 256 colours of
// xterm.
var cubeLevels = [6]int{0, 95, 135, 175, 215, 255}

// index256 returns the nearest of the 256 colours: in the cube or among the 24 greys (232 to 255).
// It never returns one of the 16 basic colours, which users redefine.
func (c Color) index256() int {
	level := func(v uint8) int {
		best := 0
		for i, l := range cubeLevels {
			if abs(int(v)-l) < abs(int(v)-cubeLevels[best]) {
				best = i
			}
		}
		return best
	}
	r := level(c.r)
	g := level(c.g)
	b := level(c.b)
	cube := c.distance(cubeLevels[r], cubeLevels[g], cubeLevels[b])
	grey := min(max((int(c.r)+int(c.g)+int(c.b))/3-3, 0)/10, 23)
	if v := 8 + 10*grey; c.distance(v, v, v) < cube {
		return 232 + grey
	}
	return 16 + 36*r + 6*g + b
}

// basicColors are the 16 basic colours as xterm shows them.
var basicColors = [16]uint32{
	0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
	0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
}

// index16 returns the basic colour of a named colour, else the nearest one.
func (c Color) index16() int {
	if c.ansi > 0 {
		return int(c.ansi) - 1
	}
	best, least := 0, 1<<30
	for i, hex := range basicColors {
		if d := c.distance(int(hex>>16&255), int(hex>>8&255), int(hex&255)); d < least {
			best, least = i, d
		}
	}
	return best
}

func (c Color) distance(r, g, b int) int {
	dr := int(c.r) - r
	dg := int(c.g) - g
	db := int(c.b) - b
	return dr*dr + dg*dg + db*db
}

func abs(v int) int {
	if v < 0 {
		return -v
	}
	return v
}

// Ink is the look of a cell: colours, weight and reversal.
type Ink struct {
	FG, BG Color
	Bold   bool
	// Reverse swaps text and background colours, including the terminal's defaults.
	Reverse bool
}

// appendSGR appends the escape code that changes one look to another (Select Graphic Rendition,
// ECMA-48 section 8.3.117).
func appendSGR(out []byte, mode ColorMode, from, to Ink) []byte {
	if from == to || mode == NoColor {
		return out
	}
	if (from.FG.set && !to.FG.set) || (from.BG.set && !to.BG.set) || (from.Bold && !to.Bold) ||
		(from.Reverse && !to.Reverse) {
		out = append(out, "\x1b[0m"...)
		from = Ink{}
	}
	if from == to {
		return out
	}
	out = append(out, "\x1b["...)
	start := len(out)
	separate := func() {
		if len(out) > start {
			out = append(out, ';')
		}
	}
	if to.Bold && !from.Bold {
		out = append(out, '1')
	}
	if to.Reverse && !from.Reverse {
		separate()
		out = append(out, '7')
	}
	if to.FG != from.FG {
		separate()
		out = appendColor(out, mode, to.FG, 30)
	}
	if to.BG != from.BG {
		separate()
		out = appendColor(out, mode, to.BG, 40)
	}
	return append(out, 'm')
}

// appendColor appends the parameters of a colour. base is 30 for the foreground and 40 for the
// background.
func appendColor(out []byte, mode ColorMode, c Color, base int64) []byte {
	number := func(v int64) { out = strconv.AppendInt(out, v, 10) }
	switch mode {
	case TrueColor:
		number(base + 8)
		out = append(out, ";2;"...)
		number(int64(c.r))
		out = append(out, ';')
		number(int64(c.g))
		out = append(out, ';')
		number(int64(c.b))
	case ANSI256:
		number(base + 8)
		out = append(out, ";5;"...)
		number(int64(c.index256()))
	default:
		i := int64(c.index16())
		if i >= 8 {
			i += 60 - 8
		}
		number(base + i)
	}
	return out
}
