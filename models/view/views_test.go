package view

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
)

// full returns small views of all kinds that Check covers.
func full() Views {
	row := func(v ...float64) Rounded { return v }
	in := AmortizedInput{
		X:    1,
		Y:    2,
		ZX:   row(1, 2),
		ZY:   row(3, 4),
		Mean: []Rounded{row(0, 1)},
		SD:   []Rounded{row(1, 2)},
	}
	packed := in
	packed.SD = []Rounded{row(2, 5)}
	packed.Factor = []Rounded{row(2, 3, 4)}
	return Views{
		Amortization: &Amortization{Layers: []AmortizedLayer{
			{Width: 2, Outputs: 1, Inducing: 2, Axes: [2]string{"a", "b"}, SeenX: row(0), SeenY: row(0),
				Inputs: []AmortizedInput{in}, Rank: 2, SeenRank: 2},
			{Width: 1, Outputs: 1, Inducing: 2, Inputs: []AmortizedInput{packed}, SeenX: row(5),
				SeenY: row(6), Collapsed: true}}},
		Quadrature: &Quadrature{
			Weights: row(0.25, 0.75),
			Layers:  []QuadratureLayer{{Points: []Rounded{row(-1, 1)}}},
		},
		Prior: &Prior{
			Direction: "d",
			Grid:      row(0, 1),
			Kinds:     []PriorKind{{Name: "k", Depths: [][]Rounded{{row(1, 2)}, {row(2, 3)}}}},
		},
		Functions: &Functions{Input: 1, Name: "x", Grid: row(0, 1),
			Items:  []Function{{Name: "f", Mean: row(1, 2), SD: row(1, 1)}},
			Others: []Functions{{Grid: row(3), Items: []Function{{Name: "f", Mean: row(1), SD: row(2)}}}}},
		Network: &Network{Inputs: []string{"x"}, Outputs: []string{"y", "z"}, Latents: []string{"f_1"},
			Noise: 0.5, Total: 7, Average: networkPoint(),
			Points: []NetworkPoint{{X: row(3), Weights: networkPoint().Weights,
				Signal: networkPoint().Signal}}},
		MomentMatching: &MomentMatching{GPs: []MatchedGP{{Layer: 1, GP: 2, Strength: Spread{1, 2, 3, 4, 5},
			Widest: 1.5}},
			Total: 7, Samples: 9,
			Points: []MatchedPoint{{Row: 3,
				Moments: []MatchedMoments{{Mean: 1, SD: 2, SampleMean: 3, SampleSD: 4}}}}},
		Maps: &Maps{Total: 9, More: 1,
			GPs: []Map{{Layer: 1, GP: 2, Axes: []int{0, 2}, Names: []string{"a", "b"}, X: row(0, 1),
				Y: row(2), Mean: row(1, 2), SD: row(3, 4), Data: []Rounded{row(1), row(2)},
				Out: row(3), Inducing: []Rounded{row(4), row(5)}, Strength: row(0.5)}}},
		Weights: &Weights{
			Layers: []WeightLayer{{Inputs: 2, Units: 1,
				Weights: NewWeightsSpread([]float64{3, -1}, []float64{1, 2}),
				Biases:  NewWeightsSpread([]float64{0}, []float64{1})}},
		},
		Chains: &Chains{Chains: 2, Draws: 40, Distance: 5, Quantities: []ChainQuantity{
			{Name: "noise", Kind: Hyperparameter, Mean: 1, SD: 2, MCSE: 0.1, Rhat: 1.5, ESSBulk: 30,
				ESSTail: 20, Skewness: 0.1, Kurtosis: 3, Normal: 0.4,
				Kept: &ChainDraws{
					Every:           20,
					Draws:           []Rounded{row(1, 2), row(3, 4)},
					Autocorrelation: []Rounded{row(1), row(1)},
					Ranks:           [][]int{{1, 0}, {0, 1}},
				}}}},
		Plane: &Plane{Inputs: [2]string{"x", "y"}, X: row(0, 1), Y: row(0, 1),
			Fields: []Field{{Name: "f", Probability: true, Values: row(1, 2, 3, 4)}},
			Points: []PlanePoints{{Name: "+1", X: row(0), Y: row(1)}}, Samples: 16, Total: 9},
	}
}

var row0 = Rounded{0}

// networkPoint returns a point of two outputs and one latent function, with correlation 1/2 without
// noise and 1/3 with noise.
func networkPoint() NetworkPoint {
	return NetworkPoint{Weights: []Rounded{{1}, {1}}, Signal: []Rounded{{1, 0.5}, {0.5, 1}}}
}

func TestCorrelations(t *testing.T) {
	p := networkPoint()
	for noise, want := range map[float64]float64{0: 0.5, 0.5: 1. / 3} {
		if c := p.Correlations(noise); math.Abs(c[0][1]-want) > 1e-15 || c[1][0] != c[0][1] ||
			math.Abs(c[1][1]-1) > 1e-15 {
			t.Errorf("noise %g: %v", noise, c)
		}
	}
	p.Signal = []Rounded{{0, 0}, {0, 1}}
	if c := p.Correlations(0); !math.IsNaN(c[0][1]) || c[1][1] != 1 {
		t.Errorf("without variance: %v", c)
	}
}

func TestViewsRoundTrip(t *testing.T) {
	v := full()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var back Views
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(back, v) || back.Check() != nil || back.Empty() {
		t.Errorf("%s reads as %+v, %v", text, back, back.Check())
	}
	if !(Views{}).Empty() || (Views{}).Check() != nil {
		t.Error("no views: Empty is false or Check fails")
	}
}

func TestInconsistentViews(t *testing.T) {
	for want, spoil := range map[string]func(v *Views){
		"inducing points for 0 inputs": func(v *Views) {
			v.Amortization.Layers[1].Inputs = nil
		},
		"input 1 does not have 2": func(v *Views) {
			v.Amortization.Layers[0].Inputs[0].ZY = nil
		},
		"1 outputs in layer 2": func(v *Views) {
			v.Amortization.Layers[1].Inputs[0].Factor[0] = nil
		},
		"output 1 of layer 1 has 2 points": func(v *Views) {
			v.Quadrature.Weights = v.Quadrature.Weights[:1]
		},
		"at depth 2 has 1 values": func(v *Views) {
			v.Prior.Kinds[0].Depths[1][0] = Rounded{1}
		},
		`"f" has 4 values on a grid of 1`: func(v *Views) { v.Plane.X = v.Plane.X[:1] },
		"1 means and 2 standard": func(v *Views) {
			v.Functions.Items[0].Mean = v.Functions.Items[0].Mean[:1]
		},
		"there are 0 functions along": func(v *Views) {
			v.Functions.Others[0].Items = nil
		},
		"of 2 outputs and 1 latent": func(v *Views) {
			v.Network.Points[0].Signal = v.Network.Average.Weights
		},
		"the network has 0 inputs, want": func(v *Views) { v.Network.Points[0].X = nil },
		"row 3 has moments of 0 GPs": func(v *Views) {
			v.MomentMatching.Points[0].Moments = nil
		},
		"GP 3 of layer 2: 2 inputs with 1": func(v *Views) {
			v.Maps.GPs[0].Names = v.Maps.GPs[0].Names[:1]
		},
		"2 means and 2 standard deviations on a grid of 4": func(v *Views) {
			v.Maps.GPs[0].Y = Rounded{1, 2}
		},
		"1 and 2 points along input 1": func(v *Views) { v.Maps.GPs[0].Inducing[0] = Rounded{1, 2} },
		"layer 1 of the network has 0": func(v *Views) { v.Weights.Layers[0].Inputs = 0 },
		`"noise" has draws of 1 chains`: func(v *Views) {
			v.Chains.Quantities[0].Kept.Draws = v.Chains.Quantities[0].Kept.Draws[:1]
		},
		`chains of "noise" have kept`: func(v *Views) { v.Chains.Quantities[0].Kept.Draws[1] = row0 },
		`points "+1" have 0 and 1`:    func(v *Views) { v.Plane.Points[0].X = nil },
	} {
		v := full()
		spoil(&v)
		if err := v.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// The statistics of a few weights, computed by hand.
func TestWeightsSpread(t *testing.T) {
	s := NewWeightsSpread([]float64{3, -1, 0, 2}, []float64{1, 2, 0.5, 1.5})
	if want := math.Sqrt((9 + 1 + 1 + 4 + 0.25 + 4 + 2.25) / 4); math.Abs(float64(s.RMS)-want) > 1e-15 ||
		s.Sure != 0.5 {
		t.Errorf("root mean square %v (want %v), sure %v", s.RMS, want, s.Sure)
	}
	if s.Min != -1 || s.Max != 3 || s.Means[2] != 1 || s.SDs[2] != 1.25 || s.Histogram[0] != 1 ||
		s.Histogram[histogramBins-1] != 1 {
		t.Errorf("%+v", s)
	}
}

// The covariance map squares the factor of the covariance, or the standard deviations if it is
// diagonal.
func TestBlocksOfAnInput(t *testing.T) {
	b := full().Amortization.Blocks(0)
	if err := b.Check(); err != nil {
		t.Fatal(err)
	}
	l := math.Log10
	inf := math.Inf(-1)
	want := Symmetric{
		l(1), inf, inf, inf,
		inf, l(4), inf, inf,
		inf, inf, l(4), l(6),
		inf, inf, l(6), l(25),
	}
	if !reflect.DeepEqual(b.Log10, want) || b.Parts[1] != (Part{Group: 1, Size: 2, Cells: 2}) {
		t.Errorf("%+v, want %v", b, want)
	}
}

func TestEffectiveRank(t *testing.T) {
	for _, c := range []struct {
		variances []float64
		want      float64
	}{{[]float64{3, 3, 3}, 3}, {[]float64{5, 0}, 1}, {[]float64{0, 0}, 0}, {[]float64{2, 1}, 9.0 / 5}} {
		if got := EffectiveRank(c.variances); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v: %g, want %g", c.variances, got, c.want)
		}
	}
	for _, c := range []struct {
		rank, variance, seen, seenVariance float64
		want                               bool
	}{{1.95, 1, 2, 1, false}, {1.11, 1, 2, 1, false}, {1.09, 1, 2, 1, true}, {2, 1e-5, 2, 1, true},
		{1, 1, 1, 1, false}, {0, 0, 1, 1, true}, {0, 0, 0, 0, false}, {1.2, 4, 4, 1, true}} {
		if got := RankCollapsed(c.rank, c.variance, c.seen, c.seenVariance); got != c.want {
			t.Errorf("rank %g of %g, variance %g of %g: %v", c.rank, c.seen, c.variance, c.seenVariance, got)
		}
	}
}

func TestSpread(t *testing.T) {
	sorted := make([]float64, 101)
	for i := range sorted {
		sorted[i] = float64(i)
	}
	if got := NewSpread(sorted); got != (Spread{5, 25, 50, 75, 95}) {
		t.Errorf("%v", got)
	}
	if got := NewSpread([]float64{7}); got != (Spread{7, 7, 7, 7, 7}) {
		t.Errorf("%v", got)
	}
	if got := NewSpread(nil); !math.IsNaN(float64(got[2])) {
		t.Errorf("%v", got)
	}
}

// A map with more variables than cells is pooled.
func TestBlocksOfManyOutputs(t *testing.T) {
	const outputs, inducing = 40, 16
	l := AmortizedLayer{Outputs: outputs, Inducing: inducing, Inputs: make([]AmortizedInput, 1)}
	for range outputs {
		sd := make(Rounded, inducing)
		for m := range sd {
			sd[m] = float64(m + 1)
		}
		l.Inputs[0].SD = append(l.Inputs[0].SD, sd)
	}
	b := (&Amortization{Layers: []AmortizedLayer{l}}).Blocks(0)
	if err := b.Check(); err != nil || b.Side() > MaxCells {
		t.Fatalf("side %d, %v", b.Side(), err)
	}
	last := b.Side() - 1
	got := b.At(last, last)
	want := 2 * math.Log10(inducing)
	if got != want || !math.IsInf(b.At(0, last), -1) {
		t.Errorf("the last cell is %g, want the greatest variance %g", got, want)
	}
}
