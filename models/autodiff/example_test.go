package autodiff_test

import (
	"fmt"

	"dgplab/models/autodiff"
)

// This example computes the log-density of one observation under N(0, K), up to a constant, and its
// gradient with respect to the variances on the diagonal of K.
func Example() {
	t := autodiff.NewTape()
	k := t.Constant(1, 2, 2)
	noise := t.Variable(1, 2, 1)
	y := t.Constant(1, 2, 1)
	l := t.Cholesky(t.AddDiag(k, noise), "K")
	z := t.SolveLower(l, y)
	density := t.Sub(t.Scale(t.Sum(t.Square(z)), -0.5), t.LogDiag(l))

	// Change the contents of a leaf and replay the tape.
	copy(k.Value, []float64{1, 0, 0, 3})
	copy(y.Value, []float64{2, 1})
	for _, variance := range []float64{0, 1} {
		noise.Value[0], noise.Value[1] = variance, variance
		if err := t.Forward(); err != nil {
			fmt.Println(err)
			return
		}
		t.Backward(density)
		fmt.Printf("noise %g: density %.4f, gradient %.4f\n", variance, density.Value[0], noise.Grad())
	}
	// Output:
	// noise 0: density -2.7160, gradient [1.5000 -0.1111]
	// noise 1: density -2.1647, gradient [0.2500 -0.0938]
}
