package bnn

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"dgplab/models/family"
	"dgplab/models/familytest"
	"dgplab/models/predictive"
)

// drawnAt returns draws of the function of the first target by point, [n][count].
func drawnAt(t *testing.T, m family.Model, x *mat.Dense, count int) [][]float64 {
	t.Helper()
	draws, err := m.(family.FunctionSampler).DrawFunctions(x, count, 5)
	if err != nil {
		t.Fatal(err)
	}
	n, _ := x.Dims()
	out := make([][]float64, n)
	for _, d := range draws {
		for i, v := range d[0] {
			out[i] = append(out[i], v)
		}
	}
	return out
}

// checkMoments checks the mean and variance of draws. The tolerance is five standard errors plus
// the relative tolerance more.
func checkMoments(t *testing.T, what string, draws []float64, mean, vr, more float64) {
	t.Helper()
	n := float64(len(draws))
	got, squares := stat.MeanVariance(draws, nil)
	room := math.Sqrt((stat.ExKurtosis(draws, nil)+2)/n)*5 + more
	if math.Abs(got-mean) > (5/math.Sqrt(n)+more)*math.Sqrt(vr) || math.Abs(squares/vr-1) > room {
		t.Errorf("%s: %v with variance %v, want %v, %v", what, got, squares, mean, vr)
	}
}

// Without hidden layers, dropout is a linear model with independent weights that are 0 or w, so the
// mean, variance and covariance between points are known.
func TestDrawnFunctionsWithoutHiddenLayersAndDropout(t *testing.T) {
	m := newTestModel(t, familytest.NewSetting("bnn-dropout", "hidden_layers", "0", "dropout", "0.3"),
		familytest.Wave(30, 1))
	familytest.Steps(t, m, 20)
	net := m.networks.(*dropout).net
	w, bias, keep := net.W[0].Value, net.B[0].Value[0], 0.7
	at := mat.NewDense(2, 2, []float64{1, 0.5, 1.2, -2})
	f := drawnAt(t, m, at, 4000)
	covariance := func(a, b int) (sum float64) {
		for d, v := range w {
			sum += keep * (1 - keep) * v * v * at.At(a, d) * at.At(b, d)
		}
		return sum
	}
	for i := range f {
		mean := bias
		for d, v := range w {
			mean += keep * v * at.At(i, d)
		}
		checkMoments(t, fmt.Sprint("point ", i), f[i], mean, covariance(i, i), 0)
	}
	got := stat.Covariance(f[0], f[1], nil)
	want := covariance(0, 1)
	if math.Abs(got-want) > 0.1*math.Sqrt(covariance(0, 0)*covariance(1, 1)) {
		t.Errorf("covariance %v, want %v", got, want)
	}
}

// Drawn functions have the same value at equal points in different windows and vary little over
// short distances. Their moments at every point agree with predictions.
func TestDrawnFunctions(t *testing.T) {
	for _, s := range append(slices.Clone(forms),
		familytest.NewSetting("bnn-pbp", "start_spread", "1")) {
		outputs := 2
		if s.Family == "bnn-pbp" {
			outputs = 1
		}
		data := familytest.Wave(60, outputs)
		m := familytest.New(t, s.Spec(Families()), data,
			s.With("hidden_width", "15", "batch", "30").Set, 1)
		familytest.Steps(t, m, 40)
		x := mat.NewDense(300, 2, nil)
		for i := range 300 {
			x.SetRow(i, []float64{math.Sin(float64(i)), math.Cos(2 * float64(i))})
		}
		x.SetRow(299, x.RawRowView(0)) // in the second window
		x.SetRow(298, []float64{x.At(0, 0) + 0.02, x.At(0, 1) + 0.01})
		const count = 1500
		f := drawnAt(t, m, x, count)
		if !slices.Equal(f[0], f[299]) {
			t.Errorf("%v: %v and %v at one point", s, f[0][:3], f[299][:3])
		}
		if r := stat.Correlation(f[0], f[298], nil); r < 0.98 {
			t.Errorf("%v: correlation %v of points close together", s, r)
		}
		p, err := m.Predict(x, count, 9)
		if err != nil {
			t.Fatal(err)
		}
		g := *p.(*predictive.Gaussians)
		g.Noise = predictive.SharedNoise(0, g.S, g.P)
		mean := make([]float64, 300*g.P)
		vr := make([]float64, 300*g.P)
		g.Moments(mean, vr)
		more := 5 / math.Sqrt(count) // error of predictions by sampling
		if s.Family == "bnn-pbp" {
			more = 0 // exact with one hidden layer
		}
		for _, i := range []int{0, 1, 2, 298} {
			checkMoments(t, fmt.Sprint(s, " point ", i), f[i], mean[i*g.P], vr[i*g.P], more)
		}
		if again := drawnAt(t, m, x, 2); again[7][1] != f[7][1] || f[7][0] == f[7][1] {
			t.Errorf("%v: drawn again %v, want %v", s, again[7], f[7][:2])
		}
	}
}
