package plots

import (
	"math"
	"math/rand/v2"
	"testing"

	"dgplab/viz/chart"
	"dgplab/viz/golden"
)

// demoInducing returns m inducing points around each of several inputs.
func demoInducing(m int) Inducing {
	r := rand.New(rand.NewPCG(3, uint64(m)))
	p := Inducing{XName: "x", YName: "y", Chosen: 2, Facts: [][]Fact{
		{{Name: "rank", Value: "1.02 of 2 (seen 1.98)", Wrong: true}, {Name: "distance",
			Value: "0.31 (0.05 … 0.72)"}, {Name: "q mean", Value: "0.1 (-1 … 1.2)"}},
		{{Name: "output 1 of 16:"}, {Name: "a", Value: "-0.31±0.2"},
			{Name: "b", Value: "0.12±0.18"},
			{Name: "c", Value: "1.12±0.01"}},
	}}
	for range 150 {
		p.Seen = append(p.Seen, chart.XY{X: 3.4*r.Float64() - 1.7, Y: 3.4*r.Float64() - 1.7})
	}
	for i := range 9 {
		in := InducingInput{At: p.Seen[i]}
		for k := range m {
			a := 2 * math.Pi * float64(k) / float64(m)
			in.Z = append(in.Z, chart.XY{X: in.At.X*0.8 + 0.7*math.Cos(a), Y: in.At.Y*0.8 + 0.7*math.Sin(a)})
		}
		p.Inputs = append(p.Inputs, in)
	}
	return p
}

// demoStems returns standard normal draws with unequal weights.
func demoStems(rows, s int) Stems {
	r := rand.New(rand.NewPCG(5, uint64(s)))
	p := Stems{RowName: "GP", XName: "standard deviations from the mean"}
	total := 0.0
	for range s {
		p.Weights = append(p.Weights, math.Exp(0.7*r.NormFloat64()))
		total += p.Weights[len(p.Weights)-1]
	}
	for k := range p.Weights {
		p.Weights[k] /= total
	}
	for range rows {
		var row []float64
		for range s {
			row = append(row, 1.2*r.NormFloat64())
		}
		p.Rows = append(p.Rows, row)
	}
	return p
}

func FuzzInducing(f *testing.F) {
	golden.Seeds(f)
	f.Fuzz(func(t *testing.T, data []byte, w, h uint8) {
		d := &golden.Decoder{Data: data}
		p := Inducing{XName: d.Text(), YName: d.Text(), Chosen: int(int8(d.Byte()))}
		for range d.Byte() % 4 {
			p.Facts = append(p.Facts, []Fact{{d.Text(), d.Text(), d.Byte()%2 == 0}, {Name: d.Text()}})
		}
		for range d.Byte() % 20 {
			p.Seen = append(p.Seen, chart.XY{X: d.Float(), Y: d.Float()})
		}
		for range d.Byte() % 5 {
			in := InducingInput{At: chart.XY{X: d.Float(), Y: d.Float()}}
			for range d.Byte() % 60 {
				in.Z = append(in.Z, chart.XY{X: d.Float(), Y: d.Float()})
			}
			p.Inputs = append(p.Inputs, in)
		}
		for _, style := range golden.Styles {
			golden.CheckBox(t, p.Render(style, int(w), int(h)), style, int(w), int(h))
		}
	})
}

func FuzzStems(f *testing.F) {
	golden.Seeds(f)
	f.Fuzz(func(t *testing.T, data []byte, w, h uint8) {
		d := &golden.Decoder{Data: data}
		p := Stems{Weights: d.Floats(9), RowName: d.Text(), XName: d.Text(), Chosen: int(int8(d.Byte()))}
		for range d.Byte() % 20 {
			p.Rows = append(p.Rows, d.Floats(9))
		}
		for _, style := range golden.Styles {
			golden.CheckBox(t, p.Render(style, int(w), int(h)), style, int(w), int(h))
		}
	})
}

// The moments and the effective size of weighted points leave out points that are not finite.
func TestMomentsOfStems(t *testing.T) {
	s := Stems{Weights: []float64{0.125, 0.375, 0.25, 0.25},
		Rows: [][]float64{{0, 2, math.NaN()}, {1, 1, 1, 5}}}
	for row, want := range [][2]float64{{1.5, math.Sqrt(0.75)}, {2, math.Sqrt(3)}} {
		mean, sd := s.moments(row)
		if math.Abs(mean-want[0]) > 1e-12 || math.Abs(sd-want[1]) > 1e-12 {
			t.Errorf("row %d: mean %g, sd %g, want %v", row, mean, sd, want)
		}
	}
	for chosen, want := range map[int]float64{-3: 1.6, 0: 1.6, 1: 32. / 9, 7: 32. / 9} {
		s.Chosen = chosen
		if got := s.effective(); math.Abs(got-want) > 1e-12 {
			t.Errorf("the effective size of row %d is %g, want %g", chosen, got, want)
		}
	}
	if got := s.points(0); len(got) != 2 || got[1] != (chart.XY{X: 2, Y: 1.5}) {
		t.Errorf("points %v", got)
	}
	if s.points(-1) != nil || s.points(2) != nil {
		t.Error("a missing row has points")
	}
}
