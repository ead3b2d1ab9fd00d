package board

import (
	"fmt"
	"math"
	"strings"

	"dgplab/datasets"
	"dgplab/tui/kit"
	"dgplab/tui/report"
)

// leastInputs is the minimum height of the table for each line with the inputs of the selected row.
const leastInputs = 8

// inputLines returns the inputs of point i in at most h lines. It returns nil before they have been read.
func (p testedPair) inputLines(th *kit.Theme, i, w, h int) []string {
	text, look := "", th.Text
	switch {
	case p.WithoutInputs != "":
		text, look = "no inputs: "+p.WithoutInputs, th.Dim
	case p.Inputs != nil:
		values := p.Inputs.Row(p.Rows[i])
		var parts []string
		for _, c := range p.Inputs.Columns {
			if c.First+c.Width <= len(values) {
				parts = append(parts, c.Name+" "+inputText(c, values[c.First:c.First+c.Width]))
			}
		}
		text = fmt.Sprintf("row %d: %s", p.Rows[i], strings.Join(parts, "; "))
	}
	rows := kit.Wrap(cleanText(th, text), w)
	if text == "" || h < 1 {
		return nil
	}
	if len(rows) > h {
		rows[h-1] = th.Cut(rows[h-1]+" "+rows[h], w)
		rows = rows[:h]
	}
	for k := range rows {
		rows[k] = th.Fit(look.Render(rows[k]), w)
	}
	return rows
}

// inputText returns the value of a column in a row: a number or the name of a level.
func inputText(c datasets.InputColumn, values []float64) string {
	if !c.Category() {
		if math.IsNaN(values[0]) {
			return missingText
		}
		return report.Number(values[0])
	}
	if level := c.Level(values); level >= 0 {
		return c.Levels[level]
	}
	return missingText
}

// WantsInputs reports whether a panel shows the inputs of test rows that have not been read for the selected
// run.
func (b *Board) WantsInputs(p *Panel) bool {
	_, tested := b.tested.pair()
	return p == b.tested.panel && tested && b.Current().Inputs == nil
}
