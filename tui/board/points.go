package board

import (
	"io"
	"math"
	"slices"
	"strconv"

	"dgplab/session"
	"dgplab/session/metric"
	"dgplab/session/rundir"
	"dgplab/tui/report"
	"dgplab/viz/figure"
)

// exportTitle returns the common part of the titles of pictures of all runs: the data set if all runs use the
// same, and the family of a single run.
func (b *Board) exportTitle() string {
	s := b.Snapshot()
	runs := report.Plural(len(b.Runs), "run", "runs")
	switch {
	case s == nil || b.anyRun(func(o *session.Snapshot) bool { return o.Dataset != s.Dataset }):
		return runs
	case len(b.Runs) == 1:
		return metric.DatasetName(s.Dataset) + ", " + s.Family
	}
	return metric.DatasetName(s.Dataset) + ", " + runs
}

// shownTitle returns the common part of the titles of pictures of the runs that stand for their groups: the
// data set and the split if all of them use the same, and the family of a single run.
func (b *Board) shownTitle() string {
	s := b.Snapshot()
	if len(b.Runs) == 1 || s == nil {
		return b.exportTitle()
	}
	other := func(what func(*session.Snapshot) string) bool {
		return slices.ContainsFunc(b.representativeRuns(), func(r *Run) bool {
			return r.Snapshot != nil && what(r.Snapshot) != what(s)
		})
	}
	switch {
	case other(func(s *session.Snapshot) string { return s.Dataset }):
		return report.Plural(len(b.representatives()), "run", "runs")
	case s.Split == "" || other(func(s *session.Snapshot) string { return s.Split }):
		return metric.DatasetName(s.Dataset)
	}
	return metric.DatasetName(s.Dataset) + ", " + s.Split
}

// pointsTable returns the points of the curves on the screen, which are thinned in long runs. The file
// metrics.jsonl of a run always has all points. If there are several runs, each row begins with the ID and
// the label of its run.
func (b *Board) pointsTable() report.Figure {
	terms, name, first := b.terms(), "curves", []string{"run", "label"}
	if len(b.Runs) == 1 {
		name, first = "curve", nil
	}
	type curve struct {
		first  []string
		points []rundir.Point
	}
	var all []curve
	for _, r := range b.Runs {
		if r.Snapshot != nil {
			all = append(all, curve{[]string{r.ID, r.Label}[:len(first)], r.Snapshot.Curve})
		}
	}
	return report.Figure{Name: name, CSV: func(w io.Writer) error {
		t := figure.NewTable(w, slices.Concat(first, []string{"step", "seconds", "objective"}, terms,
			[]string{"val_log_lik"})...)
		for _, r := range all {
			writePoints(t, r.points, terms, r.first)
		}
		return t.Close()
	}}
}

// terms returns the keys of the terms of the objectives of all runs.
func (b *Board) terms() (keys []string) {
	for _, r := range b.Runs {
		if r.Snapshot == nil {
			continue
		}
		for _, term := range r.Snapshot.ObjectiveIs.Terms {
			if !slices.Contains(keys, term.Key) {
				keys = append(keys, term.Key)
			}
		}
	}
	return keys
}

// withNumbers appends numbers, formatted by text, to the fields of a row.
func withNumbers(row []string, text func(float64) string, values ...float64) []string {
	for _, v := range values {
		row = append(row, text(v))
	}
	return row
}

// writePoints writes a row for each point, beginning with the fields in first. Values that were not measured
// are empty. Errors are kept in t.
func writePoints(t *figure.Table, points []rundir.Point, terms, first []string) {
	for _, p := range points {
		row := append(slices.Clone(first), strconv.Itoa(p.Step))
		values := []float64{p.Seconds, p.Objective}
		for _, key := range terms {
			values = append(values, p.Reading(key))
		}
		for _, v := range append(values, p.ValLogLik) {
			text := ""
			if !math.IsNaN(v) {
				text = figure.Exact(v)
			}
			row = append(row, text)
		}
		t.Row(row...)
	}
}
