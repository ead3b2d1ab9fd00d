package datapage

import (
	"slices"

	"dgplab/datasets/columns"
	"dgplab/tui/kit"
	"dgplab/tui/picture"
	"dgplab/viz/canvas"
	"dgplab/viz/tables"
)

// described is what is known of a file. All that takes time for a file of many columns is done
// once, in the background: a key draws only the rows that are seen.
type described struct {
	columns.Table
	// named counts the columns of each name.
	named map[string]int
	// questions counts those that are open.
	questions int
	// widths are those of the columns of the page's table in which nothing is cut, by the number of
	// bars of histograms.
	widths map[int][]int
	// notes are the warnings and notes, with the keys that mend what they are about.
	notes string
}

// barCounts are how many bars histograms may have: narrow pictures come before names that are cut.
var barCounts = []int{columns.Bins, columns.Bins / 2}

// newDescribed returns what is known of a file by its table.
func newDescribed(t *columns.Table) described {
	d := described{Table: *t, named: map[string]int{}, widths: map[int][]int{}, questions: len(t.Questions())}
	for _, bars := range barCounts {
		d.widths[bars] = tables.Natural(picture.ColumnHeads(), nil)
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		d.named[c.Name]++
		for bars, widths := range d.widths {
			tables.Widen(widths, picture.ColumnRow(c, canvas.Style{}, bars))
		}
	}
	var notes []string
	for _, note := range slices.Concat(t.Warnings, t.Notes) {
		notes = append(notes, inKeys(note.Text, note.Remedies))
	}
	d.notes = kit.JoinNotes(notes)
	return d
}

// layout returns the columns of the table in w cells, and how many bars histograms have in it.
func (d *described) layout(w int) (fit tables.Layout, bars int) {
	heads := picture.ColumnHeads()
	heads[picture.ColumnName].Least = 12
	for _, bars = range barCounts {
		if (tables.Layout{Columns: heads, Widths: d.widths[bars]}).Width() <= w {
			break
		}
	}
	return tables.Fit(heads, d.widths[bars], max(w, 1)), bars
}
