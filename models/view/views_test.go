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
	packed.Mean = []Rounded{row(0, 1)}
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
		Fit: &Fit{Targets: []string{"y"}, Levels: []float64{0.5}, At: []Rounded{row(3)},
			Inputs: []string{"x"}, Samples: 4,
			Lines: []FitLine{{Name: "x", Grid: row(0, 1), Slices: [][]Fitted{{fitted(2)}},
				Draws: [][]Rounded{{row(1, 2)}}, Coarse: row(0, 0.5, 1),
				Densities:  []Density{{Y: row(0, 1), Values: row(0.1, 0.2, 0.3, 0.4)}},
				Dependence: []Dependence{{Mean: row(1, 2, 3), Lo: row(0, 1, 2), Hi: row(2, 3, 4)}}}},
			Train: FitPoints{Name: "training points", X: []Rounded{row(1, 2)}, Y: []Rounded{row(3, 4)},
				Total: 9},
			Held: FitPoints{Name: "test points", X: []Rounded{row(1, 2, 3)}, Y: []Rounded{row(4, 5, 6)},
				Total: 3},
			Predicted: []Fitted{fitted(3)}},
	}
}

// categories returns a category with two levels.
func categories() *Category { return &Category{Names: []string{"a", "b"}, Counts: []int{1, 2}} }

// fitted returns predictions at n points.
func fitted(n int) Fitted {
	f := Fitted{Mean: make(Rounded, n)}
	for range FitLevels {
		f.Quantiles = append(f.Quantiles, make(Rounded, n))
	}
	return f
}

// cut removes the last element of a list.
func cut[S ~[]E, E any](list *S) { *list = (*list)[:len(*list)-1] }

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

// TestInconsistentViews corrupts each number and length that Check compares. Each case lists the
// changes that cause the same error.
func TestInconsistentViews(t *testing.T) {
	type list = []func(v *Views)
	for want, spoils := range map[string]list{
		"layer 2 has inducing points for 0 inputs, layer 1 for 1": {
			func(v *Views) { cut(&v.Amortization.Layers[1].Inputs) }},
		"layer 1 has inducing points for 1 inputs, layer 1 for 1": {
			func(v *Views) { cut(&v.Amortization.Layers[0].SeenX) },
			func(v *Views) { cut(&v.Amortization.Layers[0].SeenY) }},
		"input 1 does not have 2 inducing points and 1 outputs in layer 2": {
			func(v *Views) { cut(&v.Amortization.Layers[1].Inputs[0].ZX) },
			func(v *Views) { cut(&v.Amortization.Layers[1].Inputs[0].ZY) },
			func(v *Views) { cut(&v.Amortization.Layers[1].Inputs[0].Mean) },
			func(v *Views) { cut(&v.Amortization.Layers[1].Inputs[0].SD) },
			func(v *Views) { cut(&v.Amortization.Layers[1].Inputs[0].Factor) },
			func(v *Views) { cut(&v.Amortization.Layers[1].Inputs[0].Mean[0]) },
			func(v *Views) { cut(&v.Amortization.Layers[1].Inputs[0].SD[0]) },
			func(v *Views) { cut(&v.Amortization.Layers[1].Inputs[0].Factor[0]) }},
		"output 1 of layer 1 has 2 points but 1 weights": {
			func(v *Views) { cut(&v.Quadrature.Weights) }},
		"output 1 of layer 1 has 1 points but 2 weights": {
			func(v *Views) { cut(&v.Quadrature.Layers[0].Points[0]) }},
		"a curve of the k prior at depth 1 has 2 values on a grid of 1": {
			func(v *Views) { cut(&v.Prior.Grid) }},
		"a curve of the k prior at depth 2 has 1 values on a grid of 2": {
			func(v *Views) { cut(&v.Prior.Kinds[0].Depths[1][0]) }},
		`function "f" has 1 means and 2 standard deviations on a grid of 2`: {
			func(v *Views) { cut(&v.Functions.Items[0].Mean) }},
		`function "f" has 2 means and 1 standard deviations on a grid of 2`: {
			func(v *Views) { cut(&v.Functions.Items[0].SD) }},
		`function "f" has 1 means and 1 standard deviations on a grid of 0`: {
			func(v *Views) { cut(&v.Functions.Others[0].Grid) }},
		"there are 0 functions along input 1, 1 along input 2": {
			func(v *Views) { cut(&v.Functions.Others[0].Items) }},
		"does not have the weights and covariances of 2 outputs and 1 latent functions": {
			func(v *Views) { cut(&v.Network.Points[0].Weights) },
			func(v *Views) { cut(&v.Network.Points[0].Weights[1]) },
			func(v *Views) { cut(&v.Network.Points[0].Signal) },
			func(v *Views) { cut(&v.Network.Points[0].Signal[1]) },
			func(v *Views) { cut(&v.Network.Average.Weights) },
			func(v *Views) { cut(&v.Network.Average.Signal[0]) }},
		"a point of the network has 0 inputs, want 1": {
			func(v *Views) { cut(&v.Network.Points[0].X) }},
		"row 3 has moments of 0 GPs, want 1": {
			func(v *Views) { cut(&v.MomentMatching.Points[0].Moments) }},
		"row 3 has moments of 1 GPs, want 0":                {func(v *Views) { cut(&v.MomentMatching.GPs) }},
		"the map of GP 3 of layer 2: 0 inputs with 2 names": {func(v *Views) { v.Maps.GPs[0].Axes = nil }},
		"the map of GP 3 of layer 2: 3 inputs with 2 names": {
			func(v *Views) { v.Maps.GPs[0].Axes = append(v.Maps.GPs[0].Axes, 3) }},
		"the map of GP 3 of layer 2: 2 inputs with 1 names": {func(v *Views) { cut(&v.Maps.GPs[0].Names) }},
		"the map of GP 3 of layer 2: 2 inputs with 2 names": {
			func(v *Views) { cut(&v.Maps.GPs[0].Data) },
			func(v *Views) { cut(&v.Maps.GPs[0].Inducing) },
			func(v *Views) { cut(&v.Maps.GPs[0].Y) }},
		"the map of GP 3 of layer 2: 3 inputs with 3 names": {
			func(v *Views) {
				m := &v.Maps.GPs[0]
				m.Axes, m.Names = []int{0, 1, 2}, []string{"a", "b", "c"}
				m.Data, m.Inducing, m.Y = make([]Rounded, 3), make([]Rounded, 3), nil
			}},
		"2 means and 2 standard deviations on a grid of 4": {
			func(v *Views) { v.Maps.GPs[0].Y = Rounded{1, 2} }},
		"2 means and 2 standard deviations on a grid of 1": {func(v *Views) { cut(&v.Maps.GPs[0].X) }},
		"1 means and 2 standard deviations on a grid of 2": {func(v *Views) { cut(&v.Maps.GPs[0].Mean) }},
		"2 means and 1 standard deviations on a grid of 2": {func(v *Views) { cut(&v.Maps.GPs[0].SD) }},
		"1 and 2 points along input 1": {
			func(v *Views) { v.Maps.GPs[0].Inducing[0] = Rounded{1, 2} }},
		"0 and 1 points along input 2": {func(v *Views) { cut(&v.Maps.GPs[0].Data[1]) }},
		"1 and 1 points along input 1": {
			func(v *Views) { cut(&v.Maps.GPs[0].Out) },
			func(v *Views) { cut(&v.Maps.GPs[0].Strength) }},
		"layer 1 of the network has 0 inputs and 1 units": {
			func(v *Views) { v.Weights.Layers[0].Inputs = 0 }},
		"layer 1 of the network has 2 inputs and 0 units": {
			func(v *Views) { v.Weights.Layers[0].Units = 0 }},
		`"noise" has draws of 1 chains, every 20, want 2`: {
			func(v *Views) { cut(&v.Chains.Quantities[0].Kept.Draws) }},
		`"noise" has draws of 2 chains, every 20, want 2`: {
			func(v *Views) { cut(&v.Chains.Quantities[0].Kept.Autocorrelation) },
			func(v *Views) { cut(&v.Chains.Quantities[0].Kept.Ranks) }},
		`"noise" has draws of 2 chains, every 0, want 2`: {
			func(v *Views) { v.Chains.Quantities[0].Kept.Every = 0 }},
		`"noise" has draws of 0 chains, every 1, want 0`: {func(v *Views) {
			v.Chains.Chains, v.Chains.Quantities[0].Kept = 0, &ChainDraws{Every: 1}
		}},
		`the chains of "noise" have kept different numbers of draws`: {
			func(v *Views) { cut(&v.Chains.Quantities[0].Kept.Draws[1]) },
			func(v *Views) { cut(&v.Chains.Quantities[0].Kept.Autocorrelation[1]) },
			func(v *Views) { cut(&v.Chains.Quantities[0].Kept.Ranks[1]) }},
		`"f" has 3 values on a grid of 2 x 2`: {func(v *Views) { cut(&v.Plane.Fields[0].Values) }},
		`"f" has 2 values on a grid of 1 x 2`: {func(v *Views) {
			cut(&v.Plane.X)
			v.Plane.Fields[0].Values = Rounded{1, 2}
		}},
		`"f" has 2 values on a grid of 2 x 1`: {func(v *Views) {
			cut(&v.Plane.Y)
			v.Plane.Fields[0].Values = Rounded{1, 2}
		}},
		`points "+1" have 0 and 1 coordinates`:    {func(v *Views) { cut(&v.Plane.Points[0].X) }},
		"the fit has 0 targets, 1 inputs and 1 l": {func(v *Views) { cut(&v.Fit.Targets) }},
		"1 targets, 0 inputs and 1 levels":        {func(v *Views) { cut(&v.Fit.Lines) }},
		"1 targets, 1 inputs and 0 levels":        {func(v *Views) { cut(&v.Fit.Levels) }},
		"the fit has 1 levels and 0 positions":    {func(v *Views) { cut(&v.Fit.At) }},
		"positions of the fit: 0 numbers, want 1": {func(v *Views) { cut(&v.Fit.At[0]) }},
		"training points of the fit: there are 0 targets and 1 inputs": {
			func(v *Views) { cut(&v.Fit.Train.Y) }},
		"test points of the fit: there are 1 targets and 0 inputs": {func(v *Views) { cut(&v.Fit.Held.X) }},
		"training points of the fit: 2 numbers, want 1": {
			func(v *Views) { cut(&v.Fit.Train.Y[0]) }},
		"test points of the fit: 2 numbers, want 3": {func(v *Views) { cut(&v.Fit.Held.X[0]) }},
		"predictions of the fit at the test points: there are predictions of 0 targets, want 1": {
			func(v *Views) { cut(&v.Fit.Predicted) }},
		"predictions of the fit at the test points: 3 quantiles, want 4": {
			func(v *Views) { cut(&v.Fit.Predicted[0].Quantiles) }},
		"predictions of the fit at the test points: 2 numbers, want 3": {
			func(v *Views) { cut(&v.Fit.Predicted[0].Quantiles[3]) },
			func(v *Views) { cut(&v.Fit.Predicted[0].Mean) }},
		"fit along x: there are 2 grid points, 1 names and 2 counts of levels": {
			func(v *Views) {
				v.Fit.Lines[0].Category = categories()
				cut(&v.Fit.Lines[0].Category.Names)
			}},
		"fit along x: there are 2 grid points, 2 names and 1 counts of levels": {
			func(v *Views) {
				v.Fit.Lines[0].Category = categories()
				cut(&v.Fit.Lines[0].Category.Counts)
			}},
		"fit along x: there are 2 grid points, 2 names and 2 counts of levels": {
			func(v *Views) { v.Fit.Lines[0].Category = categories() }}, // Coarse has three points
		"2 levels have 1 names and 2 counts": {
			func(v *Views) {
				v.Functions.Category = categories()
				cut(&v.Functions.Category.Names)
			}},
		"2 levels have 2 names and 1 counts": {
			func(v *Views) {
				v.Functions.Category = categories()
				cut(&v.Functions.Category.Counts)
			}},
		"there are 2 names and 1 counts of 2 levels": {
			func(v *Views) {
				v.Plane.XCategory = categories()
				cut(&v.Plane.XCategory.Counts)
			},
			func(v *Views) {
				v.Plane.YCategory = categories()
				cut(&v.Plane.YCategory.Counts)
			}},
		"there are 1 names and 2 counts of 2 levels": {
			func(v *Views) {
				v.Plane.XCategory = categories()
				cut(&v.Plane.XCategory.Names)
			},
			func(v *Views) {
				v.Plane.YCategory = categories()
				cut(&v.Plane.YCategory.Names)
			}},
		"fit along x: there are 0 levels and 2 grid points": {func(v *Views) { cut(&v.Fit.Lines[0].Slices) }},
		"fit along x: there are 1 levels and 1 grid points": {func(v *Views) { cut(&v.Fit.Lines[0].Grid) }},
		"fit along x: there are predictions of 0 targets, want 1": {
			func(v *Views) { cut(&v.Fit.Lines[0].Slices[0]) }},
		"fit along x: there are draws of 0 targets and dependences of 1": {
			func(v *Views) { cut(&v.Fit.Lines[0].Draws) }},
		"fit along x: there are densities of 0 targets": {
			func(v *Views) { v.Fit.Lines[0].Densities = []Density{} }},
		"fit along x: a density has 3 values in 2 cells at 2 points": {
			func(v *Views) { cut(&v.Fit.Lines[0].Densities[0].Values) }},
		"fit along x: there are draws of 1 targets and dependences of 0": {
			func(v *Views) { cut(&v.Fit.Lines[0].Dependence) }},
		"fit along x: 1 numbers, want 2": {func(v *Views) { cut(&v.Fit.Lines[0].Draws[0][0]) }},
		"fit along x: 2 numbers, want 3": {
			func(v *Views) { cut(&v.Fit.Lines[0].Dependence[0].Mean) },
			func(v *Views) { cut(&v.Fit.Lines[0].Dependence[0].Lo) },
			func(v *Views) { cut(&v.Fit.Lines[0].Dependence[0].Hi) }},
		"fit along x: 3 numbers, want 2": {func(v *Views) { cut(&v.Fit.Lines[0].Coarse) }},
	} {
		for k, spoil := range spoils {
			v := full()
			spoil(&v)
			if err := v.Check(); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("change %d: %v, want %q", k, err, want)
			}
		}
	}
}

// Optional parts may be absent.
func TestOptionalParts(t *testing.T) {
	v := full()
	v.Fit.Lines[0].Draws, v.Fit.Lines[0].Dependence, v.Fit.Lines[0].Coarse = nil, nil, nil
	v.Fit.Predicted[0].Quantiles = nil
	v.Amortization.Layers[1].Inputs[0].Factor = nil
	v.Chains.Quantities[0].Kept = nil
	v.Maps.GPs[0] = Map{Axes: []int{0}, Names: []string{"a"}, X: Rounded{0, 1}, Mean: Rounded{1, 2},
		SD: Rounded{3, 4}, Data: []Rounded{nil}, Inducing: []Rounded{nil}}
	if err := v.Check(); err != nil {
		t.Error(err)
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

// Two units have opposite curves: the first follows its mean function except at one sample, and the
// second does not. A third unit is constant.
func TestDescribeUnits(t *testing.T) {
	f := []float64{0, 1, 2, 5, 3, 2, 1, 0, 7, 7, 7, 7}
	mean := []float64{0, 1, 2, 3, 0, 0, 0, 0, 7, 7, 7, 7}
	var u Units
	u.Describe(f, mean, 3)
	// The first unit deviates by (0, 0, 0, 2), with variance 0.75; its mean function has variance
	// 1.25.
	first, second, third := u.Units[0], u.Units[1], u.Units[2]
	if first.Mean != 2 || first.Min != 0 || first.Max != 5 ||
		math.Abs(float64(first.SD)-math.Sqrt(3.5)) > 1e-15 ||
		math.Abs(float64(first.Share)-0.375) > 1e-15 || first.Collapsed {
		t.Errorf("first unit %+v", first)
	}
	if bins := first.Histogram; len(bins) != histogramBins || bins[0] != 1 || bins[4] != 1 || bins[9] != 1 ||
		bins[histogramBins-1] != 1 {
		t.Errorf("histogram %v", bins)
	}
	if second.Share != 1 || second.Collapsed || second.Max != 3 {
		t.Errorf("second unit %+v", second)
	}
	if third.Share != 0 || !third.Collapsed || third.Histogram[0] != 4 {
		t.Errorf("third unit %+v", third)
	}
	correlation := -8 / math.Sqrt(14*5)
	for r, want := range [][]float64{{1, correlation, 0}, {correlation, 1, 0}, {0, 0, 1}} {
		for c, w := range want {
			if math.Abs(u.Correlation[r][c]-w) > 1e-15 {
				t.Errorf("correlations %v, want %v", u.Correlation[r], want)
			}
		}
	}
	// The variance of the deviations is small relative to the mean function, or small absolutely.
	for _, c := range []struct {
		size, own float64
		want      bool
	}{{1, 0.02, false}, {1, 0.009, true}, {0, 0.0011, false}, {0, 0.0009, true}} {
		unit := describe([]float64{c.size + c.own, -c.size + c.own, c.size - c.own, -c.size - c.own},
			[]float64{c.size, -c.size, c.size, -c.size})
		if unit.Collapsed != c.want {
			t.Errorf("deviation %g from a mean function of size %g: collapsed %v",
				c.own, c.size, unit.Collapsed)
		}
	}
}

func TestFunctionsAlongALine(t *testing.T) {
	l := Line{Column: Column{Input: 3}, Grid: []float64{0, 1}}
	one := l.Functions([]float64{1, 2}, []float64{4, 9})
	want := []Function{{Name: "f", Mean: Rounded{1, 2}, SD: Rounded{2, 3}}}
	if !reflect.DeepEqual(one.Items, want) ||
		one.Input != 3 || len(one.Grid) != 2 {
		t.Errorf("one function: %+v", one)
	}
	two := l.Functions([]float64{1, 2, 3, 4}, []float64{1, 4, 9, 16})
	if want := []Function{{Name: "f 1", Mean: Rounded{1, 3}, SD: Rounded{1, 3}},
		{Name: "f 2", Mean: Rounded{2, 4}, SD: Rounded{2, 4}}}; !reflect.DeepEqual(two.Items, want) {
		t.Errorf("two functions: %+v", two)
	}
}

func TestDerivedNumbers(t *testing.T) {
	if r := (MatchedMoments{SD: 3, SampleSD: 2}).Ratio(); r != 1.5 {
		t.Errorf("ratio %g", r)
	}
	for draws, want := range map[int]float64{0: 0, 100: 0.2} {
		if got := (&Blocks{Draws: draws}).Noise(); got != want {
			t.Errorf("noise of %d draws is %g", draws, got)
		}
	}
	if n := (&FitPoints{}).Size(); n != 0 {
		t.Errorf("%d points", n)
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
