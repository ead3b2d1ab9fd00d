package dash

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session"
	"dgplab/session/metric"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz"
	"dgplab/viz/figure"
)

// exportFile is one file of an export.
type exportFile struct {
	name  string
	write func(io.Writer) error
}

// export writes all pictures into the directory of the chosen run, in the background. Snapshots are
// immutable, so all files show the same step.
func (d *Dash) export() tea.Cmd {
	r := d.current()
	switch {
	case r == nil:
		return d.host.Say(kit.Calm, "there is no run yet")
	case d.exporting:
		return nil
	case r.run == nil && r.record == nil:
		return d.host.Say(kit.Calm, d.waiting(r))
	}
	d.exporting = true
	return tea.Batch(d.host.Say(kit.Calm, "exporting"), writeAll(r.directory(), d.exportFiles()))
}

// exporter writes the files of an export.
type exporter interface {
	Dir() string
	WriteFile(name string, write func(io.Writer) error) (path string, err error)
}

// directory returns the directory of the run.
func (r *watchedRun) directory() exporter {
	if r.run != nil {
		return r.run
	}
	return r.record
}

// writeAll writes files. It skips empty pictures.
func writeAll(to exporter, files []exportFile) tea.Cmd {
	return func() tea.Msg {
		msg := exportDoneMsg{dir: to.Dir()}
		for _, f := range files {
			_, err := to.WriteFile(f.name, f.write)
			if errors.Is(err, figure.ErrNothing) {
				continue // For example, there are no validation points.
			}
			if err != nil {
				msg.err = fmt.Errorf("%s: %w", f.name, err)
				return msg
			}
			msg.files = append(msg.files, f.name)
		}
		if len(msg.files) == 0 {
			msg.err = errors.New("there is nothing to export yet")
		}
		return msg
	}
}

// exportDone reports the result of an export.
func (d *Dash) exportDone(msg exportDoneMsg) tea.Cmd {
	d.exporting = false
	if msg.err != nil {
		return d.host.Say(kit.Bad, "export failed: "+msg.err.Error())
	}
	return d.host.Say(kit.Good, "exported "+strconv.Itoa(len(msg.files))+" files to "+msg.dir)
}

// exportFiles returns the files of an export: pictures and tables of all panels. Curves have the
// axes, the window and the smoothing of the screen. Runs have their full names.
func (d *Dash) exportFiles() (files []exportFile) {
	s := d.scene()
	s.full = true
	for _, p := range d.allPanels() {
		files = append(files, p.exportFiles(s)...)
	}
	return files
}

// exportTitle returns the part of a title that pictures of all runs share: the data set, if all
// runs use the same, and the family of a single run.
func (d *Dash) exportTitle() string {
	s := d.snap()
	runs := report.Plural(len(d.runs), "run", "runs")
	switch {
	case s == nil || d.anyRun(func(o *session.Snapshot) bool { return o.Dataset != s.Dataset }):
		return runs
	case len(d.runs) == 1:
		return metric.DatasetName(s.Dataset) + ", " + s.Family
	}
	return metric.DatasetName(s.Dataset) + ", " + runs
}

// figureFiles returns a picture as PNG and as SVG.
func figureFiles(name string, p viz.Picture, o figure.Options) (files []exportFile) {
	for _, format := range []figure.Format{figure.PNG, figure.SVG} {
		files = append(files, exportFile{name + "." + string(format), func(w io.Writer) error {
			drawn, err := p.Figure(o)
			if err != nil {
				return err
			}
			return drawn.Write(w, format)
		}})
	}
	return files
}

// pictureFiles returns a picture as CSV, as PNG and as SVG.
func pictureFiles(name string, p viz.Picture, o figure.Options) []exportFile {
	return filesWithCSV(name, p.CSV, p, o)
}

// filesWithCSV is like pictureFiles, but with a different CSV file.
func filesWithCSV(
	name string, csv func(io.Writer) error, p viz.Picture, o figure.Options,
) []exportFile {
	return append([]exportFile{{name + ".csv", csv}}, figureFiles(name, p, o)...)
}

// pointsFile returns the points of the curves as the screen shows them: all of them in a short run,
// thinned in a long one. The file metrics.jsonl of a run always has all points. If there are
// several runs, each row begins with the ID and the label of its run.
func (d *Dash) pointsFile() exportFile {
	terms, name, first := d.terms(), "curves.csv", []string{"run", "label"}
	if len(d.runs) == 1 {
		name, first = "curve.csv", nil
	}
	type curve struct {
		first  []string
		points []rundir.Point
	}
	var all []curve
	for _, r := range d.runs {
		if r.snap != nil {
			all = append(all, curve{[]string{r.id, r.label}[:len(first)], r.snap.Curve})
		}
	}
	return exportFile{name, func(w io.Writer) error {
		t := figure.NewTable(w, slices.Concat(first, []string{"step", "seconds", "objective"}, terms,
			[]string{"val_log_lik"})...)
		for _, r := range all {
			writePoints(t, r.points, terms, r.first)
		}
		return t.Close()
	}}
}

// terms returns the keys of the terms of the objectives of all runs.
func (d *Dash) terms() (keys []string) {
	for _, r := range d.runs {
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

// writePoints writes a row for each point, beginning with the fields of first. A value that was not
// measured is empty. Errors are kept in t.
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
