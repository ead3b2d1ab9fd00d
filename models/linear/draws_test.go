package linear

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"dgplab/datasets/task"
	"dgplab/models/family"
)

// Drawn functions are planes with the moments of f at every point. Their covariance between points
// is the covariance of planes, x^T S x' = (v(x + x') - v(x - x'))/4, where v(x) is the variance at
// x.
func TestDrawnPlanes(t *testing.T) {
	for _, of := range []task.Task{task.Regression, task.Binary, task.Multiclass} {
		targets := 1
		if of == task.Regression {
			targets = 2
		}
		data := example(of, 25, targets)
		v, err := family.Resolve(hyperparameters(), map[string]string{"intercept": "off"})
		if err != nil {
			t.Fatal(err)
		}
		built, err := Families()[0].New(v, data, 1)
		if err != nil {
			t.Fatal(err)
		}
		m := built.(*Model)
		// The last two points are the sum and the difference of the first two.
		at := mat.NewDense(4, 2, []float64{1, 0.5, -0.3, 2, 0.7, 2.5, 1.3, -1.5})
		const count = 4000
		draws, err := m.DrawFunctions(at, count, 3)
		if err != nil {
			t.Fatal(err)
		}
		mean, vr, err := m.problem.latent(m.x.all(at))
		if err != nil {
			t.Fatal(err)
		}
		functions := len(mean) / 4
		for k := range functions {
			var f [4][]float64
			for _, d := range draws {
				for i, v := range d[k] {
					f[i] = append(f[i], v)
				}
				if off := d[k][2] - d[k][0] - d[k][1]; math.Abs(off) > 1e-9 {
					t.Fatalf("%v: f(a + b) is %v off f(a) + f(b)", of, off)
				}
			}
			for i := range f {
				got, squares := stat.PopMeanVariance(f[i], nil)
				// The tolerance is five standard errors of a mean and of a variance.
				if want, sd := mean[i*functions+k],
					math.Sqrt(vr[i*functions+k]); math.Abs(got-want) > 5*sd/math.Sqrt(count) ||
					math.Abs(squares/(sd*sd)-1) > 5*math.Sqrt(2./count) {
					t.Errorf("%v: function %d at point %d: %v, variance %v, want %v, %v",
						of, k, i, got, squares, want, sd*sd)
				}
			}
			want := (vr[2*functions+k] - vr[3*functions+k]) / 4
			room := math.Sqrt(vr[k]*vr[functions+k]) * 5 * math.Sqrt(2./count)
			if got := stat.Covariance(f[0], f[1], nil); math.Abs(got-want) > room {
				t.Errorf("%v: function %d: covariance %v, want %v", of, k, got, want)
			}
		}
		again, err := m.DrawFunctions(at, 2, 3)
		if err != nil || !slices.Equal(again[1][0], draws[1][0]) || slices.Equal(draws[0][0], draws[1][0]) {
			t.Errorf("%v: %v, drawn again %v (%v)", of, draws[:2], again, err)
		}
	}
}
