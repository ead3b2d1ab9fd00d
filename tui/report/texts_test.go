package report

import (
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"dgplab/datasets/table"
	"dgplab/models/view"
	"dgplab/session"
	"dgplab/session/compare"
	"dgplab/session/metric"
	"dgplab/session/rundir"
	"dgplab/session/sweep"
	"dgplab/viz/canvas"
	"dgplab/viz/figure"
	"dgplab/viz/plots"
)

// Numbers that were not measured are NaN in every format, and a date is a local time.
func TestUnusualNumbers(t *testing.T) {
	nan := math.NaN()
	second := time.Date(2026, 11, 26, 4, 5, 6, 0, time.Local)
	for got, want := range map[string]string{
		Share(nan): "NaN", Share(0.1234): "12.3%",
		Mean(metric.Get("rmse"), compare.Score{N: 2, Mean: rundir.Number(nan)}): "NaN",
		Format(metric.Column{Format: metric.Time}, nan):                         "NaN",
		Format(metric.Column{Format: metric.Date}, float64(second.Unix())):      "2026-11-26 04:05:06",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Twelve excluded runs are named, and the others are counted.
func TestRemarksOnManyRuns(t *testing.T) {
	r := &compare.Report{Set: &compare.Set{Notes: []string{"few"}}}
	for i := range 14 {
		r.LeftOut = append(r.LeftOut, compare.LeftOut{ID: fmt.Sprint("run", i), Why: "failed"})
	}
	list := Remarks(r, []string{"no comparison"})
	if len(list) != 15 || list[11] != "excluded: run11: failed" || list[12] != "excluded: 2 more" ||
		list[13] != "note: few" || list[14] != "no comparison" {
		t.Errorf("%q", list)
	}
	r.LeftOut = r.LeftOut[:12]
	if list := Remarks(r, nil); len(list) != 13 || list[11] != "excluded: run11: failed" {
		t.Errorf("%q", list)
	}
}

// The footnote on marks explains only the marks that occur.
func TestMarksInFootnotes(t *testing.T) {
	notes := []string{"tied: not worse than the best (p > 0.05)", "other"}
	for _, c := range []struct {
		entry compare.Entry
		want  string
	}{
		{compare.Entry{}, "[other]"},
		{compare.Entry{Best: true}, "[* best (p > 0.05) other]"},
		{compare.Entry{Tied: true}, "[* best; ~ not worse than the best (p > 0.05) other]"},
	} {
		s := compare.Sheet{Notes: notes, Rows: [][]compare.Entry{{{Text: "1"}, c.entry}}}
		if got := fmt.Sprint(SheetNotes(s)); got != c.want {
			t.Errorf("%+v: %s, want %s", c.entry, got, c.want)
		}
	}
}

// A decision without a kept setting names no best one.
func TestDecisions(t *testing.T) {
	d := sweep.Decision{Ranking: make([]sweep.Ranked, 1)}
	if got := Decision(d); got != "0 of 1 setting kept" {
		t.Errorf("%q", got)
	}
}

// The end of a run mentions its checkpoint, unless there is none.
func TestCheckpointTexts(t *testing.T) {
	for step, want := range map[int]string{-1: "", 70: "; checkpoint kept",
		1060: "; checkpoint at step 1,060 kept"} {
		s := &session.Snapshot{Summary: rundir.Summary{Step: 70}, CheckpointStep: step}
		if got := checkpointText(s); got != want {
			t.Errorf("checkpoint at step %d: %q, want %q", step, got, want)
		}
	}
}

// Chains without tested quantities have no R-hat.
func TestMixingTexts(t *testing.T) {
	s := &view.ChainsSummary{Chains: 4, Draws: 100}
	if got := MixingText(s); got != "4 with 100 draws each" {
		t.Errorf("%q", got)
	}
	s.Tested, s.Unmixed, s.Worst, s.Rhat = 2, 1, "noise", 1.2
	if got := MixingText(s); !strings.Contains(got, "R-hat up to 1.200 (noise)") ||
		!strings.Contains(got, "1 of 2 beyond R-hat") {
		t.Errorf("%q", got)
	}
}

// Points on an axis of levels are spread around their levels, and others keep their places.
func TestPointsOfLevels(t *testing.T) {
	p := &view.Plane{X: []float64{0, 1}, Y: []float64{0, 1}, Inputs: [2]string{"a", "b"},
		YCategory: &view.Category{Names: []string{"low", "high"}},
		Fields:    []view.Field{{Name: "mean", Values: make([]float64, 4)}},
		Points:    []view.PlanePoints{{Name: "data", X: []float64{0.5, 0.5}, Y: []float64{1, 1}}}}
	p.Inputs, p.Units = [2]string{"date", "b"}, [2]string{"days since 1970", ""}
	m := Plane(p, 0)
	if m.XDates.Name != "date" || m.XDates.Unit != 86400 || m.YName != "b" {
		t.Errorf("axes %+v, %s", m.XDates, m.YName)
	}
	points := m.Points[0]
	if points.X[0] != 0.5 || points.X[1] != 0.5 || points.Y[0] == points.Y[1] ||
		math.Abs(points.Y[0]-1) > 0.5 || math.Abs(points.Y[1]-1) > 0.5 {
		t.Errorf("%+v", points)
	}
}

// More distinct values than are counted are marked.
func TestManyDistinctValues(t *testing.T) {
	for n, want := range map[int]string{0: "", 7: "7", table.MaxDistinct: fmt.Sprint(table.MaxDistinct),
		table.MaxDistinct + 1: fmt.Sprint("> ", table.MaxDistinct)} {
		if got := ColumnRow(&table.Column{Distinct: n}, canvas.Style{}, 8)[5]; got != want {
			t.Errorf("%d values: %q, want %q", n, got, want)
		}
	}
}

// The type of a category tells the number of its levels, unless the column lists none.
func TestTypesOfCategories(t *testing.T) {
	for n, want := range map[int]string{0: "category", 3: "category of 3"} {
		c := &table.Column{Kind: table.Category, Levels: make([]table.Level, n), Distinct: 5}
		if got := ColumnRow(c, canvas.Style{}, 8)[2]; got != want {
			t.Errorf("%d levels: %q, want %q", n, got, want)
		}
	}
}

// A page with a picture that cannot be drawn is an error.
func TestPageWithABadPicture(t *testing.T) {
	far := []float64{-math.MaxFloat64, math.MaxFloat64}
	bad := plots.Bands{X: []float64{0, 1}, Bands: []plots.Band{{Mean: far, SD: []float64{1, 1}}}}
	p := Page{Title: "A run", Sections: []PageSection{{Title: "Pictures",
		Figures: []Figure{NewFigure("bands", bad, figure.Options{})}}}}
	if err := p.Write(io.Discard); err == nil || !strings.Contains(err.Error(), "too far apart to draw") {
		t.Errorf("%v", err)
	}
}
