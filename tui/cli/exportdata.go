package cli

import (
	"fmt"
	"slices"
	"strings"

	"dgplab/datasets"
	"dgplab/session/metric"
	"dgplab/session/rundir"
	"dgplab/tui/board"
	"dgplab/tui/report"
)

// dataSections returns a section on the data of runs for each of their data sets: the rows, the columns and
// the splits, as the runs recorded them.
func dataSections(runs []rundir.Info, shown []*board.Run) (list []report.PageSection) {
	var names []string
	for _, run := range runs {
		if !slices.Contains(names, run.Config.Dataset) {
			names = append(names, run.Config.Dataset)
		}
	}
	for _, name := range names {
		var own []rundir.Info
		var views []*board.Run
		for i, run := range runs {
			if run.Config.Dataset == name {
				own = append(own, run)
				views = append(views, shown[i])
			}
		}
		title := "Data"
		if len(names) > 1 {
			title += ": " + metric.DatasetName(name)
		}
		list = append(list, report.PageSection{Title: title, Facts: dataFacts(name, own, views)})
	}
	return list
}

// dataFacts describes the data of runs on one data set.
func dataFacts(name string, runs []rundir.Info, shown []*board.Run) (rows facts) {
	of := runs[0].Data
	title := metric.DatasetName(name)
	if info, err := datasets.Lookup(name); err == nil && info.Title != "" && info.Kind != datasets.File {
		title += ": " + info.Title
	}
	rows.add("data set", "%s", report.Printable(title))
	rows.add("rows", "%s used", report.Grouped(of.Rows))
	for _, note := range dataNotes(runs, shown) {
		rows.add("", "%s", report.Printable(note))
	}
	inputs, targets := columnNames(shown)
	rows.add("inputs", "%s", columnsText(of, inputs))
	rows.add("targets", "%s", strings.Join(slices.Concat([]string{of.Task.String()}, targets), ", "))
	if len(of.Classes) > 0 && len(of.Counts) == len(of.Classes) {
		rows.add("classes", "%s", classesText(of))
	}
	for i, text := range splitTexts(runs) {
		heading := ""
		if i == 0 {
			heading = "splits"
		}
		rows.add(heading, "%s", text)
	}
	return rows
}

// dataNotes returns the notes that all runs have, except those on adapted values: they are about the data.
func dataNotes(runs []rundir.Info, shown []*board.Run) (list []string) {
	for _, note := range shown[0].Snapshot.Notes {
		adapted := slices.ContainsFunc(runs[0].Adapted, func(a rundir.Adaptation) bool {
			return a.String() == note
		})
		common := !slices.ContainsFunc(shown, func(r *board.Run) bool {
			return !slices.Contains(r.Snapshot.Notes, note)
		})
		if common && !adapted {
			list = append(list, note)
		}
	}
	return list
}

// columnNames returns the names of the input columns and the targets in the views of the runs. They are nil
// if no run has such views.
func columnNames(shown []*board.Run) (inputs, targets []string) {
	for _, r := range shown {
		d := r.Snapshot.Diagnostics
		if d == nil || d.Views.Fit == nil {
			continue
		}
		if !d.Views.Fit.Classes {
			targets = d.Views.Fit.Targets
		}
		return d.Views.Fit.Inputs, targets
	}
	return nil, nil
}

// mostColumns is the maximum number of columns whose names a report lists.
const mostColumns = 40

// columnsText lists the input columns, with their kinds unless all are numbers.
func columnsText(of rundir.DataFacts, names []string) string {
	what := "number"
	if len(of.Columns) > 0 {
		what = "column"
		names = nil
	}
	for _, c := range of.Columns {
		kind := "number"
		if c.Category() {
			kind = fmt.Sprintf("category of %d", len(c.Levels))
		}
		names = append(names, c.Name+" ("+kind+")")
	}
	n := len(names)
	if n == 0 {
		return plural(of.D, "number")
	}
	list := eachOf(names[:min(n, mostColumns)], report.Printable)
	if n > mostColumns {
		list = append(list, fmt.Sprintf("%d more", n-mostColumns))
	}
	text := plural(n, what) + ": " + strings.Join(list, ", ")
	if of.D != n {
		text += fmt.Sprintf("; %s after encoding", plural(of.D, "input"))
	}
	return text
}

// splitTexts describes the splits of runs with the sizes of their parts, one text for splits of equal sizes.
func splitTexts(runs []rundir.Info) (list []string) {
	type sizes struct{ n, validation, test int }
	var of []sizes
	names := map[sizes][]string{}
	for _, run := range runs {
		d := run.Data
		size := sizes{d.N, d.Validation, d.Test}
		if !slices.Contains(of, size) {
			of = append(of, size)
		}
		if !slices.Contains(names[size], run.Config.Split) {
			names[size] = append(names[size], run.Config.Split)
		}
	}
	for _, size := range of {
		list = append(list, fmt.Sprintf("%s: %s training, %s validation, %s",
			strings.Join(names[size], ", "), report.Grouped(size.n), report.Grouped(size.validation),
			plural(size.test, "test point")))
	}
	return list
}
