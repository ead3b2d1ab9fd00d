package dash

import (
	"fmt"

	"dgplab/models/view"
	"dgplab/tui/kit"
	"dgplab/tui/picture"
	"dgplab/viz/figure"
)

// priorPanel is functions from the prior of the chosen run, by depth.
type priorPanel struct{ inModel }

// priors finds draws from a prior.
var priors choice[view.Prior] = func(v view.Views) *view.Prior {
	if v.Prior != nil && len(v.Prior.Kinds) > 0 {
		return v.Prior
	}
	return nil
}

func (priorPanel) Names(*Dash) (long, short string) { return "Prior", "Prior" }

func (priorPanel) Applies(d *Dash) bool { return priors.somewhere(d) }

func (priorPanel) Title(d *Dash) (title string, notes []string) {
	return "Prior by depth", []string{d.ofWhich(), diagnosedAt(d.snap())}
}

func (priorPanel) Draw(d *Dash, w, h int) []string {
	p := priors.chosen(d)
	if p == nil {
		return d.without("this model shows no draws from its prior", w, h)
	}
	return picture.Prior(p, d.look.layer).Render(d.theme.VizStyle(), w, h)
}

// Arrow goes to another depth, where there is no room for all.
func (p priorPanel) Arrow(d *Dash, across, down int) string {
	v := priors.chosen(d)
	if v == nil {
		return "there are no draws from the prior"
	}
	n := len(v.Kinds[0].Depths)
	d.look.layer = min(max(min(d.look.layer, n-1)+across+down, 0), n-1)
	return fmt.Sprintf("prior through %s", kit.Plural(d.look.layer+1, "layer", "layers"))
}

func (priorPanel) Files(d *Dash) []exported {
	p := priors.chosen(d)
	if p == nil {
		return nil
	}
	all := picture.Prior(p, 0)
	o := figure.Options{
		Title: "Draws from the prior by depth, step " + kit.Grouped(d.snap().Diagnostics.Step),
	}
	return withCSV("prior", all, o)
}
