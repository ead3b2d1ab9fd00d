package sweep

import (
	"context"
	"slices"
	"testing"

	"dgplab/session/rundir"
)

// Cells with a warm start wait only for the cells of the source family with the same data, split and seed.
// The cells of the source family have no warm start.
func TestWarmCellsWaitForTheirStart(t *testing.T) {
	isolate(t)
	w := newFakeWorld()
	g := Grid{
		Datasets: []string{"steps"}, Families: []string{"star", "mean-field"}, Seeds: []uint64{0, 1},
		Set: []Axis{{Name: "inducing", Values: []string{"4"}},
			{Name: rundir.WarmStartSetting, Values: []string{"mean-field"}}},
	}
	s, err := start(context.Background(), g, Options{Name: "warm", Jobs: 4}, w.dependencies())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Cancel(); s.Wait() })
	first := w.next(t)
	second := w.next(t)
	for _, j := range []*fakeJob{first, second} {
		if _, set := j.config.Set[rundir.WarmStartSetting]; j.config.Family != "mean-field" || set {
			t.Fatalf("begun: %+v", j.config)
		}
	}
	w.none(t)
	second.end(rundir.StopSteps)
	warm := w.next(t)
	if warm.config.Family != "star" || warm.config.Seed != second.config.Seed ||
		warm.config.Set[rundir.WarmStartSetting] != "mean-field" {
		t.Errorf("begun: %+v", warm.config)
	}
	w.none(t)
	first.end(rundir.StopFailed) // The runs that depend on it report this when they start.
	last := w.next(t)
	if last.config.Seed != first.config.Seed {
		t.Errorf("begun: %+v", last.config)
	}
	warm.end(rundir.StopSteps)
	last.end(rundir.StopSteps)
	if state := s.Wait(); state.Count(Done) != 3 ||
		!slices.ContainsFunc(state.Cells, func(c CellState) bool { return c.Status == Failed }) {
		t.Errorf("%s", counts(state))
	}
}
