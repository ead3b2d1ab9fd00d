package plots

import (
	"testing"

	"dgplab/viz/chart"
	"dgplab/viz/golden"
)

func FuzzErrorBars(f *testing.F) {
	golden.Seeds(f)
	f.Fuzz(func(t *testing.T, data []byte, w, h uint8) {
		d := &golden.Decoder{Data: data}
		options := d.Byte()
		b := ErrorBars{
			XName: d.Text(),
			YName: d.Text(),
			LogX:  options&1 != 0,
			Best:  chart.Best(options / 2 % 3),
		}
		for range options / 8 % 4 {
			b.Categories = append(b.Categories, d.Text())
		}
		for range d.Byte() % 5 {
			s := ErrorSeries{Label: d.Text(), Run: int(int8(d.Byte()))}
			for range d.Byte() % 20 {
				p := ErrorPoint{X: d.Float(), Mean: d.Float(), SE: d.Float(), N: int(int8(d.Byte()))}
				p.Off = p.N%4 == 1
				s.Points = append(s.Points, p)
			}
			b.Series = append(b.Series, s)
		}
		for _, style := range golden.Styles {
			golden.CheckBox(t, b.Render(style, int(w), int(h)), style, int(w), int(h))
		}
	})
}

func FuzzScatter(f *testing.F) {
	golden.Seeds(f)
	f.Fuzz(func(t *testing.T, data []byte, w, h uint8) {
		d := &golden.Decoder{Data: data}
		options := d.Byte()
		s := Scatter{
			XName:    d.Text(),
			YName:    d.Text(),
			LogX:     options&1 != 0,
			LogY:     options&2 != 0,
			Diagonal: options&4 != 0,
			Trend:    Trend(options / 8 % 3),
		}
		for range d.Byte() % 4 {
			s.Clouds = append(s.Clouds,
				Cloud{d.Text(), d.Text(), d.Floats(200), d.Floats(200), int(int8(d.Byte())), int(d.Byte())})
		}
		for _, style := range golden.Styles {
			golden.CheckBox(t, s.Render(style, int(w), int(h)), style, int(w), int(h))
		}
	})
}

func FuzzBands(f *testing.F) {
	golden.Seeds(f)
	f.Fuzz(func(t *testing.T, data []byte, w, h uint8) {
		d := &golden.Decoder{Data: data}
		b := Bands{X: d.Floats(60), XName: d.Text(), YName: d.Text()}
		for range d.Byte() % 4 {
			b.Bands = append(b.Bands, Band{d.Text(), int(int8(d.Byte())), d.Floats(60), d.Floats(60)})
		}
		b.Marks = d.Floats(9)
		b.MarksName = d.Text()
		b.DotsName = d.Text()
		for _, v := range d.Floats(9) {
			b.Dots = append(b.Dots, chart.XY{X: v, Y: -v})
		}
		for _, style := range golden.Styles {
			golden.CheckBox(t, b.Render(style, int(w), int(h)), style, int(w), int(h))
		}
	})
}
