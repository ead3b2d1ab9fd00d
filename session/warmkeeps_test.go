package session

import (
	"maps"
	"math"
	"testing"

	"dgplab/models"
	"dgplab/session/rundir"
)

// After a warm start the objective does not fall below that of the source run by more than two standard
// errors of its estimate, whether the optimiser starts fresh or keeps its moments.
func TestWarmStartsKeepWhatTheyHave(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	natural := map[string]string{"optimizer": "natgrad", "natgrad_step": "0.05"}
	for _, c := range []struct {
		from string
		set  map[string]string
		to   []string
	}{
		{"mean-field", nil, []string{"mean-field", "star", "fully-coupled"}},
		{"mean-field", natural, []string{"mean-field", "star"}},
		{"svgp", natural, []string{"svgp"}},
		{"dspp", nil, []string{"dspp"}},
		{"avdgp", nil, []string{"avdgp"}},
		{"bnn-vi", nil, []string{"bnn-vi"}},
	} {
		run := func(family string, set map[string]string) *Snapshot {
			spec, err := models.Lookup(family)
			if err != nil {
				t.Fatal(err)
			}
			config := realConfig(spec)
			if family == c.from {
				maps.Copy(config.Set, c.set)
			}
			maps.Copy(config.Set, set)
			config.Set["keep"], config.Set["early_stopping"] = "last", "off"
			r, err := Start(t.Context(), config)
			if err != nil {
				t.Fatalf("%s: %v", family, err)
			}
			s := wait(t, r, rundir.StopSteps)
			if s.Evaluation == nil {
				t.Fatalf("%s: no objective over all points", family)
			}
			return s
		}
		source := run(c.from, map[string]string{"steps": "300"})
		for _, to := range c.to {
			for _, optimiser := range []string{"fresh", "kept"} {
				s := run(to, map[string]string{
					"steps": "200", "warm_start": source.ID, "warm_optimizer": optimiser,
				})
				before, after := source.Evaluation, s.Evaluation
				least := float64(before.Objective) - 2*math.Hypot(float64(before.SE), float64(after.SE))
				if float64(after.Objective) < least {
					t.Errorf("%s with %v, then %s with %s optimiser: the objective fell from %.5g to %.5g",
						c.from, c.set, to, optimiser, before.Objective, after.Objective)
				}
			}
		}
	}
}
