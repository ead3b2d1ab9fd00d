package dash

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz/figure"
)

// export writes the focused panel, the panels of the page, or the pictures and tables of all panels in the
// background. It first asks for the folder and the format if the user has not chosen them yet. Snapshots are
// immutable, so all files show the same step.
func (d *Dash) export(act kit.Action) tea.Cmd {
	r := d.current()
	switch {
	case d.exporting:
		return d.host.Say(kit.Calm, "an export is in progress")
	case r.own == nil && r.record == nil:
		return d.host.Say(kit.Calm, d.waiting(r))
	}
	figures := d.figuresFor(act)
	switch {
	case len(figures) == 0 && (act == actExport || act == actExportTo):
		return d.host.Say(kit.Calm, "this panel has no figure to export")
	case len(figures) == 0:
		return d.host.Say(kit.Calm, "there is nothing to export yet")
	case !d.target.chosen || act == actExportTo:
		d.prompt = newExportPrompt(figures, d.target)
		return nil
	}
	return d.write(figures)
}

// figuresFor returns the figures of an action.
func (d *Dash) figuresFor(act kit.Action) []report.Figure {
	switch act {
	case actExportPage:
		return d.ShownFigures(d.Panels(d.onPage())...)
	case actExportAll:
		return d.Figures()
	}
	return d.ShownFigures(d.Focused())
}

// write writes figures in the chosen format to the chosen folder.
func (d *Dash) write(figures []report.Figure) tea.Cmd {
	x := &exporting{files: filesOf(figures, d.target.format)}
	for i := range x.files {
		ending := filepath.Ext(x.files[i].Name)
		x.files[i].Name = x.files[i].Name[:len(x.files[i].Name)-len(ending)] + "-" + d.shownRuns() + ending
	}
	d.exporting = true
	e := d.engine
	folder := d.target.folder
	return tea.Batch(d.host.Hold(kit.Calm, "exporting to "+folder), func() tea.Msg {
		x.err = kit.Try(func() (err error) {
			x.folder, err = e.Exports(folder)
			return err
		})
		return exportedMsg{x}
	})
}

// shownRuns names the runs on the screen in the names of files, which may be in one folder with those of
// other runs: the identifier of the selected run without its time, and the number of the others.
func (d *Dash) shownRuns() string {
	name := d.Current().ID
	if parts := strings.SplitN(name, "-", 3); len(parts) == 3 {
		name = parts[2]
	}
	if n := len(d.Runs) - 1; n > 0 {
		name += fmt.Sprintf("-and-%d", n)
	}
	return name
}

// filesOf returns the files of figures in a format. Panels without pictures, such as tables, have CSV files
// in all formats.
func filesOf(figures []report.Figure, format figure.Format) (files []report.File) {
	for len(figures) > 0 {
		n := slices.IndexFunc(figures, func(f report.Figure) bool { return f.Panel != figures[0].Panel })
		if n < 0 {
			n = len(figures)
		}
		own := report.Files(figures[:n], format)
		if len(own) == 0 {
			own = report.Files(figures[:n], report.CSV)
		}
		files = append(files, own...)
		figures = figures[n:]
	}
	return files
}

// Exports is the open folder of an export.
type Exports interface {
	Path() string
	// WriteFile writes a file atomically. It replaces only files of earlier exports.
	WriteFile(name string, write func(io.Writer) error) (path string, err error)
	Close() error
}

// exporting is an export in progress.
type exporting struct {
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
			x.done+1, len(x.files), x.files[x.done].Name, kit.ShortPath(x.folder.Path()))))
	}
	d.exporting = false
	if x.folder != nil {
		x.err = errors.Join(x.err, x.folder.Close())
	}
	n := len(x.written)
	switch {
	case x.err != nil && n > 0:
		return d.host.Hold(kit.Bad, fmt.Sprintf("export failed after %s: %v",
			report.Plural(n, "file", "files"), x.err))
	case x.err != nil:
		return d.host.Hold(kit.Bad, "export failed: "+x.err.Error())
	case n == 0:
		return d.host.Hold(kit.Calm, "there is nothing to export yet")
	case n == 1:
		return d.host.Hold(kit.Good, "exported "+kit.ShortPath(filepath.Join(x.folder.Path(), x.written[0])))
	}
	return d.host.Hold(kit.Good,
		fmt.Sprintf("exported %d files to %s", n, kit.ShortPath(x.folder.Path())))
}
