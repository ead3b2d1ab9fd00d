package plots

import (
	"math"
	"testing"

	"dgplab/viz/golden"
)

// demoDepths returns functions of two kinds. The functions of the first kind flatten with depth.
func demoDepths(depths int) Depths {
	p := Depths{
		Along: "first principal direction",
		Kinds: []DepthsKind{{Name: "conventional"}, {Name: "amortized"}},
	}
	for i := range 48 {
		p.Grid = append(p.Grid, -3+6*float64(i)/47)
	}
	for k := range p.Kinds {
		for l := range depths {
			var list [][]float64
			for c := range 3 {
				var values []float64
				for _, x := range p.Grid {
					v := math.Sin(x + float64(c))
					for range l * (1 - k) {
						v = math.Tanh(3*v) - 0.3
					}
					values = append(values, v+float64(k*l)*0.2*x)
				}
				list = append(list, values)
			}
			p.Kinds[k].Depths = append(p.Kinds[k].Depths, list)
		}
	}
	return p
}

func FuzzDepths(f *testing.F) {
	golden.Seeds(f)
	f.Fuzz(func(t *testing.T, data []byte, w, h uint8) {
		d := &golden.Decoder{Data: data}
		p := Depths{Grid: d.Floats(20), Along: d.Text(), Selected: int(int8(d.Byte()))}
		for range d.Byte() % 4 {
			k := DepthsKind{Name: d.Text()}
			for range d.Byte() % 5 {
				var list [][]float64
				for range d.Byte() % 4 {
					list = append(list, d.Floats(20))
				}
				k.Depths = append(k.Depths, list)
			}
			p.Kinds = append(p.Kinds, k)
		}
		for _, style := range golden.Styles {
			golden.CheckBox(t, p.Render(style, int(w), int(h)), style, int(w), int(h))
		}
	})
}
