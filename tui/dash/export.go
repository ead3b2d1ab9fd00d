package dash

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session"
	"dgplab/session/metric"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz/figure"
)

// export writes the pictures and tables that apply to the runs on the screen, in the background:
// into the directory of a single run, or into a folder for several runs (see sweep.OpenExports).
// Snapshots are immutable, so all files show the same step.
func (d *Dash) export() tea.Cmd {
	r := d.current()
	switch {
	case d.exporting:
		return d.host.Say(kit.Calm, "an export is in progress")
	case r.run == nil && r.record == nil:
		return d.host.Say(kit.Calm, d.waiting(r))
	}
	var ids []string
	for _, r := range d.runs {
		ids = append(ids, r.id)
	}
	figures := d.figures()
	x := &exporting{figures: figures, files: report.Files(figures, exportFormats...)}
	if len(x.files) == 0 {
		return d.host.Say(kit.Calm, "there is nothing to export yet")
	}
	d.exporting = true
	e := d.engine
	return tea.Batch(d.host.Hold(kit.Calm, "exporting "+describeFigures(figures)), func() tea.Msg {
		x.err = kit.Try(func() (err error) {
			x.folder, err = e.Exports(ids)
			return err
		})
		return exportedMsg{x}
	})
}

// exportFormats holds the formats of exported pictures and tables.
var exportFormats = []figure.Format{report.CSV, figure.PNG, figure.SVG}

// Exports is the open folder of an export.
type Exports interface {
	Path() string
	// WriteFile writes a file atomically. It replaces only files of earlier exports.
	WriteFile(name string, write func(io.Writer) error) (path string, err error)
	Close() error
}

// exporting is an export in progress.
type exporting struct {
	figures []report.Figure
	files   []report.File
	folder  Exports // nil until it is open
	done    int     // number of files that were written or skipped
	written []string
	err     error
}

// next writes the next file. It skips empty pictures, such as the validation without validation points.
func (x *exporting) next() tea.Msg {
	f := x.files[x.done]
	err := kit.Try(func() error {
		_, err := x.folder.WriteFile(f.Name, f.Write)
		return err
	})
	switch {
	case err == nil:
		x.written = append(x.written, f.Name)
	case !errors.Is(err, figure.ErrNothing):
		x.err = fmt.Errorf("%s: %w", f.Name, err)
	}
	x.done++
	return exportedMsg{x}
}

// exported shows the progress of an export and continues it. The final message stays until the next key.
func (d *Dash) exported(x *exporting) tea.Cmd {
	if x.err == nil && x.done < len(x.files) {
		return tea.Batch(x.next, d.host.Hold(kit.Calm, fmt.Sprintf("exporting %d of %d: %s to %s",
			x.done+1, len(x.files), x.files[x.done].Name, x.folder.Path())))
	}
	d.exporting = false
	if x.folder != nil {
		x.err = errors.Join(x.err, x.folder.Close())
	}
	switch n := len(x.written); {
	case x.err != nil && n > 0:
		return d.host.Hold(kit.Bad, fmt.Sprintf("export failed after %s: %v",
			report.Plural(n, "file", "files"), x.err))
	case x.err != nil:
		return d.host.Hold(kit.Bad, "export failed: "+x.err.Error())
	case n == 0:
		return d.host.Hold(kit.Calm, "there is nothing to export yet")
	}
	return d.host.Hold(kit.Good, fmt.Sprintf("exported %s to %s",
		report.Plural(len(x.written), "file", "files"), x.folder.Path()))
}

// describeFigures returns a list of the panels of figures.
func describeFigures(list []report.Figure) string {
	var names []string
	for _, f := range list {
		if !slices.Contains(names, f.Panel) {
			names = append(names, f.Panel)
		}
	}
	return strings.Join(names, ", ") + " as PNG, SVG and CSV"
}

// figures returns the figures of all panels that apply to the runs on the screen. Curves have the axes, the
// window and the smoothing of the screen. Runs have their full labels. Panels about a single run have a
// figure for each run, with the number of the run in the file name.
func (d *Dash) figures() (list []report.Figure) {
	for page := range d.pages {
		_, name, _ := strings.Cut(d.pages[page].name, " ")
		for _, f := range d.figuresOf(page) {
			f.Page = name
			list = append(list, f)
		}
	}
	return list
}

// figuresOf returns the figures of a page.
func (d *Dash) figuresOf(page int) (list []report.Figure) {
	s := d.scene()
	s.full = true
	for _, p := range d.panels(page) {
		if len(d.runs) == 1 || p.all {
			list = append(list, p.exported(s)...)
			continue
		}
		for _, i := range d.representatives() {
			for _, f := range p.exported(s.choosing(i)) {
				f.Name += fmt.Sprintf("-run-%d", i+1)
				if f.Options.Title != "" {
					f.Options.Title += ", " + d.runs[i].label
				}
				list = append(list, f)
			}
		}
	}
	return list
}

// choosing returns the scene with another selected run.
func (s scene) choosing(run int) scene {
	other := *s.Board
	other.chosen = run
	s.Board = &other
	return s
}

// exportTitle returns the common part of the titles of pictures of all runs: the data set if all runs use the
// same, and the family of a single run.
func (b *Board) exportTitle() string {
	s := b.snap()
	runs := report.Plural(len(b.runs), "run", "runs")
	switch {
	case s == nil || b.anyRun(func(o *session.Snapshot) bool { return o.Dataset != s.Dataset }):
		return runs
	case len(b.runs) == 1:
		return metric.DatasetName(s.Dataset) + ", " + s.Family
	}
	return metric.DatasetName(s.Dataset) + ", " + runs
}

// pointsTable returns the points of the curves on the screen, which are thinned in long runs. The file
// metrics.jsonl of a run always has all points. If there are several runs, each row begins with the ID and
// the label of its run.
func (b *Board) pointsTable() report.Figure {
	terms, name, first := b.terms(), "curves", []string{"run", "label"}
	if len(b.runs) == 1 {
		name, first = "curve", nil
	}
	type curve struct {
		first  []string
		points []rundir.Point
	}
	var all []curve
	for _, r := range b.runs {
		if r.snap != nil {
			all = append(all, curve{[]string{r.id, r.label}[:len(first)], r.snap.Curve})
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
	for _, r := range b.runs {
		if r.snap == nil {
			continue
		}
		for _, term := range r.snap.ObjectiveIs.Terms {
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
