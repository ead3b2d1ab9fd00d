package layer

import (
	"math"

	"dgplab/models/linalg"
)

// Matrix describes the conditioning of a prior covariance of inducing outputs: the worst values
// over the inspected matrices.
type Matrix struct {
	Name string // as in errors and counts of rescues
	// Condition is an estimate of the condition number, SmallestPivot is the smallest squared
	// diagonal entry of a factor, and Jitter is the number added to the diagonal.
	Condition, SmallestPivot, Jitter float64
}

// Matrices returns the conditioning of K_uu over all outputs and the given columns of the inferred
// values.
func (l *Local) Matrices(q *Inferred, columns []int) []Matrix {
	m := l.config.Inducing
	worst := Matrix{Name: l.kuuName(), SmallestPivot: math.Inf(1), Jitter: l.config.Jitter}
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
