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

// Names lose steps, then details, then letters, and finally themselves.
func TestLegendShortensNamesByOneRule(t *testing.T) {
	star := Label(Style{}, 1, "star", "at step 290")
	star.Details = []Span{Plain("94.3%"), Plain(" in 95%")}
	parts := []Part{Label(Style{}, 0, "mean-field, 3 seeds", "").Part(), star.Part(),
		Note(2, Ink{}, "95% band", ""), Note(1, Ink{}, "─ mean", "")}
	for _, c := range []struct {
		w    int
		want string
	}{
		{76, "● mean-field, 3 seeds  ▲ star at step 290  94.3% in 95%  95% band  ─ mean"},
		{72, "● mean-field, 3 seeds  ▲ star  94.3% in 95%  95% band  ─ mean"},
		{60, "● mean-field, 3 seeds  ▲ star  94.3% in 95%  95% band"},
		{52, "● mean-field, 3 seeds  ▲ star  94.3% in 95%"},
		{42, "● mean-field  ▲ star  94.3%"},
		{26, "● mean-field  ▲ star"},
		{19, "● mean-fie…  ▲ star"},
		{15, "● mean…  ▲ star"},
		{14, "●  ▲"},
		{4, "●  ▲"},
	} {
		if got := legendText(c.w, parts); got != c.want {
			t.Errorf("in %d cells %q, want %q", c.w, got, c.want)
		}
	}
}

// legendText returns a legend drawn in w cells.
func legendText(w int, parts []Part) string {
	cv := New(Style{}, w, 1)
	DrawLegend(cv, 0, 0, w, parts)
	return strings.TrimRight(cv.String(), " \n")
}

// A value stays beside its marker. The widest name is shortened first.
func TestLegendKeepsValues(t *testing.T) {
	named := func(run int, name, value string) Part {
		n := Label(Style{}, run, name, "")
		n.Value = []Span{Plain(value)}
		n.At = Plain(" at 290")
		return n.Part()
	}
	parts := []Part{named(0, "mean-field", "-1.5"), named(1, "star s12", "-2.5")}
	for _, c := range []struct {
		w    int
		want string
	}{
		{52, "● mean-field  -1.5 at 290  ▲ star s12  -2.5 at 290"},
		{49, "● mean-field  -1.5  ▲ star s12  -2.5"},
		{35, "● mean-fie…  -1.5  ▲ star s12  -2.5"},
		{30, "● mean-…  -1.5  ▲ s… s12  -2.5"},
		{26, "● -1.5  ▲ -2.5"},
	} {
		if got := legendText(c.w, parts); got != c.want {
			t.Errorf("in %d cells %q, want %q", c.w, got, c.want)
		}
	}
}

// The text of a name is shortened as in a legend.
func TestNameInCells(t *testing.T) {
	n := Name{Mark: Plain("▲ "), Text: "star, 40 of 90 points", Step: "at step 290"}
	for w, want := range map[int]string{
		40: "▲ star at step 290, 40 of 90 points", 30: "▲ star, 40 of 90 points", 20: "▲ star", 5: "▲",
		0: "",
	} {
		if got := n.In(w); got != want {
			t.Errorf("in %d cells %q, want %q", w, got, want)
		}
	}
}

// Less important parts are left out instead of cut, which could change a number.
func TestLegendsCutNoNumbers(t *testing.T) {
	parts := []Part{Label(Style{}, 0, "star", "").Part(), Label(Style{}, 1, "mean-field", "").Part(),
		Note(1, Ink{}, "4000 points", "n=4000")}
	for w := 1; w < 50; w++ {
		cv := New(Style{}, w, 1)
		DrawLegend(cv, 0, 0, w, parts)
		got := strings.TrimRight(cv.String(), " ")
		if strings.Contains(got, "4") && !strings.Contains(got, "4000") {
			t.Errorf("in %d cells: %q", w, got)
		}
		if whole := strings.Contains(got, "4000"); whole != (w >= 12) {
			t.Errorf("in %d cells: %q", w, got)
		}
	}
}
