package dash

import (
	"math"

	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/viz/curves"
)

// quantity is what a panel of curves shows of every point of a run.
type quantity int

const (
	ofObjective quantity = iota
	ofValidation
	numQuantities
)

// manner is all that decides the points of a curve.
type manner struct {
	of       quantity
	x        xAxis
	perPoint bool
	strength float64
}

// manner returns how the points of a quantity of a run are made. What is exact is
// never smoothed.
func (l curveSettings) manner(of quantity, s *session.Snapshot) manner {
	switch {
	case of == ofValidation:
		return manner{of: of, x: l.X} // It is a mean over points already, and too short to smooth.
	case !s.Objective.Noisy:
		return manner{of: of, x: l.X, perPoint: l.PerPoint}
	}
	return manner{of, l.X, l.PerPoint, l.strength()}
}

// growingCurve is one curve of a run, prepared for drawing. They are made once for a
// manner and a run; when the run has gone on only the new points are looked at.
type growingCurve struct {
	manner   manner
	from     []rundir.Point // what they were made of
	n, batch int
	x, y     []float64
	prepared *curves.Prepared
}

// take returns the curve of a snapshot, drawn in that manner. The same curve is
// returned as the same pointer.
func (p *growingCurve) take(s *session.Snapshot, m manner) *curves.Prepared {
	same := p.prepared != nil && p.manner == m && p.n == s.N && p.batch == s.Batch &&
		continues(p.from, s.Curve)
	if same && len(p.from) == len(s.Curve) {
		return p.prepared
	}
	if !same {
		*p = growingCurve{manner: m, n: s.N, batch: s.Batch}
	}
	if p.x == nil {
		p.x = make([]float64, 0, len(s.Curve))
		p.y = make([]float64, 0, len(s.Curve))
	}
	scale := 1.0
	if m.perPoint && s.N > 0 {
		scale = 1 / float64(s.N)
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

// continues reports whether the points of a curve begin with old: a run appends to
// the same memory and never writes it again.
func continues(old, now []rundir.Point) bool {
	return len(old) > 0 && len(now) >= len(old) && &old[0] == &now[0]
}

// where returns the place of x, of a curve drawn over one axis, on another one:
// between the points on a straight line, beyond them at the last.
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
