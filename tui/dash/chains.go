package dash

import (
	"fmt"
	"slices"

	"dgplab/models/view"
	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/printable"
	"dgplab/viz/curves"
	"dgplab/viz/figure"
)

// chainsOf finds what chains have kept.
var chainsOf choice[view.Chains] = func(v view.Views) *view.Chains {
	if v.Chains != nil && len(v.Chains.Quantities) > 0 {
		return v.Chains
	}
	return nil
}

// inChains is what panels of the chains of the chosen run have in common.
type inChains struct{ inModel }

func (inChains) Applies(d *Dash) bool { return chainsOf.somewhere(d) }

func (inChains) Mouse(d *Dash, _ placed, _, wheel int) { d.chooseSampled(&d.look.sampled, wheel) }

// withoutDraws says why there are no draws to show.
func (d *Dash) withoutDraws(w, h int) []string {
	if c := chainsOf.chosen(d); c != nil {
		if s := d.snap(); s != nil && s.State == session.Ended {
			return d.theme.Centred("the run ended in burn-in: nothing was kept", w, h)
		}
		return d.theme.Centred("burning in: nothing is kept yet", w, h)
	}
	return d.without("this model does not sample", w, h)
}

// sampled returns the quantity of a name, the one with the largest R-hat for "" and for a
// name that there is not, of those whose draws are there; nil if there is none. It is number
// at of so many, by R-hat.
func sampled(c *view.Chains, name string) (q *view.ChainQuantity, at, of int) {
	list := shownDraws(c)
	if len(list) == 0 {
		return nil, 0, 0
	}
	at = max(slices.IndexFunc(list, func(i int) bool { return c.Quantities[i].Name == name }), 0)
	return &c.Quantities[list[at]], at, len(list)
}

// shownDraws returns the places of the quantities whose draws are there, by R-hat.
func shownDraws(c *view.Chains) []int {
	return slices.DeleteFunc(c.WorstFirst(), func(i int) bool { return c.Quantities[i].Kept == nil })
}

// chosenSampled returns the chosen quantity of the chosen run, nil if there is none.
func (d *Dash) chosenSampled() *view.ChainQuantity {
	if c := chainsOf.chosen(d); c != nil {
		q, _, _ := sampled(c, d.look.sampled)
		return q
	}
	return nil
}

// chooseSampled goes to another quantity, and returns its name.
func (d *Dash) chooseSampled(name *string, by int) string {
	c := chainsOf.chosen(d)
	if c == nil {
		return "there are no chains"
	}
	_, at, n := sampled(c, *name)
	if n == 0 {
		return "no draws are kept yet"
	}
	*name = c.Quantities[shownDraws(c)[(at+by+n)%n]].Name
	return printable.Text(*name)
}

// sampledPanel is a picture of the draws of the chosen quantity of the chosen run.
type sampledPanel struct {
	inChains
	long, short, title string
	// notes says more, after what is said of every quantity; nil for nothing.
	notes func(q *view.ChainQuantity) string
	draw  func(d *Dash, q *view.ChainQuantity, w, h int) []string
	files func(d *Dash, q *view.ChainQuantity, o figure.Options) []exported
}

func (p *sampledPanel) Names(*Dash) (long, short string) { return p.long, p.short }

func (p *sampledPanel) Title(d *Dash) (title string, notes []string) {
	c := chainsOf.chosen(d)
	if c == nil || d.chosenSampled() == nil {
		return p.title, []string{d.ofWhich()}
	}
	q, at, n := sampled(c, d.look.sampled)
	notes = []string{d.ofWhich()}
	if p.notes != nil {
		notes = append(notes, p.notes(q))
	}
	return p.title + ": " + printable.Text(q.Name),
		append(notes, "R-hat "+rhatText(q.Rhat), fmt.Sprintf("%d of %d", at+1, n),
			chainsText(c), diagnosedAt(d.snap()))
}

func (p *sampledPanel) Draw(d *Dash, w, h int) []string {
	if q := d.chosenSampled(); q != nil {
		return p.draw(d, q, w, h)
	}
	return d.withoutDraws(w, h)
}

// Arrow goes to another quantity.
func (p *sampledPanel) Arrow(d *Dash, across, down int) string {
	said := d.chooseSampled(&d.look.sampled, across+down)
	if d.shows(p) {
		return ""
	}
	return said
}

func (p *sampledPanel) Files(d *Dash) []exported {
	if q := d.chosenSampled(); q != nil {
		return p.files(d, q, figure.Options{
			Title: p.title + ": " + q.Name + ", step " + kit.Grouped(d.snap().Diagnostics.Step),
			Y:     q.Name,
		})
	}
	return nil
}

// chainsText says how many draws there are.
func chainsText(c *view.Chains) string {
	return fmt.Sprintf("%s, %s each",
		kit.Plural(c.Chains, "chain", "chains"), kit.Plural(c.Draws, "draw", "draws"))
}

// rhatText writes an R-hat with what matters of it.
func rhatText(x rundir.Number) string {
	if x != x {
		return "-"
	}
	return fmt.Sprintf("%.3f", float64(x))
}

// curveFiles are those of a curve, without its numbers.
func curveFiles(name string, c curves.Curve, o figure.Options) []exported {
	return both(name, c, o)
}

// sizeText writes an effective sample size.
func sizeText(x rundir.Number) string {
	if x != x {
		return "-"
	}
	return kit.Grouped(int(x))
}
