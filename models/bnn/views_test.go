package bnn

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
	"dgplab/models/familytest"
	"dgplab/models/predictive"
	"dgplab/models/stats"
	"dgplab/models/view"
)

// checkViews returns the views of m. It checks that functions along the first line agree with
// predictions, with a mean deviation of at most share standard deviations.
func checkViews(t *testing.T, m family.Model, data family.Data, share float64) view.Views {
	t.Helper()
	v, err := m.(family.Viewer).Views(3)
	if err != nil {
		t.Fatal(err)
	}
	if err := v.Check(); err != nil {
		t.Error(err)
	}
	f := v.Functions
	if len(f.Lines()) != 2 || f.Input != 0 { // the input with the largest effect comes first
		t.Fatalf("%d lines, the first along input %d", len(f.Lines()), f.Input)
	}
	line := data.Line([]float64{1, 2})
	p, err := m.Predict(mat.NewDense(len(line.Grid), 2, line.Points), 200, 9)
	if err != nil {
		t.Fatal(err)
	}
	g := p.(*predictive.Gaussians)
	g.Noise = predictive.SharedNoise(0, g.S, g.P)
	mean := make([]float64, g.N*g.P)
	vr := make([]float64, g.N*g.P)
	g.Moments(mean, vr)
	var off float64
	for i := range f.Grid {
		for k, item := range f.Items {
			sd := math.Sqrt(vr[i*g.P+k])
			off += (math.Abs(item.Mean[i]-mean[i*g.P+k]) + math.Abs(item.SD[i]-sd)) / sd
		}
	}
	off /= float64(2 * len(f.Grid) * len(f.Items))
	if off > share {
		t.Errorf("functions are %.2g standard deviations from predictions on the average, want %.2g",
			off, share)
	}
	return v
}

// Views are consistent, and functions along the inputs agree with predictions.
func TestViews(t *testing.T) {
	data := familytest.Wave(60, 2)
	for _, s := range forms {
		m := newTestModel(t, s, data)
		familytest.Steps(t, m, 200)
		// Means of 64 draws are off by sqrt(2/(64 pi)) = 0.1 standard deviations on average, means
		// of 200 draws by 0.06, and standard deviations by less.
		v := checkViews(t, m, data, 0.2)
		for l, layer := range v.Weights.Layers {
			if layer.Inputs != m.predictors.sizes[l] || layer.Units != m.predictors.sizes[l+1] {
				t.Errorf("%v: layer %d has %d inputs and %d units", s, l, layer.Inputs, layer.Units)
			}
		}
	}
}

// Views of functions agree with predictions up to rounding error, and the weights are the factors
// that multiply the inputs of a layer.
func TestViewsOfTheFilter(t *testing.T) {
	data := familytest.Wave(60, 1)
	m := newFilter(t, data, map[string]string{"batch": "60"})
	familytest.Steps(t, m, 5)
	checkViews(t, m, data, 1e-12)
	first := m.p.moments()[0]
	m.p.forward([]float64{2, -1})
	if got := first.biasMean[3] + 2*first.mean[6] -
		first.mean[7]; math.Abs(got-m.p.layers[0].outMean[3]) > 1e-14 {
		t.Errorf("unit 4 has the mean %v, want %v", got, m.p.layers[0].outMean[3])
	}
	if got := first.biasSD[3]*first.biasSD[3] + 4*first.sd[6]*first.sd[6] +
		first.sd[7]*first.sd[7]; math.Abs(got-m.p.layers[0].outVar[3]) > 1e-14 {
		t.Errorf("unit 4 has the variance %v, want %v", got, m.p.layers[0].outVar[3])
	}
}

// The moments of masked weights agree with sampled masks.
func TestMomentsOfMaskedWeights(t *testing.T) {
	m := newTestModel(t, familytest.NewSetting("bnn-dropout", "dropout", "0.3"), familytest.Wave(30, 1))
	of := m.networks.moments()[0]
	streams := stats.NewStreams(1, "test")
	p := m.predictors.at(1)
	const draws = 4000
	sum := make([]float64, len(of.mean))
	squares := make([]float64, len(of.mean))
	for s := range draws {
		m.networks.sample(p, streams.At(uint64(s)), false)
		for i, w := range p.net.W[0].Value {
			w *= p.masks[0].Value[i%p.masks[0].Rows]
			sum[i] += w / draws
			squares[i] += w * w / draws
		}
	}
	for i, mean := range of.mean {
		if math.Abs(sum[i]-mean) > 4*of.sd[i]/math.Sqrt(draws)+1e-12 ||
			math.Abs(math.Sqrt(squares[i]-sum[i]*sum[i])-of.sd[i]) > 0.05*of.sd[i]+1e-9 {
			t.Fatalf("weight %d has moments %v, %v, want %v, %v",
				i, sum[i], math.Sqrt(squares[i]-sum[i]*sum[i]), mean, of.sd[i])
		}
	}
}
