package datasets

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// Inputs that follow from the target alone, and test rows among the training rows, are warnings.
func TestLeaks(t *testing.T) {
	rows := func(row func(i int, a, y float64) string) string {
		var text strings.Builder
		text.WriteString("a,b,y\n")
		rng := stream(1, "leaks")
		for i := range 200 {
			a := rng.NormFloat64()
			text.WriteString(row(i, a, a+0.5*rng.NormFloat64()) + "\n")
		}
		return text.String()
	}
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"an honest table", rows(func(i int, a, y float64) string {
			return fmt.Sprintf("%v,%v,%v", a, math.Sin(float64(i)), y)
		}), nil},
		{"the target in other units", rows(func(_ int, a, y float64) string {
			return fmt.Sprintf("%v,%v,%v", a, 32+1.8*y, y)
		}), []string{"the target alone explains 9", " % of the ranks of input b, which may not be known"}},
		{"a class by its number", rows(func(i int, a, _ float64) string {
			return fmt.Sprintf("%v,%d,%s", a, 7*(i%3), []string{"u", "v", "w"}[i%3])
		}), []string{"the target alone explains 100 % of the ranks of input b"}},
		{"an input that drifts along the file", rows(func(i int, a, _ float64) string {
			return fmt.Sprintf("%v,%v,%s", a, float64(i)/100, []string{"u", "v", "w"}[i%3])
		}), nil},
		{"rows twice", rows(func(i int, _, _ float64) string {
			k := i % 100
			return fmt.Sprintf("%v,%v,%v", math.Sin(float64(k)), math.Cos(3*float64(k)), k*k%17)
		}), []string{"of 20 test rows are also in the training set"}},
	} {
		ds, err := readWith(t, c.text, "target=y"+map[bool]string{true: ":number"}[c.name == "rows twice"])
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		p := mustPrepare(t, ds, Split{Kind: Interpolation}, 0, 0)
		got := strings.Join(p.Warnings, "\n")
		if c.want == nil && got != "" {
			t.Errorf("%s: %s", c.name, got)
		}
		if slices.ContainsFunc(c.want, func(part string) bool { return !strings.Contains(got, part) }) {
			t.Errorf("%s: %q; want %q", c.name, got, c.want)
		}
	}
}
