package sweep

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dgplab/models"
	"dgplab/session"
	"dgplab/session/rundir"
)

// writeRows writes a table of 31 rows, the last of which is given.
func writeRows(t *testing.T, path, last string) {
	t.Helper()
	text := "a,b,y\n" + strings.Repeat("1,2,3.5\n2,1,1.5\n3,5,2\n", 10) + last
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A sweep does not mix two versions of its data file.
func TestChangedDataIsRefused(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	path := filepath.Join(t.TempDir(), "data.csv")
	write := func(last string) { writeRows(t, path, last) }
	grid := Grid{Datasets: []string{path}, Families: []string{models.BaselineFamily}, Seeds: []uint64{0},
		Splits: []string{"interpolation:0", "interpolation:1"}}
	train := func() (*State, error) {
		s, err := Start(context.Background(), grid, Options{Name: "own", Jobs: 1})
		if err != nil {
			return nil, err
		}
		return s.Wait(), nil
	}
	write("4,4,4\n")
	first, err := train()
	if err != nil || first.Count(Done) != 2 {
		t.Fatalf("the first data: %v, %v", first, err)
	}
	write("5,5,5\n")
	var changed *ChangedError
	_, err = train()
	if !errors.As(err, &changed) || changed.File != path || strings.Contains(err.Error(), "\n") {
		t.Errorf("the changed data: %v, want a *ChangedError about %s", err, path)
	}
	if _, err := Preview(t.Context(), new(session.Inspector), grid, "own"); !errors.As(err, &changed) {
		t.Errorf("a preview of the changed data: %v, want a *ChangedError", err)
	}
	if _, err := Resume(context.Background(), "own", Options{Jobs: 1}); !errors.As(err, &changed) {
		t.Errorf("resuming with the changed data: %v, want a *ChangedError", err)
	}
	if err := Retrain(t.Context(), new(session.Inspector), "own", time.Now()); err != nil {
		t.Fatal(err)
	}
	forgotten, err := Preview(t.Context(), new(session.Inspector), grid, "own")
	if err != nil || forgotten.Count(Waiting) != 2 {
		t.Errorf("after --retrain %d of 2 runs wait (%v)", forgotten.Count(Waiting), err)
	}
	again, err := train()
	if err != nil || again.Count(Done) != 2 {
		t.Fatalf("the changed data, trained again: %v, %v", again, err)
	}
	for i := range again.Cells {
		if again.Cells[i].Run == first.Cells[i].Run {
			t.Errorf("run %s is of the first data", again.Cells[i].Run)
		}
	}
	write("4,4,4\n")
	if _, err := train(); !errors.As(err, &changed) {
		t.Errorf("the first data again: %v, want a *ChangedError", err)
	}
}

// A run that was trained alone counts as the cell of a sweep with its configuration, as long as its data has
// not changed.
func TestSingleRunsCount(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	path := filepath.Join(t.TempDir(), "data.csv")
	write := func(last string) { writeRows(t, path, last) }
	write("4,4,4\n")
	grid := Grid{
		Datasets: []string{path, "steps"},
		Families: []string{models.BaselineFamily},
		Seeds:    []uint64{0},
	}
	var single []string
	for _, dataset := range grid.Datasets {
		c := rundir.Config{Dataset: dataset, Family: models.BaselineFamily}
		run, err := session.Start(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		if final := run.Wait(); final.Err != nil {
			t.Fatal(final.Err)
		}
		single = append(single, run.ID())
	}
	taken := func(s *State, err error) []string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, c := range s.Cells {
			ids = append(ids, c.Run)
		}
		return ids
	}
	plan := func() (*State, error) { return Preview(t.Context(), new(session.Inspector), grid, "single") }
	if got := taken(plan()); !slices.Equal(got, single) {
		t.Errorf("the plan has the runs %q, want %q", got, single)
	}
	s, err := Start(context.Background(), grid, Options{Name: "single", Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	if got := taken(s.Wait(), nil); !slices.Equal(got, single) {
		t.Errorf("the sweep has the runs %q, want %q", got, single)
	}
	if got := taken(Open("single")); !slices.Equal(got, single) {
		t.Errorf("the opened sweep has the runs %q, want %q", got, single)
	}
	write("5,5,5\n")
	if err := Retrain(t.Context(), new(session.Inspector), "single", time.Time{}); err != nil {
		t.Fatal(err)
	}
	if got, want := taken(plan()), []string{"", single[1]}; !slices.Equal(got, want) {
		t.Errorf("with other data the plan has the runs %q, want %q", got, want)
	}
}

func BenchmarkKey(b *testing.B) {
	c := rundir.Config{Dataset: "energy", Family: "star", Split: "interpolation:0"}
	for b.Loop() {
		Key(c)
	}
}
