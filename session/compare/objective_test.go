package compare

import (
	"slices"
	"strings"
	"testing"

	"dgplab/models/family"
	"dgplab/session/metric"
	"dgplab/session/rundir"
)

// Objectives share a table only if they are comparable, even if the runs agree in everything else.
func TestObjectivesOfDifferentMeaningAreNotCompared(t *testing.T) {
	bound := family.Objective{Name: "ELBO", Kind: family.Bound, Noisy: true}
	exact := family.Objective{Name: "log marginal likelihood", Kind: family.Evidence}
	runs := grid([]string{"a", "b"}, []string{"boston"}, 3, 1, func(method, _, split int, _ uint64) float64 {
		return float64(method + split)
	})
	maximising := func(b family.Objective) *Set {
		list := slices.Clone(runs)
		for i := range list {
			summary := *list[i].Results
			summary.Objective, summary.ObjectiveIs = rundir.Number(summary.Test.LogLik), bound
			if list[i].Config.Family == "b" {
				summary.ObjectiveIs = b
			}
			list[i].Results = &summary
		}
		return Group(list)
	}
	objective := metric.Get("objective")
	same := maximising(family.Objective{Name: "ELBO", Kind: family.Bound}).Table(objective, Options{
		Blocks: BySplit,
	})
	if len(same.Datasets) != 1 || !same.Cells[1][0].Best || same.Ranking == nil ||
		same.Metric.Name != "ELBO" {
		t.Errorf("with the same meaning: %+v", same)
	}
	for _, other := range []family.Objective{exact, {Name: "ELBO", Kind: family.Surrogate}} {
		s := maximising(other)
		if table := s.Table(objective, Options{
			Blocks: BySplit,
		}); len(table.Datasets) != 0 || table.Ranking != nil || table.Metric.Better != metric.Neither {
			t.Errorf("a bound and %v: %+v", other, table)
		}
		got := strings.Join(s.Objectives(), ", ")
		want := "ELBO (bound), " + other.Name + " (" + string(other.Kind) + ")"
		if got != want {
			t.Errorf("objectives %q, want %q", got, want)
		}
		if table := s.Table(logLik, Options{
			Blocks: BySplit,
		}); len(table.Datasets) != 1 || table.Ranking == nil {
			t.Errorf("log-likelihoods for a bound and %v: %+v", other, table)
		}
	}
}
