package setup

import (
	"slices"

	"dgplab/datasets/table"
	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz/canvas"
	"dgplab/viz/tables"
)

// described is the description of a file with precomputed values, which take time for many columns. A key
// press then redraws only the visible rows.
type described struct {
	table.Description
	// named counts the columns by name.
	named map[string]int
	// questions is the number of open questions.
	questions int
	// widths holds the natural widths of the page's columns, by the number of bars of histograms.
	widths map[int][]int
	// notes holds the warnings and notes, with the keys that fix them.
	notes string
}

// barCounts holds the possible numbers of bars of histograms. Narrow histograms are preferred to truncated
// names.
var barCounts = []int{table.Bins, table.Bins / 2}

// newDescribed returns the description of a file with the given table.
func newDescribed(t *table.Description) described {
	d := described{Description: *t, named: map[string]int{}, widths: map[int][]int{},
		questions: len(t.Questions())}
	for _, bars := range barCounts {
		d.widths[bars] = tables.Natural(report.ColumnHeads(), nil)
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		d.named[c.Name]++
		for bars, widths := range d.widths {
			tables.Widen(widths, report.ColumnRow(c, canvas.Style{}, bars))
		}
	}
	var notes []string
	for _, note := range slices.Concat(t.Warnings, t.Notes) {
		notes = append(notes, inKeys(note.Text, note.Remedies))
	}
	d.notes = kit.JoinNotes(notes)
	return d
}

// layout returns the columns of the page in w cells, and the number of bars of histograms.
func (d *described) layout(w int) (fit tables.Layout, bars int) {
	heads := report.ColumnHeads()
	heads[report.ColumnName].Least = 12
	for _, bars = range barCounts {
		if (tables.Layout{Columns: heads, Widths: d.widths[bars]}).Width() <= w {
			break
		}
	}
	return tables.Fit(heads, d.widths[bars], max(w, 1)), bars
}
