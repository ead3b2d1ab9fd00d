package rundir

import (
	"math"
	"slices"
	"testing"
)

// The worst five points are named if they make the mean, and only then.
func TestDominating(t *testing.T) {
	points := func(n int, logLik func(i int) float64) *Predictions {
		p := &Predictions{N: n}
		for i := range n {
			p.Rows = append(p.Rows, 100+i)
			p.LogLik = append(p.LogLik, logLik(i))
		}
		return p
	}
	outliers := func(i int) float64 {
		if i%10 == 3 {
			return -100 - float64(i)
		}
		return -2
	}
	w := points(50, outliers).Dominating()
	if w == nil || !slices.Equal(w.Rows, []int{143, 133, 123, 113, 103}) || w.LogLik[0] != -143 ||
		math.Abs(float64(w.Rest)+2) > 1e-12 {
		t.Errorf("worst points %+v, want the rows 143, 133, ... and -2 without them", w)
	}
	const text = "row 143: -143, row 133: -133, row 123: -123, row 113: -113, row 103: -103; -2 without them"
	if w != nil && w.Text() != text {
		t.Errorf("text %q, want %q", w.Text(), text)
	}
	for name, p := range map[string]*Predictions{
		"equal points":         points(50, func(int) float64 { return -90 }),
		"all points are bad":   points(384, func(i int) float64 { return -6 - float64(i) }),
		"small differences":    points(50, func(i int) float64 { return -2 - float64(i%10)/10 }),
		"too few points":       points(19, outliers),
		"an empty set of them": points(0, outliers),
	} {
		if w := p.Dominating(); w != nil {
			t.Errorf("%s: the worst points %+v dominate", name, w)
		}
	}
}
