package curves

import (
	"math"
	"testing"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
	"dgplab/viz/golden"
)

func FuzzCurve(f *testing.F) {
	golden.Seeds(f)
	f.Fuzz(func(t *testing.T, data []byte, w, h uint8) {
		d := &golden.Decoder{Data: data}
		options := d.Byte()
		c := Curve{
			X:         chart.Axis(options % 4),
			Scale:     chart.Kind(options / 3 % 3),
			Best:      chart.Best(options / 9 % 3),
			Range:     Range(options / 43 % 3),
			Smoothing: d.Float(),
		}
		for range d.Byte() % 5 {
			s := Series{Label: d.Text(), Run: int(int8(d.Byte())), Y: d.Floats(200)}
			if d.Byte()%2 == 0 {
				s.X = d.Floats(200)
			}
			c.Series = append(c.Series, s)
		}
		if at := d.Float(); options&64 != 0 {
			c.Cursor, c.Zoom = &at, [2]float64{d.Float(), d.Float()}
			c.Groups = []Group{{d.Text(), d.Text(), int(d.Byte()),
				append(c.Series, Series{Y: d.Floats(200)})}, {}}
		}
		for _, style := range golden.Styles {
			golden.CheckBox(t, c.Render(style, int(w), int(h)), style, int(w), int(h))
		}
		whole := c
		whole.Zoom = [2]float64{}
		all := whole.measure()
		if c.Cursor != nil {
			if at, ok := c.MoveCursor(*c.Cursor, d.Float()); ok && (at < all.x0 || at > all.x1) {
				t.Errorf("the cursor goes to %g, outside %g to %g", at, all.x0, all.x1)
			}
		}
		c.XAt(int(w), int(h), int(d.Byte()))
	})
}

// longRuns returns four series of n points each.
func longRuns(n int) []Series {
	var out []Series
	for run := range 4 {
		s := Series{Label: "run", Run: run}
		for i := range n {
			s.X = append(s.X, float64(i))
			s.Y = append(s.Y, -1000*math.Exp(-float64(i)/2e4)+50*math.Sin(float64(i*(run+3))))
		}
		out = append(out, s)
	}
	return out
}

// BenchmarkCurve draws four series of 100,000 points each, smoothed, on a screen
// of 200 x 60 cells, and reads every point.
func BenchmarkCurve(b *testing.B) {
	c := Curve{Smoothing: 0.95, Best: chart.Highest, Series: longRuns(100_000)}
	b.ReportAllocs()
	for b.Loop() {
		c.Render(canvas.Style{Mode: canvas.TrueColor, Dark: true}, 200, 60)
	}
}

// BenchmarkCurveScreen draws a screen of 200 x 60 cells: four panels, each with four prepared
// series of 100,000 points that have grown since the last frame, zoomed and with a cursor in turn.
func BenchmarkCurveScreen(b *testing.B) {
	const n, more = 100_000, 20
	runs := longRuns(n + more)
	var before []*Prepared
	for _, s := range runs {
		before = append(before, Prepare(s.X[:n], s.Y[:n], 0.95))
	}
	at := 60_000.0
	for name, c := range map[string]Curve{
		"all":  {Smoothing: 0.95, Best: chart.Highest},
		"zoom": {Smoothing: 0.95, Best: chart.Highest, Zoom: [2]float64{20_000, 90_000}, Cursor: &at},
		"clip": {Smoothing: 0.95, Range: Inner},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for range 4 {
					c.Series = c.Series[:0]
					for i, s := range runs {
						c.Series = append(c.Series, Series{
							Label:    "run",
							Run:      i,
							Prepared: before[i].Grow(s.X, s.Y),
						})
					}
					c.Render(canvas.Style{Mode: canvas.TrueColor, Dark: true}, 100, 30)
				}
			}
		})
	}
}
