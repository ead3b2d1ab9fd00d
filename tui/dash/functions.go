package dash

import (
	"io"

	"dgplab/models/view"
	"dgplab/tui/kit"
	"dgplab/tui/picture"
	"dgplab/viz/figure"
)

// functionsPanel is the chosen run's posterior along one input.
type functionsPanel struct{ inModel }

// functions finds functions of a posterior.
var functions choice[view.Functions] = func(v view.Views) *view.Functions {
	if v.Functions != nil && len(v.Functions.Items) > 0 {
		return v.Functions
	}
	return nil
}

func (functionsPanel) Names(*Dash) (long, short string) { return "Functions", "Func" }

func (functionsPanel) Applies(d *Dash) bool { return functions.somewhere(d) }

func (functionsPanel) Title(d *Dash) (title string, notes []string) {
	notes = []string{d.ofWhich(), diagnosedAt(d.snap())}
	if functions.chosen(d) != nil {
		notes = append(notes, "without noise")
		if d.snap().D > 1 {
			notes = append(notes, "other inputs at their means")
		}
	}
	return "Functions of the posterior", notes
}

func (functionsPanel) Draw(d *Dash, w, h int) []string {
	if f := functions.chosen(d); f != nil {
		return kit.Lines(picture.Functions(f).Render(d.theme.VizStyle(), w, h))
	}
	return d.without("this model shows no functions", w, h)
}

func (functionsPanel) Files(d *Dash) []exported {
	f := functions.chosen(d)
	if f == nil {
		return nil
	}
	b, o := picture.Functions(f), figure.Options{Title: "Functions of the posterior, step " + kit.Grouped(d.snap().Diagnostics.Step)}
	return withCSV("functions", func(w io.Writer) error { return figure.BandsCSV(w, b) },
		func(w io.Writer, f figure.Format) error { return figure.Bands(w, f, b, o) })
}
