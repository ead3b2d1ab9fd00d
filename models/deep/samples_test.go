package deep

import (
	"math"
	"slices"
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

// A variance below the lower bound is raised to it and counted.
func TestTinyVariances(t *testing.T) {
	tape := autodiff.NewTape()
	d := &draw{tape: tape, matrix: "here", b: 3, s: 1, eps: tape.Constant(1, 1, 3),
		moments: layer.Moments{Mean: tape.Constant(1, 1, 3), Var: tape.Constant(1, 1, 3)}}
	copy(d.moments.Var.Value, []float64{-1, minVariance, 4})
	copy(d.eps.Value, []float64{1, 1, 1})
	out := d.record()
	if err := tape.Forward(); err != nil {
		t.Fatal(err)
	}
	least := math.Sqrt(minVariance)
	if !slices.Equal(out.Value, []float64{least, least, 2}) || tape.RescuesByMatrix()["here"] != 1 {
		t.Errorf("samples %v, %d rescues", out.Value, tape.Rescues())
	}
}
