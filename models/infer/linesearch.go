package infer

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/linalg"
	"dgplab/models/param"
)

const (
	// Constants of the strong Wolfe conditions for quasi-Newton methods: Nocedal and Wright,
	// "Numerical Optimization", 2nd edition, 2006, section 3.1.
	sufficientIncrease = 1e-4
	sufficientFlatness = 0.9
	// maxEvaluations limits one search, which usually takes one or two.
	maxEvaluations = 30
	// growth is the factor of the step while the objective increases.
	growth = 2.5
	// margin keeps a trial away from the ends of its interval, as a share of the interval.
	margin = 0.1
)

// line is the objective of a problem along a direction from the current parameters.
type line struct {
	problem     Problem
	set         *param.Set
	origin      []float64 // free entries at 0
	direction   []float64 // change of the free entries per unit
	gradient    []float64 // at the last point
	evaluations int       // since begin
	limit       int       // largest number of evaluations in the current search
}

// point is a point on a line, with the objective and its derivative along the line. The value is
// -Inf if the objective cannot be evaluated.
type point struct{ at, value, slope float64 }

// begin sets the origin to the parameters of p.
func (l *line) begin(p Problem) {
	l.problem, l.set, l.evaluations = p, p.Parameters(), 0
	copy(l.origin, l.set.Free)
}

// goTo moves the parameters to the given point of the line.
func (l *line) goTo(at float64) {
	copy(l.set.Free, l.origin)
	if at != 0 {
		addScaled(l.set.Free, at, l.direction)
	}
	l.set.Forward()
}

// evaluate returns the point at the given position, and sets the gradient.
func (l *line) evaluate(ctx context.Context, at float64) (point, error) {
	p, err := l.evaluateStrictly(ctx, at)
	if err != nil && undefined(err) {
		return point{at: at, value: math.Inf(-1)}, nil
	}
	return p, err
}

// undefined reports whether err means that the objective is undefined at the parameters, as opposed
// to an evaluation that failed.
func undefined(err error) bool {
	var indefinite *linalg.NotPositiveDefiniteError
	var nan *linalg.NaNError
	var infinite *NonFiniteError
	return errors.As(err, &indefinite) || errors.As(err, &nan) || errors.As(err, &infinite)
}

// evaluateStrictly is like evaluate, but returns an error if the objective or gradient is not
// finite.
func (l *line) evaluateStrictly(ctx context.Context, at float64) (point, error) {
	if err := ctx.Err(); err != nil {
		return point{}, err
	}
	l.goTo(at)
	l.evaluations++
	value, err := Evaluate(l.problem, l.gradient)
	if err != nil {
		return point{}, err
	}
	return point{at: at, value: value, slope: dot(l.gradient, l.direction)}, nil
}

// search returns a point that meets the strong Wolfe conditions, which is the last point evaluated.
// If it reaches the limit of evaluations or of rounding error, it returns the highest point with a
// sufficient increase, which may be start. start is the point at 0 and must have a positive slope;
// first is the position of the first trial.
//
// Nocedal and Wright, algorithm 3.5, with the signs of a search for a maximum.
func (l *line) search(ctx context.Context, start point, first float64) (point, error) {
	l.limit = l.evaluations + maxEvaluations
	before := start
	for at := first; l.evaluations < l.limit; at *= growth {
		p, err := l.evaluate(ctx, at)
		switch {
		case err != nil:
			return point{}, err
		case !rises(start, p) || before.at > 0 && p.value <= before.value:
			return l.zoom(ctx, start, before, p)
		case flat(start, p):
			return p, nil
		case p.slope <= 0:
			return l.zoom(ctx, start, p, before)
		}
		before = p
	}
	return before, nil
}

// zoom searches between two points (algorithm 3.6). low is the highest point with a sufficient
// increase so far, and its slope points towards high.
func (l *line) zoom(ctx context.Context, start, low, high point) (point, error) {
	for l.evaluations < l.limit && visible(start, low, high) {
		p, err := l.evaluate(ctx, between(low, high))
		switch {
		case err != nil:
			return point{}, err
		case !rises(start, p) || p.value <= low.value:
			high = p
			continue
		case flat(start, p):
			return p, nil
		case p.slope*(high.at-low.at) <= 0:
			high = low
		}
		low = p
	}
	if low.at == 0 {
		return start, nil
	}
	return l.evaluate(ctx, low.at)
}

// rises reports whether p is sufficiently higher than start.
func rises(start, p point) bool {
	return p.value >= start.value+sufficientIncrease*p.at*start.slope && p.value > start.value
}

// flat reports whether the slope at p is sufficiently smaller than the slope at start.
func flat(start, p point) bool { return math.Abs(p.slope) <= sufficientFlatness*start.slope }

// visible reports whether the possible gain between two points exceeds rounding error.
func visible(start, low, high point) bool {
	return math.Abs(low.slope*(high.at-low.at)) > epsilon*max(1, math.Abs(start.value))
}

// between returns the next trial between two points: the maximum of the cubic with their values and
// slopes (Nocedal and Wright, eq. 3.59), kept away from both ends.
func between(low, high point) float64 {
	width := high.at - low.at
	share := 0.5
	if !math.IsInf(high.value, -1) {
		d1 := low.slope + high.slope - 3*(high.value-low.value)/width
		d2 := math.Copysign(math.Sqrt(d1*d1-low.slope*high.slope), width)
		if s := 1 - (high.slope-d2-d1)/(high.slope-low.slope-2*d2); !math.IsNaN(s) {
			share = min(max(s, margin), 1-margin)
		}
	}
	return low.at + share*width
}

func dot(a, b []float64) float64 {
	return blas64.Dot(blas64.Vector{N: len(a), Inc: 1, Data: a}, blas64.Vector{N: len(b), Inc: 1, Data: b})
}

// norm returns the Euclidean norm of v.
func norm(v []float64) float64 { return math.Sqrt(dot(v, v)) }

// addScaled adds c times src to dst.
func addScaled(dst []float64, c float64, src []float64) {
	for i, x := range src {
		dst[i] += c * x
	}
}

func scale(dst []float64, c float64) {
	for i := range dst {
		dst[i] *= c
	}
}
