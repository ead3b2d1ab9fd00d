package gibbs

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"dgplab/models/familytest"
	"dgplab/models/stats"
)

// higdon is the second example of deepgp (help page of fit_three_layer): a wave with a ripple, followed by a
// line (Higdon, "Space and space-time modeling using process convolutions", 2002).
func higdon(x float64) float64 {
	if x > 0.48 {
		return 2*x - 1
	}
	return 2*math.Sin(4*math.Pi*x) + 0.4*math.Cos(16*math.Pi*x)
}

// higdonData returns n standardised targets with a noise of 0.05 at inputs in [0, 1], and their mean and
// standard deviation.
func higdonData(n int) (x, y []float64, mean, sd float64) {
	r := stats.Stream(7, "noise", 0)
	targets := mat.NewDense(n, 1, nil)
	for i := range n {
		x = append(x, float64(i)/float64(n-1))
		targets.Set(i, 0, higdon(x[i])+0.05*r.NormFloat64())
	}
	mean, sd = moments(targets)
	for _, v := range targets.RawMatrix().Data {
		y = append(y, (v-mean)/sd)
	}
	return x, y, mean, sd
}

// summary returns the logarithms of the nugget and of theta, followed by the means and second moments of the
// predictions at the points.
func summary(t *testing.T, j *joint, at []float64) []float64 {
	t.Helper()
	p, err := newPredictor(&j.config, &j.position)
	if err != nil {
		t.Fatal(err)
	}
	mean, variance, _ := p.moments(at, len(at))
	out := []float64{math.Log(j.nugget[0]), math.Log(j.kernel[0][0][0])}
	for i, m := range mean {
		out = append(out, m, m*m+variance[i]+p.noise())
	}
	return out
}

// With one layer, the posterior of the nugget and theta is known up to a constant, and quadrature on a grid
// gives its moments and the moments of predictions. The moments of a chain must agree with them.
func TestOneLayerAgreesWithQuadrature(t *testing.T) {
	const points, cells, batches, thinning = 30, 70, 50, 4
	each := 300
	if testing.Short() {
		each = 100
	}
	x, y, _, _ := higdonData(points)
	c := config{x: x, y: y, inputs: 1, layers: 1, priors: defaultPriors(1, true), sampleNugget: true}
	k := familytest.Kernel(t, "matern52", 1)
	c.correlations = [][]correlation{{newCorrelation(k, startTheta(0, 1), c.priors.theta[0])}}
	j, err := newJoint(c, 1e-3, nil)
	if err != nil {
		t.Fatal(err)
	}
	at := []float64{0.03, 0.41, 0.5, 0.93}

	// The grid is uniform in the logarithms, in which the density has the additional factor g theta.
	var logs []float64
	var summaries [][]float64
	for a := range cells {
		for b := range cells {
			j.nugget[0] = math.Exp(-14 + 14*float64(a)/(cells-1))
			j.kernel[0][0][0] = math.Exp(-9 + 11*float64(b)/(cells-1))
			density, err := j.Evaluate(nil)
			if err != nil {
				t.Fatal(err)
			}
			logs = append(logs, density+math.Log(j.nugget[0]*j.kernel[0][0][0]))
			summaries = append(summaries, summary(t, j, at))
		}
	}
	total := floats.LogSumExp(logs)
	want := make([]float64, len(summaries[0]))
	for i, s := range summaries {
		floats.AddScaled(want, math.Exp(logs[i]-total), s)
	}

	j, err = newJoint(c, 1e-3, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := newSweep(j, 3)
	means := make([][]float64, len(want))
	for step := range 200 + batches*each*thinning {
		if _, err := s.run(t.Context(), stream{s.streams.At(uint64(step))}); err != nil {
			t.Fatal(err)
		}
		kept := step - 200
		if kept < 0 || kept%thinning != 0 {
			continue
		}
		for i, v := range summary(t, j, at) {
			if kept/thinning%each == 0 {
				means[i] = append(means[i], 0)
			}
			means[i][len(means[i])-1] += v / float64(each)
		}
	}
	for i, v := range want {
		familytest.Agree(t, fmt.Sprintf("moment %d", i), means[i], v)
		t.Logf("moment %d: %.4f, quadrature %.4f", i, floats.Sum(means[i])/batches, v)
	}
}
