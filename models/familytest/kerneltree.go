package familytest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"dgplab/models/kernel"
	"dgplab/models/oracletest"
)

// KernelTree is a kernel of a golden case, or the gradient with respect to one.
type KernelTree struct {
	Type         string
	Terms        []KernelTree
	Dims         []int
	Variance     any // a number, or a list for linear
	Lengthscales []float64
	Alpha        float64
	Period       []float64
	Offset       []float64
}

// Text returns the expression.
func (n KernelTree) Text() string {
	var parts []string
	for _, term := range n.Terms {
		parts = append(parts, "("+term.Text()+")")
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

// functions returns the functions in the order of the text.
func (n KernelTree) functions() (list []KernelTree) {
	if n.Terms == nil {
		return []KernelTree{n}
	}
	for _, term := range n.Terms {
		list = append(list, term.functions()...)
	}
	return list
}

// values returns the parameters of a function by name.
func (n KernelTree) values() map[string][]float64 {
	return map[string][]float64{
		"variance": oracletest.Flatten(n.Variance), "lengthscales": n.Lengthscales, "alpha": {n.Alpha},
		"period": n.Period, "offset": n.Offset,
	}
}

// each calls visit with each parameter of a covariance with this kernel, and its entry in the case,
// or nil if the case has none.
func (n KernelTree) each(c *kernel.Covariance, visit func(p kernel.Named, values []float64)) {
	functions := n.functions()
	last, seen := -1, []string{}
	for _, p := range c.Parameters(nil) {
		function, name, several := strings.Cut(p.Name, ".")
		if !several {
			function, name = "", p.Name
		}
		if len(seen) == 0 || function != seen[len(seen)-1] {
			seen = append(seen, function)
			last++
		}
		visit(p, functions[last].values()[name])
	}
}

// Set sets the parameters of a covariance with this kernel.
func (n KernelTree) Set(c *kernel.Covariance) {
	n.each(c, func(p kernel.Named, values []float64) {
		clear(p.Node.Value)
		copy(p.Node.Value, values)
	})
}

// CloseGradient checks the gradients of the parameters of a covariance.
func (n KernelTree) CloseGradient(t *testing.T, what string, c *kernel.Covariance) {
	t.Helper()
	n.each(c, func(p kernel.Named, values []float64) {
		if values != nil {
			oracletest.Close(t, what+": gradient of "+p.Name, slices.Clone(p.Node.Grad()), values,
				oracletest.GradientTolerance)
		}
	})
}
