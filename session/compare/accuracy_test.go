package compare

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dgplab/session/rundir"
)

// report writes the report lines of a run: a validation every 100 steps, which take a second each.
func report(t *testing.T, r rundir.Info, validations ...float64) {
	t.Helper()
	var text []byte
	for i, value := range validations {
		p := rundir.Point{Step: 100 * (i + 1), Seconds: float64(i + 1), ValLogLik: value}
		text = append(p.AppendJSON(text, ""), '\n')
	}
	if err := os.WriteFile(filepath.Join(r.Dir, "metrics.jsonl"), text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// The time to accuracy is the time of the first validation that is close enough to the best of all methods
// on the same split and seed.
func TestAccuracy(t *testing.T) {
	runs := savedGrid(t, []string{"slow", "fast", "poor"}, []string{"boston"}, 2, 1)
	nan := math.NaN()
	report(t, runs[0], -3, -2, -1.04, -1)
	report(t, runs[1], -3, -2.04, nan, -2)
	report(t, runs[2], -1.05, -1.2)
	report(t, runs[3], -2.2, -2.1)
	report(t, runs[4], -4, -3.5)
	report(t, runs[5], -4, nan, nan, -3)
	a, err := Group(runs).Accuracy(0.05)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i, method := range a.Methods {
		c := a.Cells[i][0]
		got = append(got, fmt.Sprintf("%s %.4g s, step %.4g, %d of %d, gap %.4g", method,
			float64(c.Seconds.Mean), float64(c.Steps), c.Reached, c.Runs, float64(c.Gap)))
	}
	want := []string{
		"slow 2.5 s, step 250, 2 of 2, gap 0",
		"fast 1 s, step 100, 1 of 2, gap 0.075",
		"poor NaN s, step NaN, 0 of 2, gap 1.75",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	text := a.Sheet().Markdown()
	for _, cell := range []string{"| 1.000 [1 of 2] |", "| - [1.750] |"} {
		if !strings.Contains(text, cell) {
			t.Errorf("no cell %q in\n%s", cell, text)
		}
	}
	for _, r := range runs {
		report(t, r, nan)
	}
	if _, err := Group(runs).Accuracy(0.05); err == nil {
		t.Error("runs without validations have a time to accuracy")
	}
}
