package session

import (
	"maps"
	"math"
	"slices"
	"testing"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/rundir"
)

// After a warm start the objective does not fall below that of the source run by more than two standard
// errors of its estimate, whether the optimiser starts fresh or keeps its moments. The source is a run of
// the first family of a group with each of its optimisers, and all families of the group that contain it
// start from it.
func TestWarmStartsKeepWhatTheyHave(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	groups := map[string][]models.Spec{}
	for _, spec := range models.Families() {
		if slices.Contains(family.Names(spec.Hyperparameters), "schedule") {
			groups[spec.Group] = append(groups[spec.Group], spec)
		}
	}
	for _, specs := range groups {
		optimisers := []string{""}
		for _, h := range specs[0].Hyperparameters {
			if h.Name == "optimizer" {
				optimisers = h.Choices
			}
		}
		for _, optimiser := range optimisers {
			checkWarmStarts(t, specs, optimiser)
		}
	}
}

// checkWarmStarts trains the first family with an optimiser, if it is not "", and starts all families from
// it.
func checkWarmStarts(t *testing.T, specs []models.Spec, optimiser string) {
	run := func(spec models.Spec, set map[string]string) *Snapshot {
		config := realConfig(spec)
		if _, sampled := config.Set["samples"]; sampled {
			// With two samples, the noise of sampled inducing outputs lowers the objective from any start.
			config.Set["samples"] = "20"
		}
		maps.Copy(config.Set, set)
		if optimiser != "" && slices.Contains(family.Names(spec.Hyperparameters), "optimizer") {
			config.Set["optimizer"] = optimiser
		}
		config.Set["keep"], config.Set["early_stopping"] = "last", "off"
		r, err := Start(t.Context(), config)
		if err != nil {
			t.Fatalf("%s: %v", spec.Name, err)
		}
		return r.Wait()
	}
	source := run(specs[0], map[string]string{"steps": "300"})
	if source.Evaluation == nil {
		t.Fatalf("%s: no objective over all points, %v", specs[0].Name, source.Err)
	}
	for _, spec := range specs {
		for _, state := range []string{"fresh", "kept"} {
			s := run(spec, map[string]string{
				"steps": "200", "warm_start": source.ID, "warm_optimizer": state,
			})
			if spec.Name != specs[0].Name && (s.Stop == rundir.StopFailed || len(s.WarmStart.Unused) > 0) {
				continue // It does not contain the source.
			}
			if s.Stop != rundir.StopSteps || s.Evaluation == nil {
				t.Fatalf("%s: %s, %v", spec.Name, s.Stop, s.Err)
			}
			before, after := source.Evaluation, s.Evaluation
			least := float64(before.Objective) - 2*math.Hypot(float64(before.SE), float64(after.SE))
			if s.ObjectiveIs.Name == source.ObjectiveIs.Name && float64(after.Objective) < least {
				t.Errorf("%s %s, then %s with %s moments: the objective fell from %.5g to %.5g",
					specs[0].Name, optimiser, spec.Name, state, before.Objective, after.Objective)
			}
		}
	}
}
