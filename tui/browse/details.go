package browse

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"dgplab/session/config"
	"dgplab/session/metric"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz/tables"
)

// maxCompared is the maximum number of marked runs that the selected run is compared with.
const maxCompared = 4

// detailsPart draws the second part of the screen: the file picker, the form of a fork, or the
// details of the selected run.
func (b *Browse) detailsPart(r kit.Rect) kit.Content {
	if b.picking() {
		return kit.Content{Title: "Pick a file", Lines: b.picker.Lines(b.theme, r.W, r.H)}
	}
	if b.form != nil {
		return kit.Content{
			Title: "Fork of " + label(&b.form.parent),
			Note:  report.Plural(len(b.form.changes()), "change", "changes"),
			Lines: b.formBody(r.W, r.H),
		}
	}
	run := b.current()
	if run == nil || r.Empty() {
		return kit.Content{Title: "Details"}
	}
	lines, note := b.details.Window(b.detailLines(r.W), r.H)
	return kit.Content{Title: "Details", Note: note, Lines: lines, Bar: b.details.Bar()}
}

// detailLines returns the details of the selected run in lines of w cells.
func (b *Browse) detailLines(w int) []string {
	run := b.current()
	d := &lines{theme: b.theme, w: w}
	b.identity(d, run)
	b.differences(d, run)
	b.notes(d, run)
	b.results(d, run)
	b.curves(d, run)
	rows := b.predicted[run.ID]
	d.add("new rows", rows.text, rows.tone, rows.tone == kit.Bad)
	if len(run.Config.Set) > 0 {
		var given []string
		for _, name := range slices.Sorted(maps.Keys(run.Config.Set)) {
			given = append(given, name+"="+run.Config.Set[name])
		}
		d.add("set", strings.Join(given, " "), kit.Calm, false)
	}
	return d.rows
}

// lines holds rows with a name and wrapped text next to it.
type lines struct {
	theme *kit.Theme
	w     int
	rows  []string
}

// nameWidth is the width of the column of names.
const nameWidth = 9

// add adds a row unless the text is empty. If marked is true, the row is drawn in the tone.
func (l *lines) add(name, text string, tone kit.Tone, marked bool) {
	if text == "" {
		return
	}
	style := l.theme.Text
	if marked {
		style = l.theme.Tone(tone)
	}
	for paragraph := range strings.SplitSeq(text, "\n") {
		for _, row := range kit.Wrap(paragraph, max(l.w-nameWidth, 8)) {
			l.rows = append(l.rows,
				l.theme.Fit(l.theme.Dim.Render(fmt.Sprintf("%-*s", nameWidth, name))+style.Render(row), l.w))
			name = ""
		}
	}
}

// identity adds the name, the ID and the state of the run.
func (b *Browse) identity(d *lines, run *rundir.Info) {
	d.add("name", run.Notes.Name, kit.Calm, true)
	d.add("run", run.ID, kit.Calm, false)
	view := metric.OfInfo(run)
	state := report.Value(view, "state")
	if run.Steps > 0 {
		state += ", step " + strings.TrimSpace(report.Value(view, "step"))
	}
	_, _, tone := b.theme.Glyphs.StateSign(view)
	switch {
	case run.Resumable:
		state += "; R: resume"
		if run.Results != nil && run.Results.Drift.Stable() {
			state += ", S: finish"
		}
	case run.Extendable() && !run.Results.Drift.Overfitting():
		state += "; R: train to step " + report.Grouped(run.Results.ExtendedSteps())
	}
	d.add("state", state, tone, true)
	if run.Err != nil {
		d.add("error", oneLine(run.Err), kit.Bad, true)
	}
	if run.State == rundir.Ended {
		d.add("error", strings.Join(strings.Fields(run.Results.Error), " "), kit.Bad, true)
		for _, a := range run.Results.Alarms {
			d.add("alarm", report.Printable(a.Text)+", since step "+report.Grouped(a.Since), kit.Warn, true)
		}
	}
}

// notes adds the configuration of the run and the user's notes.
func (b *Browse) notes(d *lines, run *rundir.Info) {
	if run.Config.Dataset != "" {
		d.add("data", run.Config.Dataset+", "+run.Config.Split, kit.Calm, false)
		d.add("columns", columnsOf(run.Config), kit.Calm, false)
		d.add("family", run.Config.Family+", seed "+report.Value(metric.OfInfo(run), "seed"), kit.Calm, false)
	}
	d.add("tags", strings.Join(run.Notes.Tags, " "), kit.Calm, false)
	d.add("note", run.Notes.Note, kit.Calm, false)
	if run.NotesErr != nil {
		d.add("notes", "unreadable: "+oneLine(run.NotesErr), kit.Bad, true)
	}
	d.add("created", run.Created.Local().Format("2006-01-02 15:04:05"), kit.Calm, false)
	d.add("sweep", run.Sweep, kit.Calm, false)
	if run.Parent != "" {
		parent := run.Parent
		if p := b.find(parent); p != nil && p.Notes.Name != "" {
			parent = p.Notes.Name + ", " + parent
		}
		d.add("fork of", parent, kit.Calm, false)
	}
	d.add("start", run.WarmStart.Text(), kit.Calm, false)
}

// columnsOf returns the column settings of a configuration, or "" if there are none.
func columnsOf(c rundir.Config) string {
	var parts []string
	for _, target := range c.Targets {
		parts = append(parts, "target "+target)
	}
	return strings.Join(append(parts, c.Columns.Items()...), ", ")
}

// results adds the results of the run.
func (b *Browse) results(d *lines, run *rundir.Info) {
	readings := func(keys ...string) string {
		return strings.Join(report.Readings(metric.OfInfo(run), keys...), ", ")
	}
	if run.State != rundir.Ended {
		d.add("so far", course(run), kit.Calm, false)
		return
	}
	if m := run.Results.Test; m != nil {
		scores := readings("log_lik", "rmse", "crps", "error_rate", "log_loss", "brier", "ece", "coverage95")
		d.add("test", scores+" ("+report.Plural(m.N, "test point", "test points")+")", kit.Calm, false)
		for _, o := range m.Outputs {
			scores := report.Readings(metric.OfScores(o), "rmse", "mae", "crps", "coverage95")
			d.add("output", report.Printable(o.Output)+": "+strings.Join(scores, ", "), kit.Calm, false)
		}
	}
	if best := report.Value(metric.OfInfo(run), "val.best"); best != "" {
		d.add(metric.Get("val.best").Short, best+" at step "+report.Grouped(run.Results.BestStep),
			kit.Calm, false)
	}
	if text := report.ScoredText(run.Results.KeptStep, run.Results.Step); text != "" {
		d.add("scored", text, kit.Calm, false)
	}
	if s := run.Results; s.Drift != nil && s.Stop != rundir.StopConverged {
		warn := s.Drift.Improving() || s.Drift.Overfitting()
		tone := kit.Calm
		if warn {
			tone = kit.Warn
		}
		d.add("drift", s.Drift.Text(s.ObjectiveIs.Name), tone, warn)
	}
	text := course(run)
	if run.Results.Rescues > 0 {
		text += ", " + readings("rescues")
	}
	d.add("training", text, kit.Calm, false)
	for _, w := range run.Results.Warnings {
		d.add("warning", report.Printable(w), kit.Warn, true)
	}
	for _, note := range run.Results.Notes {
		d.add("remark", report.Printable(note), kit.Calm, false)
	}
}

// differences adds the differences between the configurations of the run and the marked runs, or
// its parent if no run is marked.
func (b *Browse) differences(d *lines, run *rundir.Info) {
	others := slices.DeleteFunc(b.marked(), func(other rundir.Info) bool { return other.ID == run.ID })
	left := max(len(others)-maxCompared, 0)
	others = others[:len(others)-left]
	what := "Differences from marked runs"
	if len(others) == 0 {
		parent := b.find(run.Parent)
		if parent == nil || run.Parent == "" {
			return
		}
		others, what = []rundir.Info{*parent}, "Differences from the parent"
	}
	if left > 0 {
		what = fmt.Sprintf("Differences from the first %d marked runs (%d more)", maxCompared, left)
	}
	th := b.theme
	d.rows = append(d.rows, th.Fit(th.Title.Render(what), d.w))
	t := tables.Table{Columns: []tables.Column{{Title: ""}, {Title: "this", Least: 4}}}
	for _, other := range others {
		sign := strings.TrimSpace(b.markSign(other.ID))
		title := sign
		if sign == "" {
			title = "parent"
		}
		d.add(title, label(&other), kit.Calm, false)
		t.Columns = append(t.Columns, tables.Column{Title: title, Least: 4})
	}
	for _, difference := range config.Differences(append([]rundir.Info{*run}, others...)) {
		row := []string{difference.Field}
		for _, value := range difference.Values {
			if value == "" {
				value = "-"
			}
			row = append(row, value)
		}
		t.Rows = append(t.Rows, row)
	}
	if len(t.Rows) == 0 {
		d.rows = append(d.rows, th.Fit(th.Dim.Render("none"), d.w))
	} else {
		d.rows = append(d.rows, t.Render(th.VizStyle(), d.w, len(t.Rows)+1)...)
	}
	d.rows = append(d.rows, "")
}

// course returns the last objective with its terms and the training time.
func course(run *rundir.Info) string {
	view := metric.OfInfo(run)
	parts := report.Readings(view, "objective")
	for _, p := range view.Terms() {
		parts = append(parts, p.Name+" "+report.Number(p.Value))
	}
	return strings.Join(append(parts, report.Readings(view, "seconds")...), ", ")
}
