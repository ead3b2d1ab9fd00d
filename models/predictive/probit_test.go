package predictive

import (
	"math"
	"testing"
)

func phi(z float64) float64 { return 0.5 * math.Erfc(-z/math.Sqrt2) }

func TestClasses(t *testing.T) {
	// The ratios m/sqrt(1+v) of the two components are 0.5 and 1, -1 and 0, and 60 and 50, with
	// weights 1/4 and 3/4.
	m := &Probit{S: 2, N: 4, Weights: []float64{0.25, 0.75},
		Mean: []float64{1, -2, 120, 9, 2, 0, 100, 9}, Var: []float64{3, 3, 3, 3, 3, 3, 3, 3}}
	want := []float64{0.25*phi(0.5) + 0.75*phi(1), 0.25*phi(-1) + 0.75*phi(0), 1}
	prob := make([]float64, 8)
	m.Probabilities(prob)
	for n, q := range want {
		if math.Abs(prob[2*n+1]-q) > 1e-15 || prob[2*n]+prob[2*n+1] != 1 {
			t.Errorf("point %d: probabilities %v, want %v", n, prob[2*n:2*n+2], q)
		}
	}
	y := []float64{1, 1, -1, math.NaN()}
	s := Score(m, y, []float64{1})
	// In the far tail, the second component has all the mass: log 0.75 + log Phi(-50), and log
	// Phi(-z) = -z^2/2 - log(z sqrt(2 pi)) + log(1 - 1/z^2 + 3/z^4 - ...).
	tail := math.Log(0.75) - 1250 - math.Log(50*math.Sqrt(2*math.Pi)) + math.Log1p(-1.0/2500+3.0/6250000)
	logLik := (math.Log(want[0]) + math.Log(want[1]) + tail) / 3
	if math.Abs(s.LogLik-logLik) > 1e-8 || s.LogLoss != -s.LogLik || s.NLL != -s.LogLik || s.N != 3 {
		t.Errorf("%d points, log-likelihood %v (loss %v), want %v", s.N, s.LogLik, s.LogLoss, logLik)
	}
	if math.Abs(s.ErrorRate-2.0/3) > 1e-15 || math.Abs(s.Accuracy-1.0/3) > 1e-15 {
		t.Errorf("error rate %v, accuracy %v", s.ErrorRate, s.Accuracy)
	}
	if !math.IsNaN(s.RMSE) || !math.IsNaN(s.CRPS) || !math.IsNaN(s.Coverage[0]) {
		t.Error("classes have scores of regression")
	}
}

// table is a prediction of several classes.
type table [][]float64

func (c table) Dims() (n, p int) { return len(c), 1 }
func (c table) Classes() int     { return len(c[0]) }
func (c table) LogDensity(dst, y []float64) {
	for n, row := range c {
		dst[n] = math.Log(row[int(y[n])])
	}
}
func (c table) Probabilities(dst []float64) {
	for n, row := range c {
		copy(dst[n*len(row):], row)
	}
}

func TestScoresOfSeveralClasses(t *testing.T) {
	c := table{{0.2, 0.5, 0.3}, {0.1, 0.1, 0.8}, {0.4, 0.4, 0.2}}
	s := Score(c, []float64{1, 0, 1}, nil)
	if want := (math.Log(0.5) + math.Log(0.1) + math.Log(0.4)) / 3; s.LogLik != want || s.ErrorRate != 1.0/3 {
		t.Errorf("log-likelihood %v, want %v; error rate %v", s.LogLik, want, s.ErrorRate)
	}
}
