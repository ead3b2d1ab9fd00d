package board

import (
	"math"

	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/viz/curves"
)

// quantity is the quantity shown in a panel of curves.
type quantity int

const (
	ofObjective quantity = iota
	ofValidation
	numQuantities
)

// pointRule determines the points of a curve.
type pointRule struct {
	of       quantity
	x        xAxis
	perPoint bool
	strength float64
}

// pointRule returns the rule for the points of a quantity of a run. Exact objectives are never
// smoothed.
func (l curveSettings) pointRule(of quantity, s *session.Snapshot) pointRule {
	switch {
	case of == ofValidation:
		return pointRule{of: of, x: l.X} // Means over validation points are too few to smooth.
	case !s.ObjectiveIs.Noisy:
		return pointRule{of: of, x: l.X, perPoint: l.PerPoint}
	}
	return pointRule{of, l.X, l.PerPoint, l.strength()}
}

// growingCurve is a curve of a run, prepared for drawing. As the run continues, only new points are
// processed.
type growingCurve struct {
	rule     pointRule
	from     []rundir.Point // points of the run
	n, batch int
	x, y     []float64
	prepared *curves.Prepared
}

// take returns the curve of a snapshot under a rule. It returns the same pointer for the same curve.
func (p *growingCurve) take(s *session.Snapshot, m pointRule) *curves.Prepared {
	same := p.prepared != nil && p.rule == m && p.n == s.Data.N && p.batch == s.Batch() &&
		continues(p.from, s.Curve)
	if same && len(p.from) == len(s.Curve) {
		return p.prepared
	}
	if !same {
		*p = growingCurve{rule: m, n: s.Data.N, batch: s.Batch()}
	}
	if p.x == nil {
		p.x = make([]float64, 0, len(s.Curve))
		p.y = make([]float64, 0, len(s.Curve))
	}
	scale := 1.0
	if m.perPoint && s.Data.N > 0 {
		scale = 1 / float64(s.Data.N)
	}
	for i := len(p.from); i < len(s.Curve); i++ {
		at := &s.Curve[i]
		y := at.Objective * scale
		if m.of == ofValidation {
			y = at.ValLogLik
			if math.IsNaN(y) {
				continue // Not measured at this step.
			}
		}
		p.x = append(p.x, m.x.of(s, at))
		p.y = append(p.y, y)
	}
	p.from = s.Curve
	if same {
		p.prepared = p.prepared.Grow(p.x, p.y)
	} else {
		p.prepared = curves.Prepare(p.x, p.y, m.strength)
	}
	return p.prepared
}

// continues reports whether the points now begin with old. A run appends to the same memory and never
// overwrites it.
func continues(old, now []rundir.Point) bool {
	return len(old) > 0 && len(now) >= len(old) && &old[0] == &now[0]
}

// where converts a position x on one axis of a curve to the position on another axis. It interpolates
// linearly between points and is constant beyond the ends.
func where(s *session.Snapshot, x float64, from, to xAxis) float64 {
	if len(s.Curve) == 0 || from == to {
		return x
	}
	before, after := 0, len(s.Curve)-1
	for before+1 < after {
		if mid := (before + after) / 2; from.of(s, &s.Curve[mid]) <= x {
			before = mid
		} else {
			after = mid
		}
	}
	a := from.of(s, &s.Curve[before])
	b := from.of(s, &s.Curve[after])
	t := 0.0
	if b > a {
		t = math.Min(math.Max((x-a)/(b-a), 0), 1)
	}
	return (1-t)*to.of(s, &s.Curve[before]) + t*to.of(s, &s.Curve[after])
}
