package curves

import (
	"testing"

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
		if all := whole.measure(); c.Cursor != nil {
			if at, ok := c.MoveCursor(*c.Cursor, d.Float()); ok && (at < all.x0 || at > all.x1) {
				t.Errorf("the cursor goes to %g, outside %g to %g", at, all.x0, all.x1)
			}
		}
		c.XAt(int(w), int(h), int(d.Byte()))
	})
}
