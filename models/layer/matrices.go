package layer

import (
	"math"

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
	m := l.config.Inducing
	worst := Matrix{Name: l.place(), Condition: 1, SmallestPivot: math.Inf(1), Jitter: l.config.Jitter}
	p := newPriorFactor(l)
	for _, g := range columns {
		for t := range l.config.Outputs {
			if err := p.factorise(q, t, g); err != nil {
				worst.Condition, worst.SmallestPivot = math.Inf(1), 0
				continue
			}
			worst.Condition = max(worst.Condition, linalg.CholeskyCondition(p.root, m))
			worst.SmallestPivot = min(worst.SmallestPivot, linalg.SmallestPivot(p.root, m))
		}
	}
	return []Matrix{worst}
}
