package rundir

import "testing"

// A damaged summary may contain a verdict without the fall that explains it.
func TestOverfittingWithoutAFall(t *testing.T) {
	level := &Estimate{Trend: Level}
	r := &Drift{Verdict: Overfitting, Objective: level, Validation: level}
	if got := r.Text("ELBO"); got != "overfitting" {
		t.Errorf("the text is %q", got)
	}
}
