package dash

import (
	"fmt"
	"io"

	"dgplab/models/view"
	"dgplab/tui/kit"
	"dgplab/tui/picture"
	"dgplab/viz/figure"
)

// priorPanel is functions from the prior of the chosen run, by depth.
type priorPanel struct{ plain }

func hasPrior(v view.Views) bool { return v.Prior != nil && len(v.Prior.Kinds) > 0 }

func (priorPanel) Names(*Dash) (long, short string) { return "Prior", "Prior" }

func (priorPanel) Applies(d *Dash) bool {
	n, _ := d.haveView(hasPrior)
	return n > 0
}

func (priorPanel) Title(d *Dash) (title string, notes []string) {
	return "Draws from the prior by depth", []string{d.ofWhich(), diagnosedAt(d.snap())}
}

func (priorPanel) Draw(d *Dash, w, h int) []string {
	p := d.prior()
	if p == nil {
		return d.without("this model shows no draws from its prior", w, h)
	}
	return kit.Lines(picture.Prior(p, d.look.layer).Render(d.theme.VizStyle(), w, h))
}

func (priorPanel) Shows(d *Dash, r *shown) any { return layersPanel{}.Shows(d, r) }

// Arrow goes to another depth, where there is no room for all.
func (p priorPanel) Arrow(d *Dash, across, down int) string {
	v := d.prior()
	if v == nil {
		return "there are no draws from the prior"
	}
	n := len(v.Kinds[0].Depths)
	d.look.layer = min(max(min(d.look.layer, n-1)+across+down, 0), n-1)
	return fmt.Sprintf("prior through %s", kit.Plural(d.look.layer+1, "layer", "layers"))
}

func (priorPanel) Files(d *Dash) []exported {
	p := d.prior()
	if p == nil {
		return nil
	}
	all, o := picture.Prior(p, 0), figure.Options{Title: "Draws from the prior by depth, step " + kit.Grouped(d.snap().Diagnostics.Step)}
	return withCSV("prior", func(w io.Writer) error { return figure.DepthsCSV(w, all) },
		func(w io.Writer, f figure.Format) error { return figure.Depths(w, f, all, o) })
}

// prior returns the draws of the chosen run, nil if there are none.
func (d *Dash) prior() *view.Prior {
	if v := d.views(); hasPrior(v) {
		return v.Prior
	}
	return nil
}
