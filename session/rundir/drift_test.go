package rundir

import (
	"math"
	"testing"
)

// A damaged summary may contain a verdict without the fall that explains it.
func TestOverfittingWithoutAFall(t *testing.T) {
	level := &Estimate{Trend: Level}
	r := &Drift{Verdict: Overfitting, Objective: level, Validation: level}
	if got := r.Text("ELBO"); got != "overfitting" {
		t.Errorf("the text is %q", got)
	}
}

// Large changes of the noise variance are limited in the text.
func TestPercent(t *testing.T) {
	for _, c := range []struct {
		slope float64
		want  string
	}{
		{-5, "more than 99 %"}, {-4.6, "99 %"}, {-0.01, "1 %"}, {0.01, "1 %"}, {2.39, "991 %"},
		{2.4, "more than 1000 %"}, {5, "more than 1000 %"},
	} {
		text := percent(&Estimate{Slope: Number(c.slope)})
		if got := text(Number(math.Abs(c.slope))); got != c.want {
			t.Errorf("slope %v: %s, want %s", c.slope, got, c.want)
		}
	}
}
