package viz

import (
	"encoding/binary"
	"math"
	"testing"
)

// decoder turns fuzz input into numbers, many of them awkward.
type decoder struct{ data []byte }

func (d *decoder) byte() byte {
	if len(d.data) == 0 {
		return 0
	}
	b := d.data[0]
	d.data = d.data[1:]
	return b
}

var awkward = []float64{
	math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 1, -1, 1e-300, 5e-324, -5e-324,
	math.MaxFloat64, -math.MaxFloat64, 1e15, 999.96, 1e-9, 0.1,
}

func (d *decoder) float() float64 {
	b := d.byte()
	switch {
	case b < 64:
		return awkward[int(b)%len(awkward)]
	case b < 128 && len(d.data) >= 8:
		v := math.Float64frombits(binary.LittleEndian.Uint64(d.data))
		d.data = d.data[8:]
		return v
	default:
		return float64(int8(d.byte())) * math.Pow(10, float64(int(b)%9-4))
	}
}

func (d *decoder) floats(most int) []float64 {
	n := min(int(d.byte()), most, len(d.data))
	var out []float64
	for range n {
		out = append(out, d.float())
	}
	return out
}

func (d *decoder) text() string {
	n := min(int(d.byte()%24), len(d.data))
	s := string(d.data[:n])
	d.data = d.data[n:]
	return s
}

// seeds are the corpus that all targets share.
func seeds(f *testing.F) {
	f.Add([]byte{}, uint8(20), uint8(8))
	f.Add([]byte("\x03\x02ab\x10\x00\x01\x02\x03\x80\x05\x81\x09\xc0\x11\xff\x40\x41\x42"), uint8(60), uint8(20))
	f.Add([]byte("\x01\x0c\xf0\x9f\x87\xa9\xf0\x9f\x87\xaa\xe1\x84\x80\x30\x0a\x0b\x0a\x0b"), uint8(33), uint8(9))
	f.Add([]byte{255, 7, 99, 10, 11, 12, 13, 14, 15, 200, 201, 202, 203, 204, 205, 206, 207}, uint8(1), uint8(1))
	f.Add([]byte{2, 3, 1, 4, 5, 130, 7, 140, 9, 150, 11, 160, 13, 170, 15, 180, 17, 0, 0, 0, 1, 1, 2, 2}, uint8(120), uint8(5))
}

func FuzzCurve(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte, w, h uint8) {
		d := &decoder{data}
		options := d.byte()
		c := Curve{X: Axis(options % 4), Scale: Scale(options / 3 % 3), Best: Best(options / 9 % 3), Clip: options&128 != 0, Smoothing: d.float()}
		for range d.byte() % 5 {
			s := Series{Label: d.text(), Run: int(int8(d.byte())), Y: d.floats(200)}
			if d.byte()%2 == 0 {
				s.X = d.floats(200)
			}
			c.Series = append(c.Series, s)
		}
		if at := d.float(); options&64 != 0 {
			c.Cursor, c.Zoom = &at, [2]float64{d.float(), d.float()}
			c.Groups = []Group{{d.text(), int(d.byte()), append(c.Series, Series{Y: d.floats(200)})}, {}}
		}
		for _, style := range styles {
			checkBox(t, c.Render(style, int(w), int(h)), style, int(w), int(h))
		}
		if lo, hi, ok := c.Span(); ok && c.Cursor != nil {
			if at, ok := c.MoveCursor(*c.Cursor, d.float()); ok && (at < lo || at > hi) {
				t.Errorf("the cursor goes to %g, beside %g to %g", at, lo, hi)
			}
		}
		c.XAt(int(w), int(h), int(d.byte()))
	})
}

func FuzzBlockMap(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte, w, h uint8) {
		d := &decoder{data}
		b := BlockMap{Cells: int(d.byte() % 5), M: int(int8(d.byte())), Decades: d.float()}
		for range d.byte() % 5 {
			b.GPs = append(b.GPs, int(d.byte()%6))
		}
		if d.byte()%8 == 0 {
			b.Log10 = d.floats(50)
		} else {
			side := b.total() * b.Cells
			b.Log10 = make([]float64, side*side)
			for i := range b.Log10 {
				b.Log10[i] = d.float()
			}
		}
		row := BlockMaps{b}
		b.Title, b.Lo, b.Hi = d.text(), d.float(), d.float()
		for range d.byte() % 6 {
			row = append(row, b)
		}
		for _, style := range styles {
			checkBox(t, b.Render(style, int(w), int(h)), style, int(w), int(h))
			checkBox(t, row.Render(style, int(w), int(h)), style, int(w), int(h))
		}
	})
}

func FuzzLayerPanel(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte, w, h uint8) {
		d := &decoder{data}
		p := LayerPanel{Index: int(d.byte()), Layers: int(d.byte()), Selected: int(int8(d.byte())), Variance: d.float(), Lengthscales: d.floats(5), Grid: d.floats(30)}
		for range d.byte() % 20 {
			g := GP{Mean: d.float(), SD: d.float(), Min: d.float(), Max: d.float(), Share: d.float(), Collapsed: d.byte()%2 == 0}
			for range d.byte() % 40 {
				g.Histogram = append(g.Histogram, int(int8(d.byte()))<<(d.byte()%50))
			}
			for range d.byte() % 4 {
				g.Curves = append(g.Curves, d.floats(30))
			}
			p.GPs = append(p.GPs, g)
			p.Correlation = append(p.Correlation, d.floats(20))
		}
		for _, style := range styles {
			checkBox(t, p.Render(style, int(w), int(h)), style, int(w), int(h))
		}
	})
}

func FuzzErrorBars(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte, w, h uint8) {
		d := &decoder{data}
		options := d.byte()
		b := ErrorBars{XName: d.text(), YName: d.text(), LogX: options&1 != 0, Best: Best(options / 2 % 3)}
		for range options / 8 % 4 {
			b.Categories = append(b.Categories, d.text())
		}
		for range d.byte() % 5 {
			s := ErrorSeries{Label: d.text(), Run: int(int8(d.byte()))}
			for range d.byte() % 20 {
				s.Points = append(s.Points, ErrorPoint{d.float(), d.float(), d.float(), int(int8(d.byte()))})
			}
			b.Series = append(b.Series, s)
		}
		for _, style := range styles {
			checkBox(t, b.Render(style, int(w), int(h)), style, int(w), int(h))
		}
	})
}

func FuzzScatter(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte, w, h uint8) {
		d := &decoder{data}
		options := d.byte()
		s := Scatter{XName: d.text(), YName: d.text(), LogX: options&1 != 0, LogY: options&2 != 0, Diagonal: options&4 != 0, Trend: Trend(options / 8 % 3)}
		for range d.byte() % 4 {
			s.Clouds = append(s.Clouds, Cloud{d.text(), d.floats(200), d.floats(200), int(int8(d.byte())), int(d.byte())})
		}
		for _, style := range styles {
			checkBox(t, s.Render(style, int(w), int(h)), style, int(w), int(h))
		}
	})
}

func FuzzCalibration(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte, w, h uint8) {
		d := &decoder{data}
		b := Bars{d.floats(40), d.float(), d.float(), d.text(), d.text(), d.text(), int(int8(d.byte())), d.float(), [2]float64{d.float(), d.float()}, int(d.byte())}
		pit := PITBars(d.floats(200), int(int8(d.byte())))
		var c Coverage
		for range d.byte() % 4 {
			c.Lines = append(c.Lines, CoverageLine{d.text(), int(int8(d.byte())), d.floats(20), d.floats(20), int(int8(d.byte()))})
		}
		c.Lines = append(c.Lines, Covered(d.floats(100), int(int8(d.byte()))))
		for _, style := range styles {
			for _, r := range []renderer{b, pit, c} {
				checkBox(t, r.Render(style, int(w), int(h)), style, int(w), int(h))
			}
		}
	})
}

func FuzzTable(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte, w, h uint8) {
		d := &decoder{data}
		table := Table{Selected: int(int8(d.byte())), Mark: d.byte()%2 == 0}
		for range d.byte() % 6 {
			table.Columns = append(table.Columns, Column{d.text(), d.byte()%2 == 0, d.byte()%2 == 0, int(int8(d.byte())), int(d.byte() % 4)})
		}
		for range d.byte() % 12 {
			var row []string
			for range d.byte() % 8 {
				row = append(row, d.text())
			}
			table.Rows = append(table.Rows, row)
		}
		for _, style := range styles {
			checkBox(t, table.Render(style, int(w), int(h)), style, int(w), int(h))
		}
	})
}

func FuzzLines(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte, w, h uint8) {
		d := &decoder{data}
		values := d.floats(60)
		for _, style := range styles {
			for _, line := range []string{Sparkline(style, values, int(w)), ProgressBar(style, d.float(), int(w))} {
				checkBox(t, line, style, int(w), 1)
			}
		}
	})
}

// FuzzText checks that what the canvas takes for the width of a text is what the
// terminal library takes for it, whatever is in the text.
func FuzzText(f *testing.F) {
	for _, s := range []string{"", "plain", "二号", "🇩🇪🇫🇷", "e\u0301", "👩‍👩‍👧", "\u1100\u1161\u11a8", "क्षि", "\x1b[31mred", "\u0600\u0661", "🏽", "a\u200db", "é…"} {
		f.Add(s, uint8(5))
	}
	f.Fuzz(func(t *testing.T, s string, w uint8) {
		for _, style := range styles {
			cv := newCanvas(style, int(w), 2)
			cv.text(int(w)/3, 0, s, ink{})
			cv.textRight(int(w), 1, s, ink{fg: style.Bad(), bold: true})
			cv.put(int(w)/2, 1, '│', ink{})
			checkBox(t, cv.String(), style, int(w), min(2, int(w)*2))
		}
		if got := width(truncate(s, int(w))); got > int(w) {
			t.Errorf("truncate to %d cells gave %d", w, got)
		}
	})
}
