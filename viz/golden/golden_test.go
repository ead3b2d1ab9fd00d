package golden

import (
	"strings"
	"testing"
)

// The first line of a failure names the line that differs. Equal lines around it are not printed.
func TestDifferenceBeginsWithTheLineThatDiffers(t *testing.T) {
	const want = "legend\nobserved coverage\nend"
	for got, text := range map[string]string{
		"legend\nempirical coverage\nend": `line 2 is "empirical coverage", want "observed coverage"`,
		"legend\nend":                     `line 2 is missing: "observed coverage"`,
		want + "\nmore":                   `line 4 is new: "more"`,
	} {
		first, rest, _ := strings.Cut(difference(got, want), "\n")
		if first != text {
			t.Errorf("the failure begins with %s, want %s", first, text)
		}
		if strings.Contains(rest, "legend") {
			t.Errorf("an equal line is printed:\n%s", rest)
		}
	}
}

// A box is refused for each of the faults that a picture may have.
func TestBoxProblems(t *testing.T) {
	for want, c := range map[string]struct {
		lines []string
		style int
		w, h  int
	}{
		"": {[]string{"ab", "cd"}, 0, 2, 2}, "not empty": {[]string{"a"}, 0, 0, 1},
		"1 lines, want 2":                 {[]string{"ab"}, 0, 2, 2},
		`line 0 has 1 cells, want 2: "a"`: {[]string{"a"}, 0, 2, 1},
		"an escape code without colour":   {[]string{"\x1b[1ma\x1b[0m"}, 0, 1, 1},
		`'é' in ASCII`:                    {[]string{"é"}, 1, 1, 1},
	} {
		if got := boxProblem(c.lines, Styles[c.style], c.w, c.h); got != want {
			t.Errorf("%q in %d x %d cells: %q, want %q", c.lines, c.w, c.h, got, want)
		}
	}
}
