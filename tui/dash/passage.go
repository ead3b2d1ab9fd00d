package dash

import (
	"fmt"
	"io"
	"strconv"

	"dgplab/models/view"
	"dgplab/tui/kit"
	"dgplab/tui/picture"
	"dgplab/viz/figure"
	"dgplab/viz/tables"
)

// passagePanel is how the Gaussian of a training input goes through the layers of the
// chosen run's model, beside samples, and how strong the factors of its GPs are.
type passagePanel struct{ inModel }

// passages finds passages of points.
var passages choice[view.MomentMatching] = func(v view.Views) *view.MomentMatching {
	if v.MomentMatching != nil && len(v.MomentMatching.Points) > 0 {
		return v.MomentMatching
	}
	return nil
}

func (passagePanel) Names(*Dash) (long, short string) { return "Moments", "Mom" }

func (passagePanel) Applies(d *Dash) bool { return passages.somewhere(d) }

func (passagePanel) Title(d *Dash) (title string, notes []string) {
	notes = []string{d.ofWhich(), diagnosedAt(d.snap())}
	p := passages.chosen(d)
	if p == nil {
		return "Moments by layer", notes[:1]
	}
	at := d.passagePoint(p)
	return fmt.Sprintf("Moments at training row %d", p.Points[at].Row), append(notes,
		fmt.Sprintf("point %d of %d", at+1, len(p.Points)), kit.Plural(p.Samples, "sample", "samples"))
}

// passageColumns are those of the table.
var passageColumns = []tables.Column{
	{Title: "GP", Keep: true}, {Title: "mean", Right: true, Drop: 1}, {Title: "sd", Right: true, Drop: 2},
	{Title: "sampled mean", Right: true, Drop: 3}, {Title: "sd", Right: true, Drop: 4}, {Title: "sd/sampled",
		Right: true},
	{Title: "factor 5 %", Right: true, Drop: 6}, {Title: "50 %", Right: true, Drop: 5}, {Title: "95 %",
		Right: true, Drop: 6},
	{Title: "cavity/post.", Right: true, Drop: 7},
}

// passageRow returns the cells of GP i at a point, after its name.
func passageRow(p *view.MomentMatching, point, i int) []float64 {
	m, g := p.Points[point].Moments[i], p.GPs[i]
	return []float64{float64(m.Mean), float64(m.SD), float64(m.SampleMean), float64(m.SampleSD), m.Ratio(),
		float64(g.Strength[0]), float64(g.Strength[2]), float64(g.Strength[4]), float64(g.Widest)}
}

func (passagePanel) Draw(d *Dash, w, h int) []string {
	p := passages.chosen(d)
	if p == nil {
		return d.without("this model matches no moments", w, h)
	}
	t := tables.Table{Columns: passageColumns}
	for i, g := range p.GPs {
		row := []string{fmt.Sprintf("layer %d, GP %d", g.Layer+1, g.GP+1)}
		for _, v := range passageRow(p, d.passagePoint(p), i) {
			row = append(row, kit.Number(v))
		}
		t.Rows = append(t.Rows, row)
	}
	return t.Render(d.theme.VizStyle(), w, h)
}

// Arrow goes to another training input.
func (p passagePanel) Arrow(d *Dash, across, _ int) string {
	v := passages.chosen(d)
	if v == nil {
		return "there are no moments"
	}
	d.look.place = (d.passagePoint(v) + across + len(v.Points)) % len(v.Points)
	if d.shows(p) {
		return ""
	}
	return fmt.Sprintf("moments at point %d of %d", d.look.place+1, len(v.Points))
}

func (passagePanel) Wheel() (across, down int) { return 1, 0 }

// Files has the picture of the chosen point and the numbers of all points.
func (passagePanel) Files(d *Dash) []exported {
	p := passages.chosen(d)
	if p == nil {
		return nil
	}
	at := d.passagePoint(p)
	b := picture.Passage(p, at)
	o := figure.Options{
		Title: fmt.Sprintf("Moments at training row %d, step %s",
			p.Points[at].Row, kit.Grouped(d.snap().Diagnostics.Step)),
	}
	return append([]exported{{"moments.csv", func(w io.Writer) error { return passageCSV(w, p) }}},
		both("moments", b, o)...)
}

// passageCSV writes the moments of all points at every GP.
func passageCSV(w io.Writer, p *view.MomentMatching) error {
	t := figure.NewTable(w, "row", "layer", "gp", "mean", "sd", "sample_mean", "sample_sd", "ratio",
		"factor_5", "factor_50", "factor_95", "cavity_to_posterior_sd")
	for k, point := range p.Points {
		for i, g := range p.GPs {
			row := []string{strconv.Itoa(point.Row), strconv.Itoa(g.Layer + 1), strconv.Itoa(g.GP + 1)}
			for _, v := range passageRow(p, k, i) {
				row = append(row, figure.Exact(v))
			}
			t.Row(row...)
		}
	}
	return t.Close()
}

// passagePoint returns the place of the chosen point, one that there is.
func (d *Dash) passagePoint(p *view.MomentMatching) int { return d.look.place % len(p.Points) }
