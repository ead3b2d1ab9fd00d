package ablate

import (
	"errors"
	"fmt"
	"testing"

	"dgplab/datasets"
	"dgplab/datasets/columns"
)

// A grid has no columns page and no flags: problems with a file are fixed on the set-up screen.
func TestPlanTrouble(t *testing.T) {
	missing := &datasets.CSVError{
		File:     "f.csv",
		Line:     7,
		Problem:  "the cell is missing",
		Remedies: []columns.Answer{columns.Choose("missing", columns.MissingDrop, "omits such rows")},
	}
	for want, err := range map[string]error{
		"f.csv, line 7: the cell is missing; fix it on the set-up screen's columns " +
			"page": fmt.Errorf("seed=0: %w", missing),
		"f.csv: no rows of numbers": &datasets.CSVError{File: "f.csv", Problem: "no rows of numbers"},
		"no such family":            errors.New("no such family"),
	} {
		if got := planTrouble(err); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
