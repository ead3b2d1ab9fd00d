package cli

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dgplab/session"
	"dgplab/session/compare"
	"dgplab/session/config"
	"dgplab/session/metric"
	"dgplab/session/rundir"
	"dgplab/tui/board"
	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz/canvas"
	"dgplab/viz/figure"
)

// exportPage writes the report on runs. names are the arguments of the command.
func (c *console) exportPage(
	cmd *cobra.Command, f *exportFlags, names []string, runs []rundir.Info, shown []*board.Run,
	figures []report.Figure,
) error {
	var page report.Page
	pictures := pictureSections(figures)
	if len(runs) == 1 {
		page = runPage(runs[0], shown[0].Snapshot)
		page.Sections = slices.Concat(page.Sections[:1], pictures, page.Sections[1:])
	} else {
		var err error
		page, err = comparisonPage(cmd.Context(), names, runs, shown, pictures)
		if err != nil {
			return err
		}
	}
	info, _ := debug.ReadBuildInfo()
	page.Version = versionText(info)
	path := kit.ExpandPath(f.report)
	written, err := rundir.WriteFile(filepath.Dir(path), filepath.Base(path), page.Write)
	if err != nil {
		return err
	}
	return c.write(cmd, output{
		text: func() string { return written + "\n" },
		json: func() any {
			return exported{idsOf(runs, nil), filepath.Dir(path), []string{filepath.Base(path)}}
		},
	})
}

// pictureSections returns a section for each dashboard page that has pictures.
func pictureSections(figures []report.Figure) (list []report.PageSection) {
	for _, f := range figures {
		title := report.Capitalised(f.Page)
		i := slices.IndexFunc(list, func(s report.PageSection) bool { return s.Title == title })
		if i < 0 {
			i = len(list)
			list = append(list, report.PageSection{Title: title})
		}
		list[i].Figures = append(list[i].Figures, f)
	}
	return list
}

// runPage returns the report on a run without its pictures.
func runPage(info rundir.Info, s *session.Snapshot) report.Page {
	page := report.Page{
		Title: cmp.Or(info.Notes.Name, s.Family+" on "+metric.DatasetName(s.Dataset)),
		Lead: fmt.Sprintf("%s on %s, %s, seed %d: %s", s.Family, metric.DatasetName(s.Dataset), s.Split,
			s.Seed, report.StopReason(s)),
		Scores:   pageScores(s),
		Commands: []report.PageCommand{{Line: recordedCommand(info)}},
	}
	if s.State.Going() {
		page.Lead = fmt.Sprintf("%s on %s, %s, seed %d: at step %s", s.Family, metric.DatasetName(s.Dataset),
			s.Split, s.Seed, report.Grouped(s.Step))
	}
	values, learned := facts{}, facts{}
	for _, name := range sortedKeys(info.Values) {
		values.add(name, "%s", info.Values[name])
	}
	for _, q := range s.Hyper {
		learned.add(q.Name, "%s", strings.Join(eachOf(q.Value, canvas.Number), ", "))
	}
	results := slices.DeleteFunc(resultFacts(s), func(fact [2]string) bool { return fact[0] == "run" })
	page.Sections = []report.PageSection{
		{Title: "Results", Alarms: pageAlarms("", s), Facts: results, Sheets: outputSheets(s.Test)},
		{Title: "Learned parameters", Facts: learned,
			Notes: []string{"In standardised units of the inputs and targets."}},
		{Title: "Configuration", Facts: originFacts(info, s)},
		{Title: "Hyperparameters", Facts: values},
	}
	if len(learned) == 0 {
		page.Sections = slices.Delete(page.Sections, 1, 2)
	}
	return page
}

// pageScores returns the usual test scores of a run, with standard errors over the test points if the
// predictions allow them.
func pageScores(s *session.Snapshot) (list []report.PageScore) {
	if s.Test == nil {
		return nil
	}
	for _, key := range append(slices.Clone(compare.UsualMetrics), "coverage95") {
		m := metric.Get(key)
		text := report.Value(metric.OfScores(s.Test), key)
		if text == "" {
			continue
		}
		note := plural(s.Test.N, "test point")
		if se := scoreError(key, s.Predictions); !math.IsNaN(se) {
			note = "± " + report.Format(m, se) + ", standard error over " + note
		}
		list = append(list, report.PageScore{Name: report.Capitalised(m.Name), Value: text, Note: note})
	}
	return list
}

// scoreError returns the standard error of a score over independent test points. The score is a mean, or the
// root of a mean, for which the delta method is used. The result is NaN if it is unknown.
func scoreError(key string, p *rundir.Predictions) float64 {
	if p == nil || p.N < p.Of || p.N < 2 {
		return math.NaN()
	}
	switch {
	case key == "log_lik":
		_, se := meanError(p.LogLik)
		return se
	case key == "rmse" && p.P == 1 && len(p.Mean) == p.N:
		squares := make([]float64, p.N)
		for i, y := range p.Target {
			squares[i] = (y - p.Mean[i]) * (y - p.Mean[i])
		}
		mean, se := meanError(squares)
		return se / (2 * math.Sqrt(mean))
	}
	return math.NaN()
}

// meanError returns the mean of values and its standard error.
func meanError(values []float64) (mean, se float64) {
	n := float64(len(values))
	for _, v := range values {
		mean += v / n
	}
	for _, v := range values {
		se += (v - mean) * (v - mean) / (n * (n - 1))
	}
	return mean, math.Sqrt(se)
}

// pageAlarms returns the alarms and warnings of a run. run is its name, or "" if there is only one run.
func pageAlarms(run string, s *session.Snapshot) (list []string) {
	if run != "" {
		run += ": "
	}
	for _, a := range s.Alarms {
		list = append(list, run+report.Printable(a.Text)+", since step "+report.Grouped(a.Since))
	}
	for _, text := range s.Warnings {
		list = append(list, run+report.Printable(text))
	}
	return list
}

// outputSheets returns a table of the scores of each output if there are several.
func outputSheets(test *rundir.Metrics) []compare.Sheet {
	if test == nil || len(test.Outputs) == 0 {
		return nil
	}
	sheet := compare.Sheet{Title: "scores by output", Names: 1, Columns: []string{"output", "points"}}
	for _, key := range outputMetrics {
		sheet.Columns = append(sheet.Columns, metric.Get(key).Short)
	}
	for _, o := range test.Outputs {
		row := []compare.Entry{{Text: report.Printable(o.Output)}, {Text: report.Grouped(o.N), Number: true}}
		for _, key := range outputMetrics {
			row = append(row, compare.Entry{Text: report.Value(metric.OfScores(o), key), Number: true})
		}
		sheet.Rows = append(sheet.Rows, row)
	}
	return []compare.Sheet{sheet}
}

// comparisonPage returns the report on several runs: the data, the conclusion, the
// direct comparison of the leading method with the others, and then everything else.
func comparisonPage(
	ctx context.Context, names []string, runs []rundir.Info, shown []*board.Run,
	pictures []report.PageSection,
) (report.Page, error) {
	page := report.Page{Title: "Comparison of " + plural(len(runs), "run"), Lead: plural(len(runs), "run")}
	if sweep := runs[0].Sweep; len(names) == 1 && sweep == names[0] {
		page.Title = "Sweep " + sweep
	}
	var labels []string
	for _, r := range board.Of(shown...).Runs {
		labels = append(labels, r.Label)
	}
	alarms := report.PageSection{Title: "Alarms"}
	for i, run := range runs {
		alarms.Alarms = append(alarms.Alarms, pageAlarms(labels[i], shown[i].Snapshot)...)
		page.Commands = append(page.Commands,
			report.PageCommand{Run: labels[i], Line: recordedCommand(run)})
	}
	page.Sections = dataSections(runs, shown)
	r, err := compare.NewReport(runs, compare.ReportOptions{})
	if err != nil {
		page.Sections = append(page.Sections, report.PageSection{Title: "Conclusion",
			Sentences: []string{"No conclusion is supported: " + oneLine(err) + "."}})
	} else {
		page.Lead = report.Extent(r)
		conclusions, err := comparisonSections(ctx, r)
		if err != nil {
			return page, err
		}
		page.Sections = append(page.Sections, conclusions...)
	}
	page.Sections = append(page.Sections, alarms)
	page.Sections = append(page.Sections, pictures...)
	page.Sections = append(page.Sections,
		report.PageSection{Title: "Runs", Sheets: []compare.Sheet{runSheet(labels, shown)}},
		report.PageSection{Title: "Differences", Sheets: differenceSheets(labels, runs)})
	return page, nil
}

// comparisonSections returns the conclusion, the direct comparison, and the tables of scores with their
// ranks.
func comparisonSections(ctx context.Context, r *compare.Report) ([]report.PageSection, error) {
	result := &compared{Report: r}
	tables := report.PageSection{Title: "Scores", Sheets: result.sheets()}
	for _, t := range r.Tables {
		if picture, ok := report.Ranks(t); ok {
			tables.Figures = append(tables.Figures, report.NewFigure("ranks", picture,
				figure.Options{Title: "Average ranks by " + t.Metric.Name, Width: report.PageFigure}))
		}
	}
	if len(r.Tables) > 0 {
		var err error
		result.Direct, result.failed, err = r.Each(ctx, max(r.Tables[0].Leading(), 0), nil)
		if err != nil {
			return nil, err
		}
	}
	tables.Notes = result.remarks()
	list := []report.PageSection{{Title: "Conclusion", Sentences: report.Conclusion(r, result.Direct)}}
	if len(result.Direct) > 0 {
		list = append(list, report.PageSection{Title: "Direct comparison",
			Sheets: []compare.Sheet{compare.DirectSheet(result.Direct)}})
	}
	return append(list, tables), nil
}

// runSheet returns a table of the states and the scores of runs.
func runSheet(labels []string, shown []*board.Run) compare.Sheet {
	keys := []string{"dataset", "split", "seed", "state", "drift", "step", "seconds", "log_lik", "rmse",
		"crps", "error_rate"}
	keys = slices.DeleteFunc(keys, func(key string) bool {
		return !slices.ContainsFunc(shown, func(r *board.Run) bool {
			return report.Value(metric.OfSnapshot(r.Snapshot), key) != ""
		})
	})
	sheet := compare.Sheet{Title: "states and test scores", Names: 1, Columns: []string{"run"}}
	for _, key := range keys {
		sheet.Columns = append(sheet.Columns, metric.Get(key).Short)
	}
	for i, r := range shown {
		row := []compare.Entry{{Text: report.Printable(labels[i])}}
		for _, key := range keys {
			m := metric.Get(key)
			row = append(row, compare.Entry{
				Text:   strings.TrimSpace(report.Value(metric.OfSnapshot(r.Snapshot), key)),
				Number: m.IsNumber(),
			})
		}
		sheet.Rows = append(sheet.Rows, row)
	}
	return sheet
}

// differenceSheets returns a table of the settings that differ, with a row for each run.
func differenceSheets(labels []string, runs []rundir.Info) []compare.Sheet {
	differences := config.Differences(runs)
	if len(differences) == 0 {
		return nil
	}
	sheet := compare.Sheet{Title: "settings that differ", Names: 1, Columns: []string{"run"}}
	for _, d := range differences {
		sheet.Columns = append(sheet.Columns, d.Field)
	}
	for i, label := range labels {
		row := []compare.Entry{{Text: report.Printable(label)}}
		for _, d := range differences {
			row = append(row, compare.Entry{Text: cmp.Or(report.Printable(d.Values[i]), "-"), Number: true})
		}
		sheet.Rows = append(sheet.Rows, row)
	}
	return []compare.Sheet{sheet}
}
