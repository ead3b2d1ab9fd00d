package datasets

import (
	"strings"
	"testing"

	"dgplab/datasets/table"
)

// Hexadecimal numbers and underscores between digits are names.
func TestNotationsOfLanguagesAreText(t *testing.T) {
	ds, err := readWith(t, "a,y\n0x1p-3,1\n1_000,2\n0x1p-3,3\n1_000,4\n0x10,5\n")
	if err != nil {
		t.Fatal(err)
	}
	column := ds.InputColumns()[0]
	if want := "0x10 0x1p-3 1_000"; strings.Join(column.Levels, " ") != want {
		t.Errorf("the levels of a are %q, want %s", column.Levels, want)
	}
	_, err = readWith(t, "a,y\n1,0.5\n2,1_000\n3,2\n", "target=y:number")
	if err == nil || !strings.Contains(err.Error(), `line 3, column 2 (y): "1_000" is not a number`) {
		t.Errorf("1_000 in a column of numbers: %v", err)
	}
}

// A text whose lines end with carriage returns alone has the rows of one with line feeds.
func TestCarriageReturnsEndLines(t *testing.T) {
	text := "a,y\n1,0.5\n2,1.5\n3,2\n"
	for name, end := range map[string]string{"CR": "\r", "CR LF": "\r\n"} {
		ds, err := readWith(t, strings.ReplaceAll(text, "\n", end))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if n, d := ds.X.Dims(); n != 3 || d != 1 || ds.X.At(2, 0) != 3 || ds.Y.At(1, 0) != 1.5 {
			t.Errorf("%s: %d rows with %d inputs; want 3 rows with 1 input", name, n, d)
		}
	}
}

// New rows are found in a table that guards its cells from spreadsheets, as suggestions and predictions are
// written.
func TestGuardedNamesAreFound(t *testing.T) {
	ds, err := readWith(t, "=z,@kind,y\n1,+a,1\n2,-b,2\n3,+a,3\n4,c,4\n")
	if err != nil {
		t.Fatal(err)
	}
	p := mustPrepare(t, ds, Split{Kind: Interpolation}, 0, 0)
	cells := table.PlainCells([]string{"=z", "@kind", "5", "-b"})
	text := strings.Join(cells[:2], ",") + "\n" + strings.Join(cells[2:], ",") + "\n"
	rows, err := NewRows(ds, p.Scaling, "new.csv", strings.NewReader(text))
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	batch, err := rows.Next(t.Context(), 9)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	kind := ds.InputColumns()[1]
	given := batch.Inputs.RawRowView(0)
	level := kind.Level(given[kind.First : kind.First+kind.Width])
	if given[0] != 5 || level < 0 || kind.Levels[level] != "-b" {
		t.Errorf("%q: the inputs are %v", text, given)
	}
}
