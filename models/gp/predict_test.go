package gp

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/autodiff"
	"dgplab/models/familytest"
	"dgplab/models/kernel"
	"dgplab/models/linalg"
	"dgplab/models/oracletest"
)

// predictions returns the moments of f at x [n][D].
func predictions(t *testing.T, g *graph, x []float64) (mean, variance []float64) {
	t.Helper()
	if err := g.tape.Forward(); err != nil {
		t.Fatal(err)
	}
	n := len(x) / g.z.Cols
	mean = make([]float64, n*g.y.Rows)
	variance = make([]float64, n)
	g.predict(mean, variance, x)
	return mean, variance
}

// covariance returns k(a, b), [rows of a][rows of b].
func (c problem) covariance(t *testing.T, a, b []float64) *mat.Dense {
	rows := len(a) / c.d
	columns := len(b) / c.d
	transposed := make([]float64, len(b))
	out := make([]float64, rows*columns)
	linalg.Transpose(transposed, b, columns, c.d)
	k := kernel.NewCovariance(autodiff.NewTape(), familytest.Kernel(t, c.kernel, c.d), 1, true)
	k.Start(c.start.variance, func(d int) float64 { return c.start.lengthscales[d] })
	k.Kuf(out, 0, a, transposed)
	return mat.NewDense(rows, columns, out)
}

// The exact prediction equals K_*N C^-1 y and K_** - K_*N C^-1 K_N*, computed with an explicit
// inverse.
func TestExactPredictionMatchesDefinition(t *testing.T) {
	c := randomProblem("matern32", 20, 2, 2, 1)
	x := randomProblem("rbf", 300, 2, 1, 1).x // more than one tile
	mean, variance := predictions(t, c.graph(t, "gp"), x)

	covariance := c.covariance(t, c.x, c.x)
	cross := c.covariance(t, x, c.x)
	for i := range c.n {
		covariance.Set(i, i, covariance.At(i, i)+c.start.noise)
	}
	var inverse, weights, wantMean, wantCov mat.Dense
	if err := inverse.Inverse(covariance); err != nil {
		t.Fatal(err)
	}
	weights.Mul(cross, &inverse)
	wantMean.Mul(&weights, mat.NewDense(c.n, c.p, c.y))
	wantCov.Mul(&weights, cross.T())
	oracletest.Close(t, "mean", mean, wantMean.RawMatrix().Data, 1e-10)
	for i := range variance {
		oracletest.Close(t, "variance", variance[i:i+1],
			[]float64{c.start.variance - wantCov.At(i, i)}, 1e-10)
	}
}

// If the inducing inputs are the data, sparse predictions equal exact ones.
func TestSparsePredictionsAreExactWithDataAsInducingInputs(t *testing.T) {
	c := randomProblem("matern52", 15, 3, 2, 15)
	c.start.z, c.jitter = c.x, 0
	x := randomProblem("rbf", 40, 3, 1, 1).x
	wantMean, wantVariance := predictions(t, c.graph(t, "gp"), x)
	for _, family := range []string{"sgpr", "fitc"} {
		mean, variance := predictions(t, c.graph(t, family), x)
		oracletest.Close(t, family+" mean", mean, wantMean, 1e-8)
		oracletest.Close(t, family+" variance", variance, wantVariance, 1e-8)
	}
}

// Far from the data, the prediction equals the prior.
func TestPredictionFarFromData(t *testing.T) {
	c := randomProblem("rbf", 10, 1, 1, 4)
	for family := range recordings {
		mean, variance := predictions(t, c.graph(t, family), []float64{1e3})
		oracletest.Close(t, family, []float64{mean[0], variance[0]}, []float64{0, c.start.variance}, 1e-12)
	}
}
