package tables

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"dgplab/viz/canvas"
	"dgplab/viz/golden"
)

// A table has titles, aligned columns and a mark on the selected row, and shows no control characters.
func TestTable(t *testing.T) {
	table := Table{
		Columns: []Column{{Title: "run", Least: 6}, {Title: "family", Drop: 1},
			{Title: "test log-lik", Right: true}, {Title: "steps/s", Right: true, Drop: 2}},
		Rows: [][]string{
			{"2024-boston-star-a", "star", "-2.43", "120"},
			{"二号", "mean-field", "-2.51", "180"},
			{"short"},
			{"line\nbreak\tand \x1b[31mcode", "fully-coupled", "-2.402", "31.5"},
		},
		Selected: 1, Mark: true,
	}
	golden.CheckPicture(t, "table", table, 70, 7)
	// Without room for all rows, the selected one stays and the others are counted.
	narrow := golden.Text(table, canvas.Style{}, 24, 3)
	if !strings.Contains(narrow, "▸ 二号") || !strings.Contains(narrow, "… 3 more") ||
		strings.Contains(narrow, "family") {
		t.Errorf("in three lines of 24 cells:\n%s", narrow)
	}
}

// Names that do not fit still differ.
func TestNamesStillDiffer(t *testing.T) {
	table := Table{
		Columns: []Column{{Title: "quantity", Names: true, Least: 10}},
		Rows:    [][]string{{"f_M layer 1 GP 2 point 3"}, {"f_M layer 1 GP 2 point 14"}},
	}
	lines := table.Render(canvas.Style{}, 14, 3)
	if len(lines) != 3 || !strings.Contains(lines[1], "p3") || !strings.Contains(lines[2], "p14") {
		t.Errorf("%q", lines)
	}
}

// Lines returns the lines of a picture with room for all rows.
func TestLines(t *testing.T) {
	table := Table{
		Columns: []Column{{Title: "name", Least: 3}, {Title: "n", Right: true}, {Title: "note", Drop: 1}},
	}
	for i := range 300 {
		table.Rows = append(table.Rows, []string{strings.Repeat("x", i%9), strconv.Itoa(i * i), "größe"})
	}
	for _, w := range []int{1, 8, 12, 20, 100} {
		var lines []string
		for line := range table.Lines(canvas.Style{}, w) {
			lines = append(lines, strings.TrimRight(line, " \n"))
		}
		var want []string
		for line := range strings.Lines(golden.Text(table, canvas.Style{}, w, len(table.Rows)+1)) {
			want = append(want, strings.TrimRight(line, " \n"))
		}
		if !slices.Equal(lines, want) {
			t.Errorf("%d cells: %d lines, want %d: %q, %q", w, len(lines), len(want), lines[:3], want[:3])
		}
	}
}
