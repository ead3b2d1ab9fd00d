package plots

import (
	"testing"

	"dgplab/viz/chart"
	"dgplab/viz/golden"
)

func FuzzCalibration(f *testing.F) {
	golden.Seeds(f)
	f.Fuzz(func(t *testing.T, data []byte, w, h uint8) {
		d := &golden.Decoder{Data: data}
		b := Histogram{d.Floats(40), d.Float(), d.Float(), d.Text(), d.Text(), d.Text(), d.Text(), d.Text(),
			int(int8(d.Byte())), d.Float(), [2]float64{d.Float(), d.Float()}, d.Float(),
			d.Floats(9), d.Floats(3), int(d.Byte())}
		pit := NewPITHistogram(d.Floats(200), int(int8(d.Byte())))
		histogram := NewHistogram(d.Floats(60), int(int8(d.Byte())), d.Float(), d.Float())
		ranks := NewRankHistogram([]int{int(int8(d.Byte())), int(d.Byte())})
		var c Coverage
		for range d.Byte() % 4 {
			c.Lines = append(c.Lines, CoverageLine{d.Text(), d.Text(), int(int8(d.Byte())), d.Floats(20),
				d.Floats(20), int(int8(d.Byte()))})
		}
		confidence := d.Floats(60)
		right := make([]bool, len(confidence))
		for i := range right {
			right[i] = d.Byte()%2 == 0
		}
		reliability := Reliability{[]ReliabilityLine{NewReliabilityLine(confidence,
			right, int(int8(d.Byte())))}}
		reliability.Lines[0].Label = d.Text()
		reliability.Lines[0].Step = d.Text()
		reliability.Lines[0].Run = int(int8(d.Byte()))
		c.Lines = append(c.Lines, NewCoverageLine(d.Floats(100), int(int8(d.Byte()))))
		for _, style := range golden.Styles {
			for _, r := range []golden.Picture{b, pit, histogram, ranks, c, reliability} {
				golden.CheckBox(t, r.Render(style, int(w), int(h)), style, int(w), int(h))
			}
		}
	})
}

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

func FuzzLayerPanel(f *testing.F) {
	golden.Seeds(f)
	f.Fuzz(func(t *testing.T, data []byte, w, h uint8) {
		d := &golden.Decoder{Data: data}
		p := Layer{
			Index:        int(d.Byte()),
			Layers:       int(d.Byte()),
			Selected:     int(int8(d.Byte())),
			Variance:     d.Float(),
			Lengthscales: d.Floats(5),
			Grid:         d.Floats(30),
		}
		for range d.Byte() % 20 {
			g := LayerGP{
				Mean:      d.Float(),
				SD:        d.Float(),
				Min:       d.Float(),
				Max:       d.Float(),
				Share:     d.Float(),
				Collapsed: d.Byte()%2 == 0,
			}
			for range d.Byte() % 40 {
				g.Histogram = append(g.Histogram, int(int8(d.Byte()))<<(d.Byte()%50))
			}
			for range d.Byte() % 4 {
				g.Curves = append(g.Curves, d.Floats(30))
			}
			p.GPs = append(p.GPs, g)
			p.Correlation = append(p.Correlation, d.Floats(20))
		}
		for _, style := range golden.Styles {
			golden.CheckBox(t, p.Render(style, int(w), int(h)), style, int(w), int(h))
		}
	})
}
