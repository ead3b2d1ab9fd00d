package dash

import (
	"dgplab/models/view"
	"dgplab/tui/kit"
	"dgplab/tui/picture"
	"dgplab/tui/printable"
	"dgplab/viz/figure"
)

// pairPanel is the draws of the chosen quantity against those of another one.
type pairPanel struct{ inChains }

func (pairPanel) Names(*Dash) (long, short string) { return "Pair", "Pair" }

// pair returns the chosen quantities, nil if there are not two.
func (d *Dash) pair() (a, b *view.ChainQuantity) {
	c := chainsOf.chosen(d)
	if c == nil {
		return nil, nil
	}
	a, at, n := sampled(c, d.look.sampled)
	if n < 2 {
		return nil, nil
	}
	name := d.look.against
	if name == "" {
		name = c.Quantities[shownDraws(c)[(at+1)%n]].Name
	}
	b, _, _ = sampled(c, name)
	return a, b
}

func (pairPanel) Title(d *Dash) (title string, notes []string) {
	a, b := d.pair()
	if a == nil {
		return "Pair", []string{d.ofWhich()}
	}
	return printable.Text(b.Name) + " against " + printable.Text(a.Name),
		[]string{d.ofWhich(), chainsText(chainsOf.chosen(d)), diagnosedAt(d.snap())}
}

func (pairPanel) Draw(d *Dash, w, h int) []string {
	if a, b := d.pair(); a != nil {
		return picture.Pair(a, b).Render(d.theme.VizStyle(), w, h)
	}
	return d.withoutDraws(w, h)
}

// Arrow goes to another quantity across, or to another one up.
func (p pairPanel) Arrow(d *Dash, across, down int) (said string) {
	a, b := d.pair()
	if a == nil {
		return "there are no two quantities"
	}
	d.look.sampled, d.look.against = a.Name, b.Name
	if across != 0 {
		said = d.chooseSampled(&d.look.sampled, across)
	} else {
		said = d.chooseSampled(&d.look.against, down)
	}
	if d.shows(p) {
		return ""
	}
	return said
}

func (pairPanel) Files(d *Dash) []exported {
	a, b := d.pair()
	if a == nil {
		return nil
	}
	s := picture.Pair(a, b)
	o := figure.Options{Title: "Draws at step " + kit.Grouped(d.snap().Diagnostics.Step)}
	return withCSV("pair", s, o)
}
