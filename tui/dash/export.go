package dash

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

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
	case r.own == nil && r.record == nil:
		return d.host.Say(kit.Calm, d.waiting(r))
	}
	var ids []string
	for _, r := range d.Runs {
		ids = append(ids, r.ID)
	}
	figures := d.Figures()
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
	n := len(x.written)
	switch {
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
