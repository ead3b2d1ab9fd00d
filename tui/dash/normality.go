package dash

import (
	"fmt"

	"dgplab/models/view"
	"dgplab/tui/kit"
	"dgplab/tui/picture"
	"dgplab/tui/printable"
	"dgplab/viz/figure"
	"dgplab/viz/tables"
)

// normalityPanel is whether what the chains of the chosen run have sampled is Gaussian:
// corrected p-values as a picture, then those of the least Gaussian quantities.
type normalityPanel struct{ inChains }

func (normalityPanel) Names(*Dash) (long, short string) { return "Normality", "Norm" }

func (normalityPanel) Title(d *Dash) (title string, notes []string) {
	c := chainsOf.chosen(d)
	if c == nil {
		return "Normality", []string{d.ofWhich()}
	}
	notes = []string{d.ofWhich()}
	for _, n := range c.Summary().Normality {
		notes = append(notes, picture.NormalityText(n))
	}
	return "Normality", append(notes,
		fmt.Sprintf("at level %g, corrected for the number of tests", view.NormalityLevel),
		diagnosedAt(d.snap()))
}

// leastNormality is the least height at which there is a picture beside the table.
const leastNormality = 14

// normalityColumns are those of the table.
var normalityColumns = []tables.Column{
	{Title: "quantity", Keep: true, Least: 12, Names: true}, {Title: "corrected p", Right: true}, {Title: "p",
		Right: true, Drop: 4},
	{Title: "skewness", Right: true, Drop: 1}, {Title: "kurtosis", Right: true, Drop: 2}, {Title: "R-hat",
		Right: true, Drop: 3}, {Title: "kind", Drop: 5},
}

func (normalityPanel) Draw(d *Dash, w, h int) []string {
	c := chainsOf.chosen(d)
	if c == nil || c.Draws == 0 {
		return d.withoutDraws(w, h)
	}
	order := c.LeastNormalFirst()
	if len(order) == 0 {
		return d.theme.Centred("the draws are worth too few for a test", w, h)
	}
	corrected := c.Corrected()
	t := tables.Table{Columns: normalityColumns}
	for _, i := range order {
		q := &c.Quantities[i]
		t.Rows = append(t.Rows, []string{printable.Text(q.Name),
			pText(corrected[i]), pText(float64(q.Normal)),
			kit.Number(float64(q.Skewness)), kit.Number(float64(q.Kurtosis)),
			rhatText(q.Rhat), string(q.Kind)})
	}
	style := d.theme.VizStyle()
	var lines []string
	if h >= leastNormality {
		lines = picture.Normality(c).Render(style, w, h/2)
	}
	return append(lines, t.Render(style, w, h-len(lines))...)
}

// Arrow goes to another quantity.
func (p normalityPanel) Arrow(d *Dash, across, down int) string {
	return tracePanel.Arrow(d, across, down)
}

func (normalityPanel) Files(d *Dash) []exported {
	c := chainsOf.chosen(d)
	if c == nil || len(c.LeastNormalFirst()) == 0 {
		return nil
	}
	s := picture.Normality(c)
	o := figure.Options{Title: "Tests of normality, step " + kit.Grouped(d.snap().Diagnostics.Step)}
	return withCSV("normality", s, o)
}

// pText writes a p-value.
func pText(p float64) string {
	if p < picture.LeastP {
		return fmt.Sprintf("<%g", picture.LeastP)
	}
	return kit.Number(p)
}
