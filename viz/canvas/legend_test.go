package canvas

import (
	"slices"
	"strings"
	"testing"
)

func TestShortened(t *testing.T) {
	want := []string{"star seed 12", "star s12", "st… s12", "s… s12", "s s12"}
	if got := shortened("star seed 12", 5); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := shortened("gp", 5); !slices.Equal(got, []string{"gp"}) {
		t.Errorf("a short name became %q", got)
	}
}

// The longest names are shortened, and only as far as necessary.
func TestLegendCutsTheWidestName(t *testing.T) {
	best := Part{
		Keep:     1,
		Cut:      3,
		Variants: [][]Span{{Plain("chain at 7")}, {Plain("chain 7")}, {Plain("chain")}, {Plain("cha…")}},
	}
	parts := []Part{Label(Style{}, 0, "mean-field", 3), Label(Style{}, 1, "star", 3), best}
	for _, c := range []struct {
		w    int
		want string
	}{
		{34, "● mean-field  ▲ star  chain at 7"},
		{31, "● mean-field  ▲ star  chain 7"},
		{28, "● mean-field  ▲ star  chain"},
		{26, "● mean-field  ▲ star  cha…"},
		{23, "● mean-f…  ▲ star  cha…"},
		{20, "● mea…  ▲ star  cha…"},
		{19, "● me…  ▲ star  cha…"},
	} {
		cv := New(Style{}, c.w, 1)
		DrawLegend(cv, 0, 0, c.w, parts)
		if got := strings.TrimRight(cv.String(), " \n"); got != c.want {
			t.Errorf("in %d cells %q, want %q", c.w, got, c.want)
		}
	}
}

// Less important parts are left out instead of cut, which could change a number.
func TestLegendsCutNoNumbers(t *testing.T) {
	parts := []Part{Label(Style{}, 0, "star", 4), Label(Style{}, 1, "mean-field", 6),
		Note(1, Ink{}, "4000 points", "n=4000")}
	for w := 1; w < 50; w++ {
		cv := New(Style{}, w, 1)
		DrawLegend(cv, 0, 0, w, parts)
		got := strings.TrimRight(cv.String(), " ")
		if strings.Contains(got, "4") && !strings.Contains(got, "4000") {
			t.Errorf("in %d cells: %q", w, got)
		}
		if whole := strings.Contains(got, "4000"); whole != (w >= 24) {
			t.Errorf("in %d cells: %q", w, got)
		}
	}
}
