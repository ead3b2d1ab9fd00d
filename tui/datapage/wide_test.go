package datapage

import (
	"context"
	"fmt"
	"testing"

	"dgplab/datasets"
	"dgplab/datasets/columns"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

// wide returns a page on a file of n columns, each with a note.
func wide(n int) *Page {
	t := &columns.Table{Rows: 6, D: n - 1, P: 1}
	for i := range n {
		t.Columns = append(t.Columns,
			columns.Column{Index: i, Name: fmt.Sprintf("c%d", i), Kind: columns.Number,
				Distinct: 6, Min: -1.5, Mean: 0.25, Max: 3, Spark: []int{1, 0, 2, 0, 0, 0, 1, 1, 0, 1}})
		t.Warnings = append(t.Warnings, columns.Note{Text: fmt.Sprintf("column c%d is constant", i)})
	}
	t.Columns[n-1].Role = columns.Target
	p := new(Page)
	p.Open(datasets.Source{Name: "wide.csv"})
	describe := func(context.Context, datasets.Source) (*columns.Table, error) { return t, nil }
	cmd, _ := p.Update(context.Background(), kit.PreviewDueMsg[described]{Gen: p.table.Gen}, describe)
	p.Update(context.Background(), cmd(), describe)
	return p
}

// pressed sends keys to a page and draws it after each.
func pressed(p *Page, th *kit.Theme) {
	for _, key := range []string{"down", "pgdown", "end", "up", "home", "t", " ", " ", "l", "l", "r"} {
		p.Key(kittest.Press(key))
		p.Lines(th, 116, 30)
		p.Hint(th, 116)
		p.Note(30)
	}
}

// TestKeysOfWideFiles counts the allocations of keys, which must not grow with the number of
// columns.
func TestKeysOfWideFiles(t *testing.T) {
	th := kittest.PlainTheme()
	count := func(n int) float64 {
		p := wide(n)
		return testing.AllocsPerRun(3, func() { pressed(p, th) })
	}
	few := count(100)
	many := count(5000)
	if many > 1.2*few {
		t.Errorf("keys allocate %v times for 100 columns and %v times for 5,000", few, many)
	}
}

// BenchmarkKeysOfWideFiles presses eleven keys on a page of 100,000 columns and draws the page
// after each.
func BenchmarkKeysOfWideFiles(b *testing.B) {
	p := wide(100_000)
	th := kittest.PlainTheme()
	for b.Loop() {
		pressed(p, th)
	}
}

// BenchmarkDescribed prepares the description of 100,000 columns.
func BenchmarkDescribed(b *testing.B) {
	p := wide(100_000)
	for b.Loop() {
		newDescribed(&p.table.Known.Table)
	}
}
