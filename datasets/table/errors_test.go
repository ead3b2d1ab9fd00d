package table

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// TestReadErrors reads texts that end prematurely, in every layout of cells.
func TestReadErrors(t *testing.T) {
	ctx := context.Background()
	broken := errors.New("the disk is broken")
	for _, text := range []string{"", "1 2\n", "1,2\n3,4\n"} {
		r := io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken))
		if _, err := Read(ctx, "f.csv", r, ReadOptions{}); err == nil ||
			!strings.Contains(err.Error(), broken.Error()) {
			t.Errorf("%q: %v", text, err)
		}
	}
	text := "1 2\n# no row\n\n3 \"4 5\"\n6 \"7\n"
	spaced := newTextRows(strings.NewReader(text), form{Whitespace, '#'}, 0, standardLimits)
	for _, want := range []string{"1|2", "3|4 5"} {
		if cells, err := spaced.next(); err != nil || strings.Join(cells, "|") != want {
			t.Errorf("cells %q (%v), want %s", cells, err, want)
		}
	}
	if cells, err := spaced.next(); err == nil || spaced.line() != 5 {
		t.Errorf("an open quote in line %d: %q", spaced.line(), cells)
	}
}

// TestDecimalCommasAndBlanks checks that a comma between blanks separates cells unless every comma is
// part of a number.
func TestDecimalCommasAndBlanks(t *testing.T) {
	for text, want := range map[string]rune{
		"1,5 2\n3,5 4\n": Whitespace, "1,x 2\n3,y 4\n": ',', "1 2\n3 4\n": Whitespace, "1;2\n": ';',
	} {
		if got := detectDelimiter([]byte(text), true, '#', false); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// The first 20 lines determine the delimiter.
func TestDelimiterOfManyLines(t *testing.T) {
	for lines, want := range map[int]rune{19: ',', 20: ';'} {
		text := strings.Repeat("1;2,3\n", lines) + "1,2;3;4\n"
		if got := detectDelimiter([]byte(text), true, '#', false); got != want {
			t.Errorf("another line after %d: %q, want %q", lines, got, want)
		}
	}
}

// TestChoiceErrors sets options to invalid values.
func TestChoiceErrors(t *testing.T) {
	for item, want := range map[string]string{
		"ignore":        `"ignore": want NAME=VALUE`,
		"ignore= ":      "ignore: want the name or the index of a column",
		"missing=never": "missing=never: want",
		"levels=1":      "levels=1: want a whole number from 2",
		"no=1":          `unknown column choice "no"`,
	} {
		if err := new(Choices).SetItem(item); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", item, err, want)
		}
	}
	for item, want := range map[string]int{"levels=2": 2, "levels=4096": MaxLevels, "levels=4097": 0} {
		c := new(Choices)
		if err := c.SetItem(item); c.Levels != want || (err == nil) != (want > 0) {
			t.Errorf("%s: %d levels, %v", item, c.Levels, err)
		}
	}
	table := func(name, text string) *Table {
		got, err := Read(context.Background(), name, strings.NewReader(text), ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	_, err := Concatenate(table("a", "1,2\n3,4\n"), table("b", "1,2,3\n"))
	if err == nil || err.Error() != "a has 2 columns, b has 3" {
		t.Errorf("tables of different widths: %v", err)
	}
}

// Columns that are read as categories must exist, and a category has a maximum number of levels.
func TestCategoryErrors(t *testing.T) {
	opt := ReadOptions{Labels: true, Choices: Choices{Categorical: []string{"z"}}}
	if _, err := Read(t.Context(), "f.csv", strings.NewReader("a,b\n1,2\n"), opt); err == nil ||
		err.Error() != `f.csv: no column "z"; the columns are a, b` {
		t.Errorf("an unknown column: %v", err)
	}
	for levels, want := range map[int]string{
		MaxLevels:     "the category has 4096 levels, more than ",
		MaxLevels + 9: "the category has more than 4096 levels, the maximum; --ignore a ignores it",
	} {
		var text strings.Builder
		text.WriteString("a,b\n")
		for i := range 2 * levels {
			fmt.Fprintf(&text, "x%d,%d\n", i/2, i)
		}
		table, err := Read(t.Context(), "f.csv", strings.NewReader(text.String()), ReadOptions{Labels: true})
		if err != nil {
			t.Fatal(err)
		}
		d, err := table.Describe(nil)
		if err == nil {
			err = d.Trouble
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d levels: %v, want %s", levels, err, want)
		}
	}
}

// Invalid limits are errors of all readers.
func TestReadersCheckLimits(t *testing.T) {
	t.Setenv(limitsVariable, "line=many")
	_, read := Read(t.Context(), "f.csv", strings.NewReader("1,2\n"), ReadOptions{})
	_, rows := NewRowReader(Layout{}, "f.csv", strings.NewReader("1,2\n"))
	for what, err := range map[string]error{"Read": read, "NewRowReader": rows} {
		if err == nil || !strings.HasPrefix(err.Error(), limitsVariable+": ") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// Long lists of names are abbreviated.
func TestShortList(t *testing.T) {
	names := strings.Split("a b c d e f g h i j k l m n", " ")
	for n, want := range map[int]string{
		2: "a, b", 12: "a, b, c, d, e, f, g, h, i, j, k, l",
		14: "a, b, c, d, e, f, g, h, i, j, k, l and 2 more",
	} {
		if got := ShortList(names[:n]); got != want {
			t.Errorf("%d names: %s, want %s", n, got, want)
		}
	}
}
