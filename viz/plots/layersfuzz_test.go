package plots

import (
	"testing"

	"dgplab/viz/golden"
)

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
