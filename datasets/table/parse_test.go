package table

import (
	"slices"
	"strings"
	"testing"
)

// Commas are decimal signs only if white space splits all lines evenly and each comma is in a number.
func TestDecimalCommas(t *testing.T) {
	for text, want := range map[string]bool{
		"1,5 2,5\n3 4,0": true, "1,5 2\n3": false, "1,5\n2,5": false, "1 2\n3 4": false,
		"a,b 1,5\n2 3": false,
	} {
		if got := decimalCommas(strings.Split(text, "\n")); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// Words have one number each, lists have no duplicates, and booleans come from a single pair.
func TestWords(t *testing.T) {
	w := words{number: map[string]int32{}}
	for i, text := range []string{"ab", "c", "ab", ""} {
		if got, want := w.intern(text), []int32{1, 2, 1, 3}[i]; got != want {
			t.Errorf("%q has the number %d, want %d", text, got, want)
		}
	}
	if !slices.Equal(w.texts, []string{"ab", "c", ""}) || len(w.counts) != 3 || w.bytes != 3 {
		t.Errorf("%+v", w)
	}
	if got := unique([]string{"a", "b", "a", "b"}); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("unique strings are %q", got)
	}
	for want, n := range map[string]int{
		"a, b, c, d, e, f, ...": 7, "a, b, c, d, e and f": 6, "a and b": 2, "a": 1,
	} {
		if got := shortened(strings.Split("abcdefg"[:n], ""), " and "); got != want {
			t.Errorf("%d words: %q, want %q", n, got, want)
		}
	}
	for text, want := range map[string]string{"No YES": "no yes", "ja": "nein ja", "no ja": "", "": ""} {
		pair, ok := booleanPair(strings.Fields(text))
		if got := strings.TrimSpace(pair[0] + " " + pair[1]); ok != (want != "") || ok && got != want {
			t.Errorf("%q: %q, %v", text, pair, ok)
		}
	}
}

// A column of numbers has its range, its mean and a histogram.
func TestMeasuredColumns(t *testing.T) {
	text := "a,y\n0,1\n5,2\n10,3\n10,4\n"
	read, err := Read(t.Context(), "f", strings.NewReader(text), ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := read.Describe([]string{"y"})
	if err != nil {
		t.Fatal(err)
	}
	read.Measure(&d.Description)
	c := d.Columns[0]
	bins := make([]int, Bins)
	bins[0], bins[Bins/2], bins[Bins-1] = 1, 1, 2
	if c.Min != 0 || c.Max != 10 || c.Mean != 6.25 || c.Distinct != 3 || !slices.Equal(c.Spark, bins) {
		t.Errorf("%+v, histogram %v", c, c.Spark)
	}
}
