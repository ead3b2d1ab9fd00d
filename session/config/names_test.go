package config

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"dgplab/datasets"
)

// TestFindDataset looks up built-in and unknown data sets, a data set that is not downloaded, and a file.
func TestFindDataset(t *testing.T) {
	t.Setenv("DGPLAB_CACHE", t.TempDir())
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.WriteFile("rows.csv", []byte("a,b\n1,2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if name, err := findDataset("steps"); name != "steps" || err != nil {
		t.Errorf("a built-in data set: %q, %v", name, err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if name, err := findDataset("rows.csv"); name != filepath.Join(here, "rows.csv") || err != nil {
		t.Errorf("a file: %q, %v", name, err)
	}
	var unknown *datasets.UnknownError
	if name, err := findDataset("nothing"); name != "" || !errors.As(err, &unknown) ||
		unknown.Name != "nothing" {
		t.Errorf("an unknown data set: %q, %v", name, err)
	}
	var absent *datasets.NotFetchedError
	if name, err := findDataset("boston"); name != "" || !errors.As(err, &absent) || absent.Name != "boston" {
		t.Errorf("a data set that is not downloaded: %q, %v", name, err)
	}
}

// TestSplits parses splits of a data set. An empty text selects the default split.
func TestSplits(t *testing.T) {
	ds, err := datasets.Load(t.Context(), datasets.Source{Name: "steps"})
	if err != nil {
		t.Fatal(err)
	}
	want := datasets.DefaultSplit(ds).String()
	if split, err := SplitOf(ds, ""); err != nil || split.String() != want {
		t.Errorf("the default split is %s (%v), want %s", split, err, want)
	}
	if split, err := SplitOf(ds, "interpolation:3"); err != nil || split.String() != "interpolation:3" {
		t.Errorf("interpolation:3 is %s (%v)", split, err)
	}
	for _, text := range []string{"nonsense", "interpolation:x", "outputs:gone:1"} {
		if _, err := SplitOf(ds, text); err == nil {
			t.Errorf("%s: no error", text)
		}
	}
}
