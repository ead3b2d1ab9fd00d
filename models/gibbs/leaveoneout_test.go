package gibbs

import (
	"context"
	"math"
	"slices"
	"testing"

	"dgplab/models/familytest"
	"dgplab/models/linalg"
	"dgplab/models/oracletest"
)

// TestLeaveOneOutOfASample compares the predictions given a sample with predictors trained on the
// other points, and the log densities with differences of the log-likelihood.
func TestLeaveOneOutOfASample(t *testing.T) {
	data := familytest.Wave(12, 1)
	for _, s := range settings {
		m := untrained(t, s, data)
		familytest.Steps(t, m, 8)
		c := &m.joint.config
		position := m.joint.at(m.AllDraws()[1])
		last := c.layers - 1
		p, err := newPredictor(c, position)
		if err != nil {
			t.Fatal(err)
		}
		got := p.leaveOneOut()
		// logLik returns the log density of the targets, up to a constant of the model.
		logLik := func(p *predictor) float64 {
			upper, _ := math.Lgamma(float64(p.config.n()) / 2)
			return upper - 0.5*float64(p.config.n())*math.Log(math.Pi*float64(p.config.n())*p.scale) -
				linalg.LogDiag(p.root, p.config.n())
		}
		for _, left := range []int{0, 5, 11} {
			others, start := *c, *position
			others.y = slices.Delete(slices.Clone(c.y), left, left+1)
			others.x = without(c.x, 12, left)
			start.hidden = nil
			for _, f := range position.hidden {
				start.hidden = append(start.hidden, without(f, 12, left))
			}
			q, err := newPredictor(&others, &start)
			if err != nil {
				t.Fatal(err)
			}
			inputs, width := c.below(position, last)
			at := make([]float64, width)
			for d := range at {
				at[d] = inputs[d*12+left]
			}
			mean, variance, _ := q.moments(at, 1)
			oracletest.Close(t, s.String(),
				[]float64{got.mean[left], got.variance[left], got.logDensity[left]},
				[]float64{mean[0], variance[0] + q.noise(), logLik(p) - logLik(q)}, 1e-7)
		}
	}
}

// without returns functions, [width][n], without a point.
func without(values []float64, n, left int) (out []float64) {
	for k, v := range values {
		if k%n != left {
			out = append(out, v)
		}
	}
	return out
}

// A cancelled call returns the error of its context.
func TestLeaveOneOutCancelled(t *testing.T) {
	m := untrained(t, settings[0], familytest.Wave(12, 1))
	familytest.Steps(t, m, 8)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.LeaveOneOut(ctx, []int{0}, 1); err == nil {
		t.Error("no error")
	}
}
