package layer

import (
	"math"

	"dgplab/models/kernel"
	"dgplab/models/linalg"
)

// Matrix says how far a covariance of inducing outputs under the prior is from having
// no Cholesky factor, the worst of those that were looked at.
type Matrix struct {
	Name string // in errors and counts of rescues
	// Condition estimates the condition number; SmallestPivot is the least square of the
	// diagonal of a factor; Jitter is what is added to the diagonal.
	Condition, SmallestPivot, Jitter float64
}

// Matrices returns the state of K_uu over the outputs and the given columns of what was
// inferred.
func (l *Local) Matrices(q *Inferred, columns []int) []Matrix {
	c := l.config
	m, d := c.Inducing, c.Inputs
	worst := Matrix{Name: l.place(), Condition: 1, SmallestPivot: math.Inf(1), Jitter: c.Jitter}
	z, k, root := make([]float64, m*d), make([]float64, m*m), make([]float64, m*m)
	scratch, scales := make([]float64, m*d+d), make([]float64, d)
	of := kernel.Kernel{Kind: c.Kernel}
	for _, g := range columns {
		for i := range z {
			z[i] = q.Z.Row(i)[g]
		}
		for t := range c.Outputs {
			for i := range scales {
				own := l.lengthscales.Row(t)
				scales[i] = own[min(i, len(own)-1)]
			}
			of.Kuu(k, z, scales, l.variance.Value[t], scratch, m, d)
			for i := range m {
				k[i*m+i] += c.Jitter
			}
			if _, err := linalg.Cholesky(root, k, m, worst.Name); err != nil {
				worst.Condition, worst.SmallestPivot = math.Inf(1), 0
				continue
			}
			worst.Condition = max(worst.Condition, linalg.CholeskyCondition(root, m))
			for i := range m {
				worst.SmallestPivot = min(worst.SmallestPivot, root[i*m+i]*root[i*m+i])
			}
		}
	}
	return []Matrix{worst}
}
