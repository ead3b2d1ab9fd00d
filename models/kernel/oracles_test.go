package kernel_test

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/autodiff"
	"dgplab/models/familytest"
	"dgplab/models/kernel"
	"dgplab/models/oracletest"
)

// golden is a kernel with inputs, on a tape.
type golden struct {
	*kernel.Covariance
	tape *autodiff.Tape
	z, x *autodiff.Node
}

// TestFunctionOracles checks the golden values and gradients of functions and expressions.
func TestFunctionOracles(t *testing.T) {
	for _, c := range oracletest.Cases(t, "kernel") {
		t.Run(c.Name, func(t *testing.T) {
			type gradient struct {
				Kernel familytest.KernelTree
				Z, X   [][]float64
			}
			var file struct {
				Data   struct{ Weights struct{ Kuf, Kuu, Diag any } }
				Params gradient
				Expect struct{ Kuf, Kuu, Diag any }
				Grad   struct{ Kuf, Kuu, Diag gradient }
			}
			oracletest.Decode(t, c.Text, &file)
			points, d := len(file.Params.X), len(file.Params.Z[0])
			tape := autodiff.NewTape()
			k := familytest.Kernel(t, file.Params.Kernel.Text(), d)
			m := golden{kernel.NewCovariance(tape, k, 1, true), tape,
				tape.Variable(1, len(file.Params.Z), d), tape.Variable(1, d, points)}
			copy(m.z.Value, slices.Concat(file.Params.Z...))
			copy(m.x.Value, transposed(slices.Concat(file.Params.X...), points, d))
			file.Params.Kernel.Set(m.Covariance)
			w, e := file.Data.Weights, file.Expect
			check := func(what string, out *autodiff.Node, weights, want any, g gradient) {
				m.backward(t, out, oracletest.Flatten(weights))
				oracletest.Close(t, what, out.Value, oracletest.Flatten(want), oracletest.ValueTolerance)
				g.Kernel.CloseGradient(t, what, m.Covariance)
				if g.Z != nil {
					oracletest.Close(t, what+": gradient of Z", m.z.Grad(), slices.Concat(g.Z...),
						oracletest.GradientTolerance)
				}
				if g.X != nil {
					oracletest.Close(t, what+": gradient of X", transposed(m.x.Grad(), d, points),
						slices.Concat(g.X...), oracletest.GradientTolerance)
				}
			}
			check("Kuf", m.RecordKuf(tape, m.z, m.x), w.Kuf, e.Kuf, file.Grad.Kuf)
			check("Kuu", m.RecordKuu(tape, m.z, 0), w.Kuu, e.Kuu, file.Grad.Kuu)
			check("diagonal", m.RecordDiagonal(tape, m.x), w.Diag, e.Diag, file.Grad.Diag)
		})
	}
}

// backward computes the gradients of a weighted sum of the entries of out.
func (m golden) backward(t *testing.T, out *autodiff.Node, weights []float64) {
	t.Helper()
	if err := m.tape.Forward(); err != nil {
		t.Fatal(err)
	}
	m.tape.BackwardFrom(out, weights)
}

// transposed returns the transpose of a matrix.
func transposed(data []float64, rows, cols int) []float64 {
	return mat.DenseCopyOf(mat.NewDense(rows, cols, data).T()).RawMatrix().Data
}
