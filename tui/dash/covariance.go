package dash

import (
	"fmt"
	"slices"

	"dgplab/models/view"
	"dgplab/tui/kit"
	"dgplab/tui/picture"
	"dgplab/viz/figure"
)

// covariancePanel is the covariance of the posterior, of all runs that have one, on
// one range of colours.
type covariancePanel struct{ plain }

func hasBlocks(v view.Views) bool { return v.Blocks != nil || amortizations(v) != nil }

// blocks returns the covariance map of a run, that of the chosen input where every input
// has one of its own; nil if there is none.
func (d *Dash) blocks(r *shown) *view.Blocks {
	v, _ := r.views()
	if a := amortizations(v); a != nil {
		return a.Blocks(d.input(a))
	}
	return v.Blocks
}

func (covariancePanel) Names(*Dash) (long, short string) { return "Covariance", "Cov" }

func (covariancePanel) Applies(d *Dash) bool { return d.mayHaveView(hasBlocks) }

// Title says which step the map is of; of several maps each says so itself, and here
// is who has none.
func (covariancePanel) Title(d *Dash) (title string, notes []string) {
	note := ""
	if len(d.runs) <= 1 {
		note = diagnosedAt(d.snap())
	} else if n, _ := d.haveView(hasBlocks); n < len(d.runs) && n > 0 {
		note = fmt.Sprintf("%d of %d runs have one", n, len(d.runs))
	}
	if a := amortizations.chosen(d); a != nil {
		return "Covariance of q(f_M)",
			[]string{note, fmt.Sprintf("input %d of %d", d.input(a)+1, len(a.Layers[0].Inputs))}
	}
	if r := d.current(); r != nil {
		switch b := d.blocks(r); {
		case b == nil:
		case b.Draws > 0:
			return "Covariance of f_M",
				[]string{note, fmt.Sprintf("%s draws, correlations below %.2g are noise",
					kit.Grouped(b.Draws), b.Noise())}
		case picture.Blocks(b).Named():
			return "Covariance of q", []string{note}
		}
	}
	return "Covariance of q(f_M)", []string{note}
}

func (covariancePanel) Draw(d *Dash, w, h int) []string {
	maps, _ := d.covariances()
	style := d.theme.VizStyle()
	switch {
	case len(maps) == 0:
		return d.theme.Centred(d.noDataYet(firstDiagnostics), w, h)
	case len(d.runs) == 1:
		return maps[0].Render(style, w, h)
	}
	return maps.Render(style, w, h)
}

// chosenPart returns the number, from 1, of the part of a map that is the chosen GP; 0 where
// none is.
func (d *Dash) chosenPart(b *view.Blocks) int {
	layer, gp, ok := d.layer()
	if !ok || picture.Blocks(b).Named() {
		return 0
	}
	return 1 + slices.IndexFunc(b.Parts, func(p view.Part) bool { return p.Group == layer && p.Index == gp })
}

func (covariancePanel) Shows(_ *Dash, r *shown) any { return diagnosticsOf(r) }

func (covariancePanel) Arrow(d *Dash, across, down int) string {
	if d.look.cell.on {
		return d.moveCell(across, down)
	}
	return d.layerKey(across, down)
}

func (covariancePanel) Files(d *Dash) []exported {
	s := d.snap()
	if s == nil {
		return nil
	}
	b := d.blocks(d.current())
	if b == nil {
		return nil
	}
	m := picture.Blocks(b)
	o := figure.Options{Title: "Covariance of " + m.Subject() + ", step " + kit.Grouped(s.Diagnostics.Step)}
	if b.Draws > 0 {
		o.Title += fmt.Sprintf(", of %s draws: correlations below %.2g are noise",
			kit.Grouped(b.Draws), b.Noise())
	}
	return withCSV("covariance", m, o)
}
