package compare

import (
	"bytes"
	"encoding/csv"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"dgplab/session/metric"
	"dgplab/session/rundir"
	"dgplab/viz/golden"
)

// demoSet returns a set with markup in its names and a method that has no runs on one data set.
func demoSet() *Set {
	value := func(m, d, split int, seed uint64) float64 {
		return math.Pow(0.03, float64(d)) *
			(-2 - 0.1*float64(m) + 0.3*noise(split, d, 7) + 0.04*noise(split, int(seed), m))
	}
	runs := grid([]string{"star mask=1/0_1", "star mask=|~*"}, []string{"wine_red", "a&b"}, 5, 2, value)
	runs = append(runs, grid([]string{"star mask=100%"}, []string{"wine_red"}, 5, 2, value)...)
	return Group(sized(runs, 81, 9, 10))
}

func TestSheetsGolden(t *testing.T) {
	s := demoSet()
	table := s.Table(logLik, Options{Blocks: BySplit})
	golden.Check(t, "table.md", table.Sheet().Markdown())
	golden.Check(t, "table.tex", table.Sheet().LaTeX())
	s.Runs = append(s.Runs[:7:7], s.Runs[20:23]...)
	golden.Check(t, "ragged.md",
		s.Table(logLik, Options{Unmatched: true, Blocks: BySplit}).Sheet().Markdown())
	sheet := DirectSheet([]Comparison{
		{A: "star", B: "mean-field", Dataset: "boston", Pairs: make([]Pair, 10), Over: OverSplits, N: 10,
			Share: 0.5432, ShareSE: 0.0123, Difference: 0.0234, DifferenceSE: 0.0051,
			Tests: Tests{4.6, 0.0013, 0.0098}, HolmP: 0.0013, Ratio: 0.1, Verdict: "A"},
		{A: "star", B: "mean-field", Dataset: "one", Pairs: make([]Pair, 1), Over: OverPoints, N: 51,
			Share: 0.49, ShareSE: nan, Difference: -0.2, DifferenceSE: 0.1, Tests: Tests{-2, 1e-20, 0.00021},
			HolmP: nan, Verdict: "~", Single: true},
		{Dataset: "none"},
	})
	golden.Check(t, "direct.md", sheet.Markdown())
	golden.Check(t, "direct.tex", sheet.LaTeX())
}

// The braces are balanced, and no LaTeX special characters remain.
func TestLatexText(t *testing.T) {
	for text, want := range map[string]string{
		`a_b`: `a\_b`, `50%`: `50\%`, `{x}`: `\{x\}`, `a\b`: `a\textbackslash{}b`, `~`: `$\sim$`,
		"a\nb": "a b", `$#&^`: `\$\#\&\textasciicircum{}`,
	} {
		if got := latexText(text); got != want {
			t.Errorf("%q is written %q, want %q", text, got, want)
		}
	}
}

func TestLatexNumbers(t *testing.T) {
	for _, c := range []struct {
		entry Entry
		want  string
	}{
		{Entry{Text: "-1.50", SE: "0.10", Number: true, Best: true}, `$\mathbf{-1.50}\;(0.10)$`},
		{Entry{Text: "1.2e+12", SE: "+Inf", Number: true, Tied: true},
			`$1.2\times10^{12}\;(+\infty)^{\dagger}$`},
		{Entry{Text: "NaN", SE: "3.0e-05", Number: true}, `$\mathrm{NaN}\;(3.0\times10^{-5})$`},
		{Entry{Text: "-", Number: true}, `-`},
		{Entry{Text: "1e3"}, `1e3`},
	} {
		if got := c.entry.latex(); got != c.want {
			t.Errorf("%+v is written %s, want %s", c.entry, got, c.want)
		}
	}
}

func TestPText(t *testing.T) {
	for p, want := range map[rundir.Number]string{
		0: "<1e-15", 6.64e-5: "6.6e-05", 0.0312: "0.031", 1: "1.000", nan: "-",
	} {
		if got := PText(p); got != want {
			t.Errorf("P %v is written %s, want %s", p, got, want)
		}
	}
}

// Every cell has the digits of its own standard error: that of equal runs, which is due to rounding, changes
// no other cell.
func TestDigitsOfCells(t *testing.T) {
	runs := grid([]string{"star", "svgp"}, []string{"boston"}, 1, 5,
		func(method, _, _ int, seed uint64) float64 {
			return -1.029756 + float64(seed)*[]float64{1e-16, 0.01}[method]
		})
	table := Group(runs).Table(logLik, Options{})
	for method, want := range []Entry{{Text: "-1.030", SE: "0"}, {Text: "-1.0098", SE: "0.0071"}} {
		if e := table.entry(method, 0); e.Text != want.Text || e.SE != want.SE {
			t.Errorf("method %d: want %s (%s), found %s (%s)", method, want.Text, want.SE, e.Text, e.SE)
		}
	}
}

func TestCSV(t *testing.T) {
	s := demoSet()
	rmse := metric.Get("rmse")
	var b bytes.Buffer
	if err := s.CSV(&b, []metric.Column{logLik, rmse}); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(rows) != 1+2*len(s.Runs) {
		t.Fatalf("%d rows (%v), want %d", len(rows), err, 1+2*len(s.Runs))
	}
	for i, r := range s.Runs {
		v, err := strconv.ParseFloat(rows[1+i][7], 64)
		if err != nil || rundir.Number(v) != r.Results.Test.LogLik ||
			rows[1+i][5] != r.ID || rows[1+i][6] != "log_lik" {
			t.Errorf("row %q for run %s with %v", rows[1+i], r.ID, r.Results.Test.LogLik)
		}
	}
	if err := s.CSV(failing{}, metric.Ranked()); err == nil || !strings.Contains(err.Error(), "CSV") {
		t.Errorf("a failing writer: %v", err)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, os.ErrClosed }

// A score of NaN is shown, ranks last and is explained in a note.
func TestSheetWithNaN(t *testing.T) {
	s := demoSet()
	s.Runs[0].Results.Test.LogLik = rundir.Number(math.NaN())
	sheet := s.Table(logLik, Options{}).Sheet()
	if got := sheet.Rows[s.Runs[0].Method][1+s.Runs[0].Dataset]; got.Text != "NaN" || got.Best || got.Tied {
		t.Errorf("%+v", got)
	}
	if !slices.ContainsFunc(sheet.Notes, func(note string) bool { return strings.HasPrefix(note, "NaN: ") }) {
		t.Errorf("notes %q", sheet.Notes)
	}
}

// A table with a single method has no best mark.
func TestSheetOfOneMethod(t *testing.T) {
	s := Group([]rundir.Info{spec{"boston", "star", 0, 0, -2.5, ""}.run()})
	sheet := s.Table(logLik, Options{}).Sheet()
	if len(sheet.Rows) != 1 || sheet.Rows[0][1].Best || sheet.Rows[0][1].Text != "-2.500" ||
		sheet.Foot[1].Text != "one run" || len(sheet.Notes) != 0 {
		t.Errorf("%+v", sheet)
	}
}

// Names that a spreadsheet would evaluate as a formula are escaped; numbers stay numbers.
func TestCSVRunsNoFormulas(t *testing.T) {
	runs := grid([]string{"star"}, []string{"=boston"}, 1, 1, func(int, int, int, uint64) float64 {
		return -1.5
	})
	var b strings.Builder
	if err := Group(runs).CSV(&b, []metric.Column{logLik}); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); !strings.Contains(text, ",'=boston,") ||
		!strings.HasSuffix(text, ",log_lik,-1.5\n") {
		t.Errorf("%s", text)
	}
}
