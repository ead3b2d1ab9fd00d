package dash

import (
	"fmt"
	"io"

	"dgplab/models/view"
	"dgplab/tui/kit"
	"dgplab/tui/printable"
	"dgplab/viz/canvas"
	"dgplab/viz/figure"
	"dgplab/viz/tables"
)

// mixingPanel is how well the chains of the chosen run have sampled each quantity, the worst
// first.
type mixingPanel struct{ inChains }

func (mixingPanel) Names(*Dash) (long, short string) { return "R-hat", "R-hat" }

func (mixingPanel) Title(d *Dash) (title string, notes []string) {
	c := chainsOf.chosen(d)
	if c == nil {
		return "R-hat", []string{d.ofWhich()}
	}
	notes = []string{d.ofWhich()}
	if s := c.Summary(); c.Draws > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d beyond R-hat %g or ESS %d",
			s.Unmixed, s.Tested, view.MaxRhat, view.MinESS))
	}
	return "R-hat and effective sample sizes", append(notes, chainsText(c), diagnosedAt(d.snap()))
}

// mixingColumns are those of the table.
var mixingColumns = []tables.Column{
	{Title: "quantity", Keep: true, Least: 24, Names: true}, {Title: ""},
	{Title: "R-hat", Right: true}, {Title: "bulk ESS",
		Right: true, Drop: 1},
	{Title: "tail ESS", Right: true, Drop: 2}, {Title: "mean", Right: true, Drop: 3}, {Title: "MCSE",
		Right: true, Drop: 4}, {Title: "sd", Right: true, Drop: 5},
	{Title: "kind", Drop: 6},
}

func (mixingPanel) Draw(d *Dash, w, h int) []string {
	c := chainsOf.chosen(d)
	if c == nil || c.Draws == 0 {
		return d.withoutDraws(w, h)
	}
	t := tables.Table{Columns: mixingColumns, Mark: true}
	chosen := d.chosenSampled()
	order := c.WorstFirst()
	for row, i := range order {
		q := &c.Quantities[i]
		if q == chosen {
			t.Selected = row
		}
		sign := ""
		if !q.Mixed() {
			sign = "!"
		}
		t.Rows = append(t.Rows, []string{printable.Text(q.Name), sign, rhatText(q.Rhat),
			sizeText(q.ESSBulk), sizeText(q.ESSTail),
			kit.Number(float64(q.Mean)), kit.Number(float64(q.MCSE)),
			kit.Number(float64(q.SD)), string(q.Kind)})
	}
	style := d.theme.VizStyle()
	t.Look = func(row, column int) (look canvas.Ink) {
		q := &c.Quantities[order[row]]
		if bad := [...]bool{
			1: !q.Mixed(),
			2: q.Rhat > view.MaxRhat,
			3: q.ESSBulk < view.MinESS,
			4: q.ESSTail < view.MinESS,
		}; column < len(bad) && bad[column] {
			look.FG = style.Warn()
		}
		return look
	}
	return t.Render(style, w, h)
}

func (mixingPanel) Wide() bool { return true }

// Arrow goes to another quantity whose draws are there.
func (p mixingPanel) Arrow(d *Dash, across, down int) string {
	return tracePanel.Arrow(d, across, down)
}

// Files has the statistics of all quantities.
func (mixingPanel) Files(d *Dash) []exported {
	c := chainsOf.chosen(d)
	if c == nil || c.Draws == 0 {
		return nil
	}
	return []exported{{"chains.csv", func(w io.Writer) error {
		t := figure.NewTable(w, "quantity", "kind", "rhat", "ess_bulk", "ess_tail", "mean", "sd", "mcse",
			"skewness", "kurtosis", "normal_p", "normal_p_corrected")
		corrected := c.Corrected()
		for i, q := range c.Quantities {
			row := []string{q.Name, string(q.Kind)}
			for _, v := range []float64{float64(q.Rhat), float64(q.ESSBulk), float64(q.ESSTail),
				float64(q.Mean), float64(q.SD), float64(q.MCSE),
				float64(q.Skewness), float64(q.Kurtosis), float64(q.Normal), corrected[i]} {
				row = append(row, figure.Exact(v))
			}
			t.Row(row...)
		}
		return t.Close()
	}}}
}
