package session

import (
	"bytes"
	"context"
	"encoding/csv"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"dgplab/datasets"
	"dgplab/models"
	"dgplab/models/view"
	"dgplab/session/probe"
)

// drawn trains a small run of a family and returns a reader of its predictions with joint draws, and its
// fit.
func drawn(t *testing.T, name string) (func(table string, draws int) ([][]string, error), *view.Fit) {
	t.Helper()
	spec, err := models.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	record := trained(t, realConfig(spec))
	var fit *view.Fit
	err = rebuild(context.Background(), record, options{env: realEnvironment()}, "testing", true,
		func(tr *trainer, _ *datasets.Dataset) (err error) {
			fit, err = tr.probe.Fit(context.Background(), 1)
			return err
		})
	if err != nil {
		t.Fatal(err)
	}
	return func(table string, draws int) ([][]string, error) {
		var out bytes.Buffer
		_, err := Predict(context.Background(), record, "new.csv", strings.NewReader(table), &out,
			PredictOptions{RowOptions: probe.RowOptions{Draws: draws}})
		if err != nil {
			return nil, err
		}
		return csv.NewReader(&out).ReadAll()
	}, fit
}

// The fit and the table of predictions have the same functions at the same points.
func TestJointDraws(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	for _, name := range []string{"gp", "dsdgp", "dgp-ess"} {
		predict, fit := drawn(t, name)
		var grid strings.Builder
		grid.WriteString("x\n")
		for _, x := range fit.Lines[0].Grid {
			grid.WriteString(strconv.FormatFloat(x, 'g', -1, 64) + "\n")
		}
		draws := fit.Lines[0].Draws[0]
		lines, err := predict(grid.String(), len(draws))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for c, draw := range draws {
			column := slices.Index(lines[0], "y_draw"+strconv.Itoa(c+1))
			if column < 0 {
				t.Fatalf("%s: the columns are %q", name, lines[0])
			}
			for i, want := range draw {
				// The covariance of a fine grid amplifies the rounding of inputs to text.
				got, err := strconv.ParseFloat(lines[i+1][column], 64)
				if err != nil || math.Abs(got-want) > 1e-4 {
					t.Fatalf("%s, draw %d at point %d: %v, want %v (%v)", name, c, i, got, want, err)
				}
			}
		}
		if _, err := predict("x\n"+strings.Repeat("0\n", 4001), 1); err == nil ||
			!strings.Contains(err.Error(), "no more than 4000 rows") {
			t.Errorf("%s, many rows: %v", name, err)
		}
		if lines, err := predict("x\n", 2); err != nil || len(lines) != 1 {
			t.Errorf("%s, no rows: %q (%v)", name, lines, err)
		}
	}
}

// Models without a joint posterior over points refuse joint draws.
func TestNoJointDraws(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	for name, want := range map[string]string{
		"idsgp": "its own inducing points", "dspp": "quadrature points",
	} {
		predict, fit := drawn(t, name)
		if _, err := predict("x\n1\n", 2); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
		if len(fit.Lines[0].Draws) == 0 {
			t.Errorf("%s: the fit has no draws", name)
		}
	}
}
