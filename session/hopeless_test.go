package session

import (
	"slices"
	"strings"
	"testing"

	"dgplab/models"
	"dgplab/session/rundir"
)

// A run whose scores are far below those of the linear model on the same data raises an alarm with a
// probable cause, in its summary and in its record. A good run does not.
func TestHopelessRun(t *testing.T) {
	for _, bias := range []float64{0, 30} {
		w := newWorld(t)
		w.bias = func(int) float64 { return bias }
		env := w.environment()
		family := env.Family
		env.Family = func(name string) (models.Spec, error) {
			if name == baselineFamily {
				return models.Lookup(name)
			}
			return family(name)
		}
		run, err := Start(t.Context(), fakeConfig("steps=300"), withEnvironment(env))
		if err != nil {
			t.Fatal(err)
		}
		s := wait(t, run, rundir.StopSteps)
		record, err := rundir.FindReadOnly(s.ID)
		if err != nil {
			t.Fatal(err)
		}
		for place, alarms := range map[string][]rundir.Alarm{
			"summary": s.Alarms, "record": Open(record).Alarms,
		} {
			i := slices.IndexFunc(alarms, func(a rundir.Alarm) bool { return a.Kind == rundir.AlarmScore })
			switch {
			case bias == 0 && i >= 0:
				t.Errorf("%s of a good run: %q", place, alarms[i].Text)
			case bias > 0 && i < 0:
				t.Errorf("%s: no alarm about a test log-likelihood of %v", place, s.Test.LogLik)
			case bias > 0 && (!strings.Contains(alarms[i].Text, " of a linear model, and no interval") ||
				!strings.Contains(alarms[i].Text, "probable cause: overconfidence") ||
				alarms[i].Since != s.KeptStep):
				t.Errorf("%s, step %d: %+v", place, s.KeptStep, alarms[i])
			}
		}
	}
}
