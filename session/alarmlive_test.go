package session

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"dgplab/session/rundir"
)

// The alarms of a live run are derived from its diagnostics and report lines, even if validations are rare.
// They are part of the summary and the record.
func TestAlarmsOfLiveRun(t *testing.T) {
	w := newWorld(t)
	w.stepCost = time.Second
	w.collapsed = true
	w.bias = func(step int) float64 { return float64(step) / 500 }
	w.gain = func(step int) float64 { return float64(step) / 20 }
	s := wait(t,
		w.start(t, fakeConfig("steps=1400", "validation_every=50", "early_stopping=off", "keep=last")),
		rundir.StopSteps)
	kinds := func(list []rundir.Alarm) (kinds []rundir.AlarmKind) {
		for _, a := range list {
			kinds = append(kinds, a.Kind)
		}
		return kinds
	}
	if want := []rundir.AlarmKind{rundir.AlarmValidation, rundir.AlarmCollapse,
		rundir.AlarmScore}; !slices.Equal(kinds(s.Alarms), want) {
		t.Fatalf("alarms %v, want %v", s.Alarms, want)
	}
	if a := s.Alarms[0]; a.Since > 1000 ||
		!strings.HasPrefix(a.Text, "overfitting: the validation log-likelihood fell from ") {
		t.Errorf("alarm %+v", a)
	}
	if !s.Drift.Overfitting() || !strings.HasPrefix(s.DriftText(), "overfitting: validation fell by ") ||
		s.StillImproving() != "" || s.Conclusive() {
		t.Errorf("%s: %q", s.Drift.Verdict, s.DriftText())
	}
	record, err := rundir.FindReadOnly(s.ID)
	if err != nil {
		t.Fatal(err)
	}
	if r := Open(record); !reflect.DeepEqual(r.Drift, s.Drift) || !slices.Equal(r.Alarms, s.Alarms) {
		t.Errorf("the record has %+v, %v", r.Drift, r.Alarms)
	}
}
