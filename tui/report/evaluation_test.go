package report

import (
	"math"
	"testing"

	"dgplab/session/rundir"
)

func TestEvaluation(t *testing.T) {
	for _, c := range []struct {
		e    *rundir.Evaluation
		want string
	}{
		{nil, ""},
		{&rundir.Evaluation{Objective: -12.5, Exact: true}, "-12.5, exact"},
		{&rundir.Evaluation{Objective: -194.123, SE: 1.62, Passes: 20, Points: 409},
			"-194.1 (1.6), 20 passes over 409 points"},
		{&rundir.Evaluation{Objective: 123456, SE: 321, Passes: 2, Points: 1},
			"123456 (321), 2 passes over 1 point"},
		{&rundir.Evaluation{Objective: 3, Passes: 2, Points: 9}, "3, 2 passes over 9 points"},
	} {
		if got := Evaluation(c.e); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	if got := WithError(1.5, math.Inf(1)); got != "1.5" {
		t.Errorf("%q", got)
	}
}
