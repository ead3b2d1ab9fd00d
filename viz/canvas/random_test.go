package canvas_test

import (
	"fmt"
	"image"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"dgplab/viz/canvas"
	"dgplab/viz/golden"
)

// maker makes random things to draw.
type maker struct{ *rand.Rand }

// chance reports true with a probability.
func (m maker) chance(p float64) bool { return m.Float64() < p }

// text returns words, some with wide or invisible runes.
func (m maker) text() string {
	words := []string{"star", "mean-field", "seed", "12", "3", "kernel=rbf", "lr=0.01", "宽", "naïve",
		"a\u0301b", "x\ny", "🇩🇪", "…", "fully", "coupled,", "±", "layers", "é", "\xff", "²", "at step 290"}
	var list []string
	for range m.IntN(6) {
		list = append(list, words[m.IntN(len(words))])
	}
	return strings.Join(list, " ")
}

// number returns a number of any size, often close to a round number.
func (m maker) number() float64 {
	v := math.Pow(10, float64(m.IntN(40)-20)) * float64(1+m.IntN(9999)) / 1000
	switch m.IntN(8) {
	case 0:
		v = math.Pow(10, float64(m.IntN(40)-20))
	case 1:
		v = math.Pow(10, float64(m.IntN(24)-8)) * (1 - math.Pow(10, -2-float64(m.IntN(4))))
	case 2:
		v = float64(m.IntN(2000)) / 10
	case 3:
		v = []float64{0, math.NaN(), math.Inf(1), math.MaxFloat64, 5e-324, 1e15, 1e-3, 0.05}[m.IntN(8)]
	}
	if m.chance(0.3) {
		v = -v
	}
	return v
}

// style returns a terminal.
func (m maker) style() canvas.Style {
	return canvas.Style{Mode: canvas.ColorMode(m.IntN(int(canvas.TrueColor) + 1)), Dark: m.chance(0.5),
		ASCII: m.chance(0.2), Braille: m.chance(0.4), HighContrast: m.chance(0.3)}
}

// color returns a colour of a style.
func (m maker) color(s canvas.Style) canvas.Color {
	colors := []canvas.Color{{}, s.Dim(), s.Faint(), s.Bad(), s.Warn(), s.Good(), s.Pale(),
		s.Heat(m.Float64()), s.RunColor(m.IntN(20) - 3)}
	c := colors[m.IntN(len(colors))]
	if c.IsSet() && m.chance(0.6) {
		c = s.Tint(c, m.Float64())
	}
	if c.IsSet() && m.chance(0.1) {
		c = c.Opposite()
	}
	return c
}

// ink returns a look.
func (m maker) ink(s canvas.Style) canvas.Ink {
	look := canvas.Ink{FG: m.color(s), Bold: m.chance(0.3), Reverse: m.chance(0.1)}
	if m.chance(0.2) {
		look.BG = m.color(s)
	}
	return look
}

// texts returns variants of a text from the longest to the shortest.
func (m maker) texts() (list []string) {
	for range 1 + m.IntN(3) {
		list = append(list, m.text())
	}
	slices.SortStableFunc(list, func(a, b string) int { return canvas.Width(b) - canvas.Width(a) })
	if m.chance(0.4) {
		list = append(list, "")
	}
	return list
}

// part returns an entry of a legend.
func (m maker) part(s canvas.Style) canvas.Part {
	switch m.IntN(4) {
	case 0:
		return canvas.Note(m.IntN(5), m.ink(s), m.texts()...)
	case 1:
		return canvas.Band(s, m.IntN(5), m.color(s), '▒', m.texts()...)
	}
	n := canvas.Label(s, m.IntN(12), m.text(), []string{"", "at step 290"}[m.IntN(2)])
	if m.chance(0.1) {
		n.Mark = canvas.Span{}
	}
	if m.chance(0.4) {
		n.Value = []canvas.Span{canvas.Plain("1.25"), canvas.Text(" ± 0.1", m.ink(s))}[:1+m.IntN(2)]
	}
	for range m.IntN(3) {
		n.Details = append(n.Details, canvas.Text(m.text(), m.ink(s)))
	}
	if m.chance(0.2) {
		n.At = canvas.Plain("at step 5")
	}
	return n.Part()
}

// rows returns the rows of a line with gaps, and the ranges that it covers.
func (m maker) rows(w, h int) (rows []int, ranges [][2]int) {
	r := m.IntN(h)
	gaps := m.chance(0.5)
	for range w {
		r = min(max(r+m.IntN(5)-2, 0), h-1)
		row := r
		if gaps && m.chance(0.2) {
			row = -1
		}
		rows = append(rows, row)
		ranges = append(ranges, [2]int{max(r-m.IntN(3), 0), min(r+m.IntN(3), h-1)})
		if row < 0 {
			ranges[len(ranges)-1] = [2]int{1, 0}
		}
	}
	if m.chance(0.5) {
		ranges = nil
	}
	return rows, ranges
}

// draw draws something, perhaps partly outside of the canvas.
func (m maker) draw(cv *canvas.Canvas) {
	s := cv.Style
	x := m.IntN(cv.W+6) - 3
	y := m.IntN(cv.H+2) - 1
	w, h := cv.Places()
	switch m.IntN(11) {
	case 0:
		cv.Put(x, y, []rune("●×│─┼⠁⣿█")[m.IntN(8)], m.ink(s))
	case 1:
		cv.TextRight(x, y, m.text(), m.ink(s))
	case 2:
		lo := m.IntN(8*cv.H+8) - 4
		for k := range 1 + m.IntN(9) {
			cv.Shade(x+k, lo, lo+m.IntN(20), s.RunColor(m.IntN(3)), '░')
		}
	case 3:
		canvas.DrawBar(cv, x, y, m.IntN(40), m.ink(s))
	case 4:
		rows, ranges := m.rows(w, h)
		canvas.DrawLine(cv, m.ink(s), rows, ranges)
	case 5:
		rows, _ := m.rows(w, h)
		lines := 1 + m.IntN(4)
		canvas.DrawMarkers(cv, rows, m.IntN(9), m.IntN(lines), lines)
	case 6:
		var parts []canvas.Part
		for range m.IntN(5) {
			parts = append(parts, m.part(s))
		}
		canvas.DrawLegend(cv, max(x, 0), y, m.IntN(cv.W+1), parts)
	case 7:
		inner := canvas.New(s, m.IntN(9), m.IntN(5))
		for range m.IntN(4) {
			if inner.W > 0 && inner.H > 0 {
				m.draw(inner)
			}
		}
		cv.Blit(x, y, inner)
	case 8:
		cv.Message(m.text())
	case 9:
		d := canvas.NewDots(cv.W, cv.H)
		for range m.IntN(30) {
			d.Set(m.IntN(2*cv.W+2)-1, m.IntN(4*cv.H+2)-1)
		}
		d.DrawOn(cv, m.ink(s))
	default:
		cv.Text(x, y, m.text(), m.ink(s))
	}
}

// bitmaps is a terminal with bitmaps. It keeps the checksum of all of them.
type bitmaps struct {
	sum uint32
	w   int
}

func (b *bitmaps) CellSize() (w, h int) { return b.w, 2 * b.w }

func (b *bitmaps) Show(bitmap *image.RGBA, w, h int) (number int, ok bool) {
	size := bitmap.Bounds().Size()
	b.sum = b.sum*31 + uint32(size.X*1000+size.Y)
	return w*70_000 + h, w != 5
}

func (*bitmaps) Cell(row, column int) string { return string(rune('a' + (row+3*column)%26)) }

// random holds functions that write random results of this package.
var random = map[string]func(out io.Writer, m maker){
	"canvas": func(out io.Writer, m maker) {
		cv := canvas.New(m.style(), 1+m.IntN(50), 1+m.IntN(8))
		for range m.IntN(12) {
			m.draw(cv)
		}
		x := m.IntN(cv.W)
		y := m.IntN(cv.H)
		fmt.Fprintln(out, cv, cv.At(x, y), cv.At(x+1, y-1), cv.Free(x, y, m.IntN(4)))
	},
	"images": func(out io.Writer, m maker) {
		s := m.style()
		s.Mode, s.ASCII = canvas.TrueColor, m.chance(0.1)
		images := &bitmaps{w: 1 + m.IntN(60)}
		s.Images = images
		cv := canvas.New(s, 1+m.IntN(120), 1+m.IntN(30))
		if m.chance(0.1) {
			cv = canvas.New(s, 4094+m.IntN(6), 1+m.IntN(2)) // The largest images have 4096 columns.
		}
		shown := cv.Image(m.IntN(3), m.IntN(3), cv.W-m.IntN(3), cv.H-m.IntN(3), func(*image.RGBA) {})
		m.draw(cv)
		fmt.Fprintln(out, shown, images.sum, cv)
	},
	"legend": func(out io.Writer, m maker) {
		cv := canvas.New(m.style(), 120, 6)
		var parts []canvas.Part
		for range m.IntN(6) {
			parts = append(parts, m.part(cv.Style))
		}
		for y, w := range []int{120, 80, 50, 25, 10, 3} {
			canvas.DrawLegend(cv, 0, y, w, parts)
		}
		n := canvas.Label(cv.Style, m.IntN(9), m.text(), m.text())
		fmt.Fprintln(out, cv, n.Width(), n.In(m.IntN(40)))
	},
	"names": func(out io.Writer, m maker) {
		name := m.text()
		for w := range 40 {
			fmt.Fprintf(out, "%q %q\n", canvas.Truncate(name, w-1), canvas.Shorten(name, w-1))
		}
		fmt.Fprintln(out, canvas.Width(name))
	},
	"numbers": func(out io.Writer, m maker) {
		v := m.number()
		fmt.Fprintln(out, canvas.Number(v), canvas.Digits(v, 1+m.IntN(4)), canvas.OneDecimal(v))
		fmt.Fprintln(out, canvas.Bytes(m.Int64()>>(20+m.IntN(40))), canvas.CountRange(m.IntN(3), m.IntN(3)))
		seconds := math.Pow(10, 8*m.Float64()-2)
		if m.chance(0.3) {
			seconds = []float64{59.5, 60, 3600, 86400, 9.95, 0.999, 3599.6}[m.IntN(7)] * float64(1+m.IntN(3))
		}
		fmt.Fprintln(out, canvas.Seconds(v), canvas.Seconds(seconds), canvas.Seconds(-seconds))
		for _, d := range []float64{seconds * 1e9, -seconds * 1e7, float64(m.IntN(5_000_000))} {
			fmt.Fprintln(out, canvas.Duration(time.Duration(d)))
		}
		if canvas.Finite(v) || math.IsInf(v, 0) {
			fmt.Fprintf(out, "%.6g\n", canvas.Fraction(v, m.Float64(), 1+m.Float64()))
			fmt.Fprintf(out, "%.6g\n", canvas.Fraction(m.Float64(), -v, v))
		}
		n := 1 + m.IntN(9)
		lo, hi := canvas.Share(m.IntN(n), n, m.IntN(30))
		fmt.Fprintln(out, lo, hi)
		g := canvas.Grid{Columns: 1 + m.IntN(4), Rows: 1 + m.IntN(4), W: m.IntN(90), H: m.IntN(30)}
		g.Gap = m.IntN(3)
		x, y, w, h := g.Tile(m.IntN(12))
		fmt.Fprintln(out, x, y, w, h)
		step := []float64{1, 2, 5}[m.IntN(3)] * math.Pow(10, float64(m.IntN(24)-8))
		from := float64(m.IntN(9) - 4)
		values := []float64{from * step, (from + 1) * step, (from + 2) * step, (from + 3) * step}
		fmt.Fprintln(out, canvas.StepLabels(values, step), canvas.Decimals(step), canvas.Decimals(-step))
	},
	"colours": func(out io.Writer, m maker) {
		s := m.style()
		for range 8 {
			c := m.color(s)
			r, g, b, ok := c.RGB()
			fmt.Fprintln(out, r, g, b, ok, s.Paint(c, m.chance(0.5), m.text()))
		}
		run := m.IntN(90) - 9
		fmt.Fprintln(out, s.RunMarker(run), canvas.Marker(run), canvas.SmallMarker(run))
		fmt.Fprintln(out, s.PlusMinus(), s.Shades(), s.Dots())
		fmt.Fprintln(out, s.Heat(math.NaN()), s.Heat(m.NormFloat64()))
	},
}

// TestRandomResultsAreUnchanged draws and writes random inputs. Each group of functions has a checksum.
func TestRandomResultsAreUnchanged(t *testing.T) {
	var sums golden.Sums
	for _, group := range slices.Sorted(maps.Keys(random)) {
		m := maker{rand.New(rand.NewPCG(1, uint64(len(group))))}
		for range 400 {
			random[group](sums.Group(group), m)
		}
	}
	sums.Check(t, "random")
}
