package deep

import (
	"sync/atomic"
	"testing"

	"dgplab/models/autodiff"
	"dgplab/models/layer"
)

// Outputs are differentiated in parallel and write to shared gradients. These must be cleared
// first, because the first write of a sweep clears.
func TestGradientsClearedBeforeDifferentiation(t *testing.T) {
	tape := autodiff.NewTape()
	const outputs, samples, points = 3, 2, 4
	mean := tape.Variable(1, outputs, points)
	variance := tape.Variable(1, outputs, points)
	for i := range variance.Value {
		variance.Value[i] = 1 + float64(i)
	}
	learned := tape.Variable(1, samples, outputs)
	for i := range learned.Value {
		learned.Value[i] = float64(i)
	}
	d := &draw{
		tape:    tape,
		moments: layer.Moments{Mean: mean, Var: variance},
		points:  learned,
		b:       points,
		s:       samples,
	}
	total := tape.Sum(d.record())
	shared := map[string]*autodiff.Node{"means": mean, "variances": variance, "learned points": learned}
	var outputsSeen atomic.Int32
	differentiate := d.reverse.Body
	d.reverse.Body = func(output int) {
		if outputsSeen.Add(1) == 1 {
			for name, n := range shared {
				if _, beta := n.GradBeta(); beta == 0 {
					t.Errorf("the gradient of the %s was not cleared", name)
				}
			}
		}
		differentiate(output)
	}
	if err := tape.Forward(); err != nil {
		t.Fatal(err)
	}
	tape.Backward(total)
	if outputsSeen.Load() != outputs {
		t.Errorf("%d outputs were differentiated", outputsSeen.Load())
	}
}
