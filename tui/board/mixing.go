package board

import (
	"fmt"
	"io"
	"slices"

	"dgplab/models/view"
	"dgplab/tui/report"
	"dgplab/viz/canvas"
	"dgplab/viz/figure"
	"dgplab/viz/tables"
)

// newMixingPanel returns the panel with the table of R-hat and effective sample sizes of all quantities, the
// worst first.
func newMixingPanel(quantity *position) *Panel {
	chosen := quantityChoice(quantity)
	chosen.shown = inPicture
	return chainsPanel(hasDraws, Panel{
		Name: "R-hat", short: "R-hat", Wide: true,
		Guide:   mixingGuide,
		Choices: []*Choice{chosen},
		heading: func(b *Board) (title string, notes []string) {
			c := chainsOf.in(b)
			summary := c.Summary()
			return "R-hat and effective sample sizes", []string{
				fmt.Sprintf("%d of %d beyond R-hat %g or ESS %d",
					summary.Unmixed, summary.Tested, view.MaxRhat, view.MinESS),
				chainsText(c), b.atStep()}
		},
		draw: func(b *Board, w, h int) []string {
			t := mixingTable(chainsOf.in(b), b.quantity(chosen), b.Theme.VizStyle())
			return t.Render(b.Theme.VizStyle(), w, h)
		},
		figures: func(b *Board) []report.Figure {
			c := chainsOf.in(b)
			return []report.Figure{{Name: "chains", CSV: func(w io.Writer) error { return chainsCSV(w, c) }}}
		},
	})
}

// hasDraws reports whether the chains of the selected run have kept draws.
func hasDraws(b *Board) bool {
	c := chainsOf.in(b)
	return c != nil && c.Draws > 0
}

// mixingTable returns a table with a row for each quantity. The chosen quantity is marked, and values beyond
// their limits have the colour of a warning.
func mixingTable(c *view.Chains, chosen *view.ChainQuantity, style canvas.Style) tables.Table {
	t := tables.Table{Mark: true, Columns: []tables.Column{
		{Title: "quantity", Keep: true, Least: 24, Names: true}, {Title: ""},
		{Title: "R-hat", Right: true}, {Title: "bulk ESS", Right: true, Drop: 1},
		{Title: "tail ESS", Right: true, Drop: 2}, {Title: "mean", Right: true, Drop: 3},
		{Title: "MCSE", Right: true, Drop: 4}, {Title: "sd", Right: true, Drop: 5},
		{Title: "kind", Drop: 6},
	}}
	order := c.WorstFirst()
	t.Selected = max(slices.IndexFunc(order, func(i int) bool { return &c.Quantities[i] == chosen }), 0)
	for _, i := range order {
		q := &c.Quantities[i]
		sign := ""
		if !q.Mixed() {
			sign = "!"
		}
		t.Rows = append(t.Rows, []string{report.Printable(q.Name), sign, rhatText(q.Rhat),
			sizeText(q.ESSBulk), sizeText(q.ESSTail),
			report.Number(float64(q.Mean)), report.Number(float64(q.MCSE)),
			report.Number(float64(q.SD)), string(q.Kind)})
	}
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
	return t
}

// chainsCSV writes the statistics of all quantities.
func chainsCSV(w io.Writer, c *view.Chains) error {
	t := figure.NewTable(w, "quantity", "kind", "rhat", "ess_bulk", "ess_tail", "mean", "sd", "mcse",
		"skewness", "kurtosis", "normal_p", "normal_p_corrected")
	corrected := c.Corrected()
	for i, q := range c.Quantities {
		t.Row(withNumbers([]string{q.Name, string(q.Kind)}, figure.Exact, float64(q.Rhat),
			float64(q.ESSBulk), float64(q.ESSTail), float64(q.Mean), float64(q.SD), float64(q.MCSE),
			float64(q.Skewness), float64(q.Kurtosis), float64(q.Normal), corrected[i])...)
	}
	return t.Close()
}
