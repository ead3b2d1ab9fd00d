package kernel

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"dgplab/models/autodiff"
	"dgplab/models/oracletest"
)

// tree is a kernel of a golden case.
type tree struct {
	Type         string
	Terms        []tree
	Dims         []int
	Variance     any // a number, or a list for linear
	Lengthscales []float64
	Alpha        float64
	Period       []float64
	Offset       []float64
}

// text returns the expression.
func (n tree) text() string {
	var parts []string
	for _, term := range n.Terms {
		parts = append(parts, "("+term.text()+")")
	}
	switch n.Type {
	case "sum":
		return strings.Join(parts, "+")
	case "product":
		return strings.Join(parts, "*")
	}
	for _, d := range n.Dims {
		parts = append(parts, fmt.Sprint(d))
	}
	return n.Type + "(" + strings.Join(parts, ",") + ")"
}

// each calls visit for the functions.
func (n tree) each(visit func(tree)) {
	if n.Terms == nil {
		visit(n)
	}
	for _, term := range n.Terms {
		term.each(visit)
	}
}

// values returns the entry of the case for a parameter.
func (n tree) values(p Parameter, size int) []float64 {
	var list []float64
	switch p.Name {
	case variance:
		list = oracletest.Flatten(n.Variance)
	case lengthscales:
		list = n.Lengthscales
	case "alpha":
		list = []float64{n.Alpha}
	case "period":
		list = n.Period
	case "offset":
		list = n.Offset
	}
	if list == nil {
		list = make([]float64, size)
	}
	return list
}

func TestFunctionOracles(t *testing.T) {
	for _, c := range oracletest.Cases(t, "kernel") {
		t.Run(c.Name, func(t *testing.T) {
			var file struct {
				Data   struct{ Weights struct{ Kuf, Kuu, Diag any } }
				Params struct {
					Kernel tree
					Z, X   [][]float64
				}
				Expect struct{ Kuf, Kuu, Diag any }
				Grad   struct {
					Kuf, Kuu, Diag struct {
						Kernel tree
						Z, X   [][]float64
					}
				}
			}
			oracletest.Decode(t, c.Text, &file)
			d := len(file.Params.Z[0])
			tape := autodiff.NewTape()
			m := &model{Covariance: NewCovariance(tape, bound(t, file.Params.Kernel.text(), d), 1, true),
				tape: tape, z: tape.Variable(1, len(file.Params.Z), d),
				x: tape.Variable(1, d, len(file.Params.X))}
			copy(m.z.Value, slices.Concat(file.Params.Z...))
			transpose(m.x.Value, slices.Concat(file.Params.X...), len(file.Params.X), d)
			i := 0
			file.Params.Kernel.each(func(n tree) {
				for k, p := range m.leaves[i].Parameters() {
					copy(m.nodes[i][k].Value, n.values(p, m.nodes[i][k].Len()))
				}
				i++
			})
			w, e, g := file.Data.Weights, file.Expect, file.Grad
			m.check(t, "Kuf", m.RecordKuf(tape, m.z, m.x), w.Kuf, e.Kuf, g.Kuf.Kernel, g.Kuf.Z, g.Kuf.X)
			m.check(t, "Kuu", m.RecordKuu(tape, m.z, 0), w.Kuu, e.Kuu, g.Kuu.Kernel, g.Kuu.Z, nil)
			m.check(t, "diag", m.recordDiagonal(tape, m.x), w.Diag, e.Diag, g.Diag.Kernel, nil, g.Diag.X)
		})
	}
}

// check compares the values of out and the gradients of their weighted sum with the case.
func (m *model) check(
	t *testing.T, what string, out *autodiff.Node, weights, want any, kernel tree, z, x [][]float64,
) {
	t.Helper()
	w := m.tape.Constant(out.Batch, out.Rows, out.Cols)
	copy(w.Value, oracletest.Flatten(weights))
	total := m.tape.Sum(m.tape.Mul(out, w))
	forward(t, m.tape)
	m.tape.Backward(total)
	oracletest.Close(t, what, out.Value, oracletest.Flatten(want), oracletest.ValueTolerance)
	if z != nil {
		oracletest.Close(t, what+": gradient of Z", m.z.Grad(), slices.Concat(z...), oracletest.GradientTolerance)
	}
	if x != nil {
		got := make([]float64, m.x.Len())
		transpose(got, m.x.Grad(), m.x.Rows, m.x.Cols)
		oracletest.Close(t, what+": gradient of X", got, slices.Concat(x...), oracletest.GradientTolerance)
	}
	i := 0
	kernel.each(func(n tree) {
		for k, p := range m.leaves[i].Parameters() {
			got := m.nodes[i][k]
			if p.Name == "offset" && n.Offset == nil {
				continue
			}
			oracletest.Close(t, fmt.Sprintf("%s: gradient of %s %d %s", what, n.Type, i, p.Name),
				got.Grad(), n.values(p, got.Len()), oracletest.GradientTolerance)
		}
		i++
	})
}
