package session

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets"
	"dgplab/datasets/table"
	"dgplab/session/config"
	"dgplab/session/rundir"
)

// gradesFile writes a table with a name for each row, a category, and an integer target that can be
// read as classes or numbers.
func gradesFile(t *testing.T) string {
	t.Helper()
	var text strings.Builder
	for i := range 60 {
		fmt.Fprintf(&text, "u%d,%d.5,%s,%d\n", i, i*7%13, []string{"red", "blue", "", "green"}[i%4], i%3)
	}
	path := filepath.Join(t.TempDir(), "grades.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func gradesConfig(path string, steps int) rundir.Config {
	return rundir.Config{Dataset: path, Family: "svgp", Set: map[string]string{
		"inducing": "5", "test_samples": "4", "checkpoint_every": "2", "metrics_every": "1",
		"steps": fmt.Sprint(steps)}}
}

// mustTrain starts a run and waits until it has done all steps.
func mustTrain(t *testing.T, c rundir.Config) *Snapshot {
	t.Helper()
	r, err := Start(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return wait(t, r, rundir.StopSteps)
}

// Resumed, forked and inspected runs use the column choices of the run. Other choices give other data.
func TestColumnChoicesAreKept(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	c := gradesConfig(gradesFile(t), 4)
	c.Targets = []string{"-1:number"}
	c.Columns = table.Choices{Missing: table.MissingDrop}
	inspector := new(Inspector)
	preview, err := inspector.Inspect(context.Background(), c)
	if err != nil || preview.Data.D != 4 || preview.Data.Rows != 45 {
		t.Fatalf("D %d of %d rows, %v", preview.Data.D, preview.Data.Rows, err)
	}
	const said = "15 rows of 60 dropped for missing cells; 4 columns: 2 numbers, 1 category of 3 levels, 1 " +
		"ignored (x1)"
	if !slices.Contains(table.Texts(preview.Notes), said) || len(preview.Warnings) > 0 {
		t.Errorf("notes %q, warnings %q", preview.Notes, preview.Warnings)
	}
	part := mustTrain(t, c)
	text, err := os.ReadFile(filepath.Join(part.Dir, "config.json"))
	if err != nil || !regexp.MustCompile(`"columns": \{\s*"missing": "drop"\s*\}`).Match(text) {
		t.Errorf("config.json: %s, %v", text, err)
	}
	rest, err := Resume(context.Background(), part.ID, WithSteps(9))
	if err != nil {
		t.Fatal(err)
	}
	whole := mustTrain(t, config.WithSteps(c, 9))
	if got := wait(t, rest, rundir.StopSteps); !bytes.Equal(parameters(t, got.Dir),
		parameters(t, whole.Dir)) {
		t.Error("the resumed run differs")
	}
	c.Columns.Missing = table.MissingMean
	preview, err = inspector.Inspect(context.Background(), c)
	if err != nil || preview.Data.Rows != 60 {
		t.Errorf("%d rows with means, %v", preview.Data.Rows, err)
	}
	if other := mustTrain(t, c); other.Data.SHA256 == whole.Data.SHA256 {
		t.Error("other choices give the same data")
	}
	info, err := rundir.Find(part.ID)
	if err != nil {
		t.Fatal(err)
	}
	if fork, err := config.Fork(info, nil); err != nil || fork.Field(rundir.ColumnsField) != "missing=drop" {
		t.Errorf("the fork has %q, %v", fork.Field(rundir.ColumnsField), err)
	}
	if fork, err := config.Fork(info, map[string]string{
		rundir.ColumnsField: "missing=mean,ignore=2",
	}); err != nil || fork.Field(rundir.ColumnsField) != "ignore=2,missing=mean" {
		t.Errorf("the fork with other choices has %q, %v", fork.Field(rundir.ColumnsField), err)
	}
	if fork, err := config.Fork(info, map[string]string{
		rundir.DatasetField: "steps",
	}); err != nil || !fork.Columns.IsZero() {
		t.Errorf("the fork on other data has %+v, %v", fork.Columns, err)
	}
}

// A run records the columns of its inputs. A run that lacks them records them when it is resumed.
func TestInputColumnsAreRecorded(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	c := gradesConfig(gradesFile(t), 4)
	c.Targets = []string{"-1:number"}
	c.Columns = table.Choices{Missing: table.MissingDrop}
	const want = "[{x2 0 1 []} {x3 1 3 [blue green red]}]"
	s := mustTrain(t, c)
	recorded, err := rundir.ReadConfig(s.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(s.Data.Columns); got != want || fmt.Sprint(recorded.Data.Columns) != want {
		t.Errorf("columns %s, recorded %v, want %s", got, recorded.Data.Columns, want)
	}
	if fit := s.Diagnostics.Fit; len(fit.Lines) != 2 || fit.Lines[1].Category == nil ||
		fit.Lines[1].Name != "x3" {
		t.Errorf("a fit along %q", fit.Inputs)
	}
	path := filepath.Join(s.Dir, "config.json")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	earlier := regexp.MustCompile(`(?s)"columns": \[.*?\}\s*\],\s*`).ReplaceAll(text, nil)
	if len(earlier) == len(text) {
		t.Fatalf("no columns in %s", text)
	}
	if err := os.WriteFile(path, earlier, 0o644); err != nil {
		t.Fatal(err)
	}
	rest, err := Resume(context.Background(), s.ID, WithSteps(6))
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(wait(t, rest, rundir.StopSteps).Data.Columns); got != want {
		t.Errorf("after resuming the columns are %s", got)
	}
	recorded.Data.Columns[1].Levels[0] = "azure"
	if recorded.Data.Equal(s.Data) {
		t.Error("other levels give the same data")
	}
}

// Inputs that encode a category and are the same in all training rows are listed.
func TestConstantIndicators(t *testing.T) {
	columns := []datasets.InputColumn{
		{Name: "a", Width: 1},
		{Name: "b", First: 1, Width: 3, Levels: []string{"x", "y", "z"}},
		{Name: "c", First: 4, Width: 1},
	}
	x := mat.NewDense(3, 5, []float64{
		7, 1, 0, 0, 7,
		7, 0, 0, 1, 7,
		7, 1, 0, 0, 7,
	})
	if got := constantIndicators(columns, x); !slices.Equal(got, []int{2}) {
		t.Errorf("constant inputs %v, want 2", got)
	}
}
