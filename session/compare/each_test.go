package compare

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dgplab/session/rundir"
)

// savedGrid returns runs with predictions. The log-likelihood falls by 0.1 from one method to the
// next and differs much more between seeds.
func savedGrid(t *testing.T, methods, datasets []string, splits int, seeds uint64) []rundir.Info {
	t.Helper()
	runs := grid(methods, datasets, splits, seeds, func(int, int, int, uint64) float64 { return 0 })
	for i := range runs {
		r := &runs[i]
		level := float64(r.Config.Seed)*10 - 0.1*float64(slices.Index(methods, r.Config.Family))
		save(t, r, level, level-1, level+1)
	}
	return runs
}

// each returns the comparisons of the first method and fails the test if any of them fails.
func each(t *testing.T, runs []rundir.Info, memory *Memory) []Comparison {
	t.Helper()
	list, failed, err := Group(runs).Each(context.Background(), 0, memory)
	if err != nil || len(failed) > 0 {
		t.Fatalf("%q, %v", failed, err)
	}
	return list
}

// Runs are read from their directories and paired by test points and seed.
func TestEach(t *testing.T) {
	runs := savedGrid(t, []string{"a", "b"}, []string{"boston"}, 2, 2)
	c := each(t, runs, nil)[0]
	if len(c.Pairs) != 4 || c.N != 2 || c.Share != 1 || c.Dataset != "boston" || c.A != "a" || c.B != "b" ||
		c.Pairs[0].A != runs[0].ID {
		t.Errorf("%+v", c)
	}
	near(t, "difference", c.Difference, 0.1, 1e-12)
	// Runs with different seeds are paired in the order of their seeds.
	runs[2].Config.Seed, runs[3].Config.Seed = 5, 6
	if c := each(t, runs, nil)[0]; len(c.Pairs) != 4 {
		t.Errorf("%+v", c)
	}
	save(t, &runs[0], 1, 2)
	_, failed, err := Group(runs).Each(context.Background(), 0, nil)
	want := "no direct comparison on boston: " + runs[0].ID + " and " + runs[4].ID + ": "
	if err != nil || len(failed) != 1 || !strings.HasPrefix(failed[0], want) {
		t.Errorf("fewer points: %q, %v; want %s", failed, err, want)
	}
	if err := os.Remove(filepath.Join(runs[0].Dir, "test_points.csv")); err != nil {
		t.Fatal(err)
	}
	_, failed, err = Group(runs).Each(context.Background(), 0, nil)
	if err != nil || len(failed) != 1 ||
		!strings.HasPrefix(failed[0], "no direct comparison on boston: "+runs[0].ID) {
		t.Errorf("a missing file: %q, %v", failed, err)
	}
}

// A method is compared with every other method on each data set, and the p-values are corrected
// together.
func TestEachOfSeveralMethods(t *testing.T) {
	runs := savedGrid(t, []string{"a", "b", "c"}, []string{"boston", "energy"}, 3, 1)
	for i := range runs { // Vary the differences over splits.
		level := 0.01*noise(i, 3, 1) -
			0.1*float64(slices.Index([]string{"a", "b", "c"}, runs[i].Config.Family))
		save(t, &runs[i], level, level-1, level+1)
	}
	list := each(t, runs, nil)
	var names []string
	p := make([]float64, len(list))
	for i, c := range list {
		names = append(names, c.A+c.B+" "+c.Dataset)
		p[i] = float64(c.TP)
	}
	if !slices.Equal(names, []string{"ab boston", "ac boston", "ab energy", "ac energy"}) {
		t.Errorf("%q", names)
	}
	for i, adjusted := range Holm(p) {
		near(t, names[i], list[i].HolmP, adjusted, 0)
	}
	sheet := DirectSheet(list)
	if sheet.Names != 2 || !slices.Equal(sheet.Columns[:3], []string{"data set", "B", "A better, %"}) ||
		len(sheet.Rows) != 4 || sheet.Rows[1][1].Text != "c" ||
		!strings.Contains(sheet.Notes[1], "Holm-corrected over all comparisons") ||
		!strings.Contains(sheet.LaTeX(), "{llrrrrrrrrr}") {
		t.Errorf("%+v", sheet)
	}
	if err := os.Remove(filepath.Join(runs[3].Dir, "test_points.csv")); err != nil { // a run of a on energy
		t.Fatal(err)
	}
	list, failed, err := Group(runs).Each(context.Background(), 2, nil)
	if err != nil || len(list) != 3 || len(failed) != 1 ||
		!strings.HasPrefix(failed[0], "no direct comparison with a on energy: ") {
		t.Errorf("%d, %q, %v", len(list), failed, err)
	}
}

// Comparisons with runs that were still improving get no verdict, even if they are decided together with
// others.
func TestEachWithholdsVerdicts(t *testing.T) {
	runs := savedGrid(t, []string{"a", "b"}, []string{"boston", "energy"}, 4, 1)
	for i := range runs {
		if r := &runs[i]; r.Config.Family == "a" {
			level := 0.001 * noise(i, 3, 1)
			save(t, r, level, level-1, level+1)
		}
	}
	plain := each(t, runs, nil)
	if plain[0].Verdict != "A" || plain[1].Verdict != "A" {
		t.Fatalf("%+v", plain)
	}
	// a on energy
	runs[4].Results.Drift = &rundir.Drift{
		Validation: &rundir.Estimate{Slope: 0.17, Trend: rundir.Rising},
		Verdict:    rundir.Improving,
	}
	list := each(t, runs, nil)
	if list[0].Verdict != "A" || list[1].Verdict != "~" || list[1].Inconclusive != "A" ||
		list[1].HolmP != plain[1].HolmP {
		t.Errorf("%+v", list)
	}
	if row := DirectSheet(list).Rows[1]; row[8].Text != "~ ^A" {
		t.Errorf("%+v", row)
	}
}

// Pairs are cached as long as the runs are unchanged.
func TestMemory(t *testing.T) {
	runs := savedGrid(t, []string{"a", "b"}, []string{"boston"}, 2, 1)
	memory := new(Memory)
	before := each(t, runs, memory)
	for _, r := range runs {
		if err := os.Remove(filepath.Join(r.Dir, "test_points.csv")); err != nil {
			t.Fatal(err)
		}
	}
	if again := each(t, runs, memory); again[0].Difference != before[0].Difference ||
		math.IsNaN(float64(again[0].Difference)) {
		t.Errorf("%+v, before %+v", again, before)
	}
	runs[0].Results.Step++
	if _, failed, _ := Group(runs).Each(context.Background(), 0, memory); len(failed) != 1 {
		t.Error("a run that has changed is read from the cache")
	}
}

func TestEachIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	runs := savedGrid(t, []string{"a", "b"}, []string{"boston"}, 1, 1)
	if list, failed, err := Group(runs).Each(ctx, 0, nil); !errors.Is(err, context.Canceled) ||
		list != nil || failed != nil {
		t.Errorf("%v, %q, %v", list, failed, err)
	}
}
