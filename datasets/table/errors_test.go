package table

import (
	"bufio"
	"context"
	"errors"
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
	spaced := newRecords(bufio.NewReader(strings.NewReader(text)), Whitespace)
	for _, want := range []string{"1|2", "3|4 5"} {
		if cells, err := spaced.next(); err != nil || strings.Join(cells, "|") != want {
			t.Errorf("cells %q (%v), want %s", cells, err, want)
		}
	}
	if cells, err := spaced.next(); err == nil || spaced.line() != 5 {
		t.Errorf("an open quote in line %d: %q", spaced.line(), cells)
	}
	failing := newRecords(bufio.NewReader(io.MultiReader(strings.NewReader("1 2"), iotest.ErrReader(broken))),
		Whitespace)
	if _, err := failing.next(); !errors.Is(err, broken) {
		t.Errorf("a broken line: %v", err)
	}
}

// TestDecimalCommasAndBlanks checks that a comma between blanks separates cells unless every comma is
// part of a number.
func TestDecimalCommasAndBlanks(t *testing.T) {
	for text, want := range map[string]rune{
		"1,5 2\n3,5 4\n": Whitespace, "1,x 2\n3,y 4\n": ',', "1 2\n3 4\n": Whitespace, "1;2\n": ';',
	} {
		if got := detectDelimiter(bufio.NewReader(strings.NewReader(text)), false); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
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
