package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dgplab/datasets"
	"dgplab/models"
	"dgplab/session/rundir"
)

func TestValidateAgainstRealRegistries(t *testing.T) {
	t.Setenv("DGPLAB_CACHE", t.TempDir())
	families := models.Families()
	if len(families) == 0 {
		t.Skip("the registry of families is empty")
	}
	for _, spec := range families {
		for _, h := range allHyperparameters(spec) {
			if err := h.Validate(h.Default); err != nil {
				t.Errorf("%s: default of %s: %v", spec.Name, h.Name, err)
			}
		}
		if err := Validate(rundir.Config{Dataset: "mountaincar", Family: spec.Name}); err != nil {
			t.Errorf("defaults of %s: %v", spec.Name, err)
		}
	}
	name := families[0].Name
	var missing *datasets.NotFetchedError
	if err := Validate(rundir.Config{Dataset: "boston", Family: name}); !errors.As(err, &missing) {
		t.Errorf("a data set that was not fetched: %v", err)
	}
	for _, c := range []rundir.Config{
		{Dataset: "nowhere", Family: name},
		{Dataset: "mountaincar", Family: "nothing"},
		{Dataset: "mountaincar", Family: name, Split: "standard:x"},
	} {
		if err := Validate(c); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%+v: %v", c, err)
		}
	}
	var value *models.ValueError
	err := Validate(rundir.Config{
		Dataset: "mountaincar",
		Family:  name,
		Set:     map[string]string{"test_samples": "0"},
	})
	if !errors.As(err, &value) || value.Name != "test_samples" {
		t.Errorf("bad value: %v", err)
	}
}

func TestComplete(t *testing.T) {
	t.Setenv("DGPLAB_CACHE", t.TempDir())
	t.Chdir(t.TempDir())
	here, err := os.Getwd()
	if err == nil {
		err = os.WriteFile("table.csv", []byte("a,b\n1,2\n"), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ dataset, split, wantDataset, wantSplit string }{
		{"steps", "", "steps", "interpolation:0"},
		{"steps", "extrapolation", "steps", "extrapolation:0"},
		{"steps", "interpolation:007", "steps", "interpolation:7"},
		{"table.csv", "", filepath.Join(here, "table.csv"), "interpolation:0"},
		{"boston", "", "", ""}, // not fetched
		{"other.csv", "", "", ""},
		{"steps", "half", "", ""},
	}
	for _, tt := range tests {
		got, err := Complete(rundir.Config{Dataset: tt.dataset, Family: "svgp", Split: tt.split})
		if (err != nil) != (tt.wantDataset == "") {
			t.Errorf("%s, %q: error %v", tt.dataset, tt.split, err)
		}
		if err == nil && (got.Dataset != tt.wantDataset || got.Split != tt.wantSplit) {
			t.Errorf("%s, %q: %s, %q; want %s, %q",
				tt.dataset, tt.split, got.Dataset, got.Split, tt.wantDataset, tt.wantSplit)
		}
	}
}
