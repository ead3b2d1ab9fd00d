package session

import (
	"errors"
	"math"
	"testing"

	"dgplab/session/rundir"
)

// A validation updates the best value. A failed one warns and returns NaN.
func TestValidate(t *testing.T) {
	w := newWorld(t)
	tr := onPlane(w)
	tr.probe.Data.Validation = tr.probe.Data.Train
	tr.ValidationSamples = 5
	tr.progress.BestVal, tr.progress.Early = rundir.Number(nan), &rundir.EarlyStopping{Every: 10}
	got, err := tr.validate(t.Context(), 10)
	if err != nil || math.IsNaN(got) || float64(tr.progress.BestVal) != got || tr.progress.BestStep != 10 {
		t.Errorf("validation %v, %v; best %v at %d", got, err, tr.progress.BestVal, tr.progress.BestStep)
	}
	w.predictErr = errors.New("not positive definite")
	if got, _ := tr.validate(t.Context(), 30); !math.IsNaN(got) || len(tr.warnings.view()) != 1 {
		t.Errorf("a failed validation returns %v, warnings %q", got, tr.warnings.view())
	}
}
