package view

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/viz/golden"
)

// TestDamagedViews compares the errors of views with a few wrong numbers and lengths, and the forms of random
// numbers in files, with recorded checksums.
func TestDamagedViews(t *testing.T) {
	var sums golden.Sums
	r := rand.New(rand.NewPCG(1, 30))
	whole := full()
	whole.Blocks = &Blocks{Parts: []Part{{Size: 3, Cells: 2}, {Group: 1, Size: 1, Cells: 1}},
		Log10: make(Symmetric, 9), Free: [][2]int{{1, 0}}, Draws: 40}
	whole.Fit.Lines[0].Category = categories()
	whole.Fit.Lines[0].Coarse = whole.Fit.Lines[0].Coarse[:2]
	whole.Fit.Inputs = []string{"x", "y", "z"}
	whole.Fit.Categories = []int{1}
	whole.Plane.YCategory = categories()
	whole.Functions.Category = categories()
	text, err := json.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	var parts map[string]any
	if err := json.Unmarshal(text, &parts); err != nil {
		t.Fatal(err)
	}
	names := strings.Fields("blocks functions amortization quadrature prior network passage maps weights " +
		"chains plane fit")
	for _, name := range names {
		w := sums.Group(name)
		for range 300 {
			part := parts[name]
			for range 1 + r.IntN(2) {
				part = damage(part, r)
			}
			text, err := json.Marshal(map[string]any{name: part})
			if err != nil {
				t.Fatal(err)
			}
			var v Views
			err = json.Unmarshal(text, &v)
			if err == nil {
				err = v.Check()
			}
			fmt.Fprintln(w, err, v.Empty())
			if v.Fit != nil && err == nil {
				fmt.Fprintln(w, v.Fit.HoldsNumbers(0), v.Fit.HoldsCategories(0), v.Fit.Held.Size())
			}
			if v.Functions != nil {
				v.Functions.OfFirstLayer(1 + r.IntN(2))
				fmt.Fprintln(w, len(v.Functions.Lines()), v.Functions.Items)
			}
		}
	}
	writeNumbers(t, sums.Group("numbers"), r)
	sums.Check(t, "damaged")
}

// damage returns a copy of a decoded JSON value with one change: an element of a list is missing or there
// twice, or a number is small or negative.
func damage(value any, r *rand.Rand) any {
	switch value := value.(type) {
	case map[string]any:
		out := map[string]any{}
		var names []string
		for name, v := range value {
			out[name] = v
			names = append(names, name)
		}
		if len(names) == 0 {
			return out
		}
		slices.Sort(names)
		name := names[r.IntN(len(names))]
		out[name] = damage(value[name], r)
		return out
	case []any:
		if len(value) == 0 {
			return value
		}
		at := r.IntN(len(value))
		switch r.IntN(4) {
		case 0:
			return slices.Delete(slices.Clone(value), at, at+1)
		case 1:
			return slices.Insert(slices.Clone(value), at, value[at])
		}
		out := slices.Clone(value)
		out[at] = damage(value[at], r)
		return out
	case float64:
		return float64(r.IntN(5) - 1)
	}
	return value
}

// writeNumbers writes lists of numbers with their rounding, matrices and single numbers.
func writeNumbers(t *testing.T, w io.Writer, r *rand.Rand) {
	t.Helper()
	encode := func(v any) {
		text, err := json.Marshal(v)
		fmt.Fprintln(w, string(text), err)
	}
	for range 300 {
		shift := math.Pow(10, float64(r.IntN(9)))
		list := make(Rounded, r.IntN(5))
		for i := range list {
			list[i] = float64(r.IntN(2))*shift + r.Float64()
			switch r.IntN(20) {
			case 0:
				list[i] = math.NaN()
			case 1:
				list[i] = math.Inf(1)
			case 2:
				list[i] = 0
			}
		}
		encode(list)
		n := r.IntN(4)
		matrix := make(Symmetric, n*n)
		for i := range matrix {
			matrix[i] = math.Round(1e3*r.NormFloat64())/1e3 + 0.0003
		}
		encode(matrix)
		encode(Float(r.Float64() * shift))
		var back Symmetric
		text := strings.Replace("[[1],[2,3],[null,4,5]]", fmt.Sprint(r.IntN(9)), "", 1)
		fmt.Fprintln(w, json.Unmarshal([]byte(text), &back), back)
	}
}

// TestRandomSummaries compares summaries of random numbers with recorded ones.
func TestRandomSummaries(t *testing.T) {
	var d golden.Digest
	r := rand.New(rand.NewPCG(2, 30))
	normals := func(n int, scale float64) []float64 {
		list := make([]float64, n)
		for i := range list {
			list[i] = scale * r.NormFloat64()
		}
		return list
	}
	d.Begin("summaries")
	for range 60 {
		scale := math.Exp(3 * r.NormFloat64())
		list := normals(1+r.IntN(30), scale)
		spread := NewWeightsSpread(list, slices.Repeat([]float64{scale}, len(list)))
		addFloats(&d, "weights", spread.RMS, spread.Sure, spread.Min, spread.Max)
		addFloats(&d, "weights", spread.Means[:]...)
		addFloats(&d, "weights", spread.SDs[:]...)
		addCounts(&d, "histograms", spread.Histogram)
		empty := NewSpread(nil)
		addFloats(&d, "weights", empty[:]...)
		variances := normals(1+r.IntN(4), scale)
		for i := range variances {
			variances[i] *= variances[i] * float64(r.IntN(2))
		}
		d.AddNumbers("ranks", EffectiveRank(variances))
		rank := 1 + r.Float64()
		if RankCollapsed(rank, scale, 1+3*r.Float64(), float64(r.IntN(3))*1e3) {
			d.AddNumbers("ranks", rank)
		}
		addUnits(&d, r, normals)
		addPool(&d, r, normals)
		addAmortization(&d, r, normals)
		signal := NetworkPoint{Signal: []Rounded{{2, 0.5}, {0.5, r.Float64()}}}
		for _, row := range signal.Correlations(r.Float64()) {
			d.AddNumbers("correlations", row...)
		}
		moments := MatchedMoments{SD: Float(r.Float64()), SampleSD: Float(r.Float64())}
		d.AddNumbers("ratios", moments.Ratio())
	}
	d.Check(t, "summaries")
}

// addFloats and addCounts add numbers of other types.
func addFloats(d *golden.Digest, name string, list ...Float) {
	for _, v := range list {
		d.AddNumbers(name, float64(v))
	}
}

func addCounts(d *golden.Digest, name string, list []int) {
	for _, v := range list {
		d.AddNumbers(name, float64(v))
	}
}

// addUnits adds summaries of units, some of which follow their mean function or are constant.
func addUnits(d *golden.Digest, r *rand.Rand, normals func(n int, scale float64) []float64) {
	const points, gps = 12, 3
	mean := normals(points*gps, 1)
	f := slices.Clone(mean)
	for k := range gps {
		scale := []float64{0, 1e-3, 0.05, 1, 10}[r.IntN(5)]
		for i, v := range normals(points, scale) {
			f[k*points+i] += v
			if scale == 10 {
				f[k*points+i] = 3
			}
		}
	}
	var u Units
	u.Describe(f, mean, gps)
	for k, unit := range u.Units {
		addFloats(d, "units", unit.Mean, unit.SD, unit.Min, unit.Max, unit.Share)
		addCounts(d, "histograms", unit.Histogram)
		if unit.Collapsed {
			d.AddNumbers("collapsed", float64(k+1))
		}
		d.AddNumbers("correlations", u.Correlation[k]...)
	}
}

// addPool adds a map of random blocks, some of which are zero.
func addPool(d *golden.Digest, r *rand.Rand, normals func(n int, scale float64) []float64) {
	var parts []Part
	for k := range 1 + r.IntN(4) {
		parts = append(parts, Part{Group: k / 2, Index: k % 2, Size: 1 + r.IntN(6)})
	}
	p := NewPool(parts, 1+r.IntN(20))
	for i := range parts {
		for j := range i + 1 {
			rows, cols := parts[i].Size, parts[j].Size
			p.Enter(i, j, blas64.General{Rows: rows, Cols: cols, Stride: cols,
				Data: normals(rows*cols, float64(r.IntN(2)))})
		}
	}
	b := p.Blocks()
	b.Draws = r.IntN(3)
	d.AddNumbers("blocks", b.Log10...)
	d.AddNumbers("blocks", float64(b.Side()), b.Noise(), b.At(b.Side()-1, 0), float64(len(b.Free)))
}

// addAmortization adds the covariance map of an input.
func addAmortization(d *golden.Digest, r *rand.Rand, normals func(n int, scale float64) []float64) {
	var a Amortization
	for range 1 + r.IntN(3) {
		layer := AmortizedLayer{Outputs: 1 + r.IntN(2), Inducing: []int{1, 3, 60, 150}[r.IntN(4)]}
		in := AmortizedInput{}
		m := layer.Inducing
		packed := r.IntN(2) == 0
		for range layer.Outputs {
			in.SD = append(in.SD, normals(m, 1))
			if packed {
				in.Factor = append(in.Factor, normals(m*(m+1)/2, 1))
			}
		}
		layer.Inputs = []AmortizedInput{in}
		a.Layers = append(a.Layers, layer)
	}
	b := a.Blocks(0)
	for k := 0; k < len(b.Log10); k += 1 + len(b.Log10)/60 {
		d.AddNumbers("amortized blocks", b.Log10[k])
	}
}
