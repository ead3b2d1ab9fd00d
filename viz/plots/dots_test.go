package plots

import (
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"dgplab/viz/canvas"
	"dgplab/viz/figure"
	"dgplab/viz/golden"
)

// demoDots returns n rows with a table of two columns.
func demoDots(n int) Dots {
	d := Dots{
		Columns: []string{"row", "method", "mean"}, Words: 1, XName: "score", DotName: "each run",
		RangeName: "2 sd", TickName: "reference", Empty: "no rows",
	}
	for i := range n {
		x := float64(i) - 0.5
		d.Rows = append(d.Rows, DotRow{Label: string(rune('a' + i)),
			Texts: []string{"star", canvas.Number(x)}, Values: []float64{x, x + 0.4}, Run: i % 3,
			Lo: x - 1, Hi: x + 1, Tick: 1})
	}
	return d
}

// All rows and an axis fit into the height that the picture requests. With one line less, a row or a line of
// the axis is hidden.
func TestDotsLines(t *testing.T) {
	axis := func(d Dots, h int) (rows, axes int) {
		text := golden.Text(d, canvas.Style{}, 80, h)
		for _, r := range d.Rows {
			if strings.Contains(text, "\n"+r.Label+" ") {
				rows++
			}
		}
		for _, sign := range []string{"┬", "score"} {
			if strings.Contains(text, sign) {
				axes++
			}
		}
		return rows, axes
	}
	for n := 1; n <= 20; n++ {
		d := demoDots(n)
		rows, axes := axis(d, d.Lines())
		if rows != n {
			t.Errorf("%d of %d rows in %d lines", rows, n, d.Lines())
		}
		if fewer, less := axis(d, d.Lines()-1); n > 4 && fewer == n && less == axes {
			t.Errorf("%d rows need fewer lines than %d", n, d.Lines())
		}
	}
}

func TestDotsFiles(t *testing.T) {
	d := demoDots(2)
	d.Rows[1].Lo = math.NaN()
	var b strings.Builder
	if err := d.CSV(&b); err != nil {
		t.Fatal(err)
	}
	want := "row,method,mean,value,low,high,reference\na,star,-0.5,-0.5,-1.5,0.5,1\n" +
		"a,star,-0.5,-0.09999999999999998,-1.5,0.5,1\nb,star,0.5,0.5,,1.5,1\nb,star,0.5,0.9,,1.5,1\n"
	if b.String() != want {
		t.Errorf("the table is\n%s\nwant\n%s", b.String(), want)
	}
	f, err := d.Figure(figure.Options{Title: "dots"})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Write(io.Discard, figure.SVG); err != nil {
		t.Fatal(err)
	}
	if _, err := demoDots(0).Figure(figure.Options{}); !errors.Is(err, figure.ErrNothing) {
		t.Errorf("a figure without rows returns %v", err)
	}
}

func FuzzDots(f *testing.F) {
	golden.Seeds(f)
	f.Fuzz(func(t *testing.T, data []byte, w, h uint8) {
		b := &golden.Decoder{Data: data}
		d := Dots{nil, []string{b.Text(), b.Text()}, int(b.Byte()), b.Text(), b.Text(), b.Text(), b.Text(),
			b.Text()}
		for range b.Byte() % 9 {
			d.Rows = append(d.Rows, DotRow{b.Text(), []string{b.Text(), b.Text()}, b.Floats(5),
				int(int8(b.Byte())), b.Float(), b.Float(), b.Float()})
		}
		s := Scatter{Clouds: []Cloud{{X: b.Floats(20), Y: b.Floats(20)}}}
		for range b.Byte() % 4 {
			s.Names = append(s.Names, PointName{b.Float(), b.Float(), b.Text()})
		}
		for _, style := range golden.Styles {
			golden.CheckBox(t, d.Render(style, int(w), int(h)), style, int(w), int(h))
			golden.CheckBox(t, s.Render(style, int(w), int(h)), style, int(w), int(h))
		}
	})
}

// The row agrees with the line of all levels, and its range with the band.
func TestCoverageRow(t *testing.T) {
	pit := append(demoPIT(400, 0.6), math.NaN(), 2)
	line := NewCoverageLine(pit, 41)
	for _, level := range []float64{0.5, 0.9, 0.95} {
		r := NewCoverageRow(pit, level)
		lo, hi := chanceBand(400, level)
		if r.Values[0] != line.at(level) || r.Lo != lo || r.Hi != hi || r.Tick != level {
			t.Errorf("at %g: %+v, want %g in [%g, %g]", level, r, line.at(level), lo, hi)
		}
	}
	if r := NewCoverageRow(nil, 0.5); !math.IsNaN(r.Values[0]) || !math.IsNaN(r.Lo) {
		t.Errorf("without targets: %+v", r)
	}
}

// Every named point has a cross, and names do not overlap.
func TestPointNames(t *testing.T) {
	s := Scatter{Clouds: []Cloud{{X: []float64{0, 1, 1, 2}, Y: []float64{0, 1, 1, 2}}}}
	for k, x := range s.Clouds[0].X {
		s.Names = append(s.Names,
			PointName{X: x, Y: x, Text: []string{"first", "same", "position", "last"}[k]})
	}
	text := golden.Text(s, canvas.Style{}, 40, 12)
	if strings.Count(text, "×") != 3 {
		t.Errorf("not 3 crosses:\n%s", text)
	}
	for _, want := range []string{"×first", "×same", "position×", "last×"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q:\n%s", want, text)
		}
	}
	f, err := s.Figure(figure.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := f.Write(&b, figure.SVG); err != nil || !strings.Contains(b.String(), "position") {
		t.Errorf("the figure has no names: %v", err)
	}
}

// A line at 0 is between the bars of both signs.
func TestHistogramLine(t *testing.T) {
	h := Histogram{Values: []float64{1, 3, 2, 1}, Lo: -2, Hi: 2, At: []float64{0, 5, math.NaN()}}
	text := golden.Text(h, canvas.Style{}, 60, 12)
	if n := strings.Count(strings.Split(text, "\n")[2], "│"); n != 2 { // the axis and the line
		t.Errorf("%d upright lines:\n%s", n, text)
	}
}

// The columns have the widths of the rows with room, and of their titles.
func TestDotsWidths(t *testing.T) {
	d := Dots{Columns: []string{"row", "method"}, Rows: []DotRow{{Label: "a", Texts: []string{"star"}},
		{Label: "second", Texts: []string{"mean-field"}}, {Label: "the third", Texts: []string{"svgp"}}}}
	for h, want := range map[int][]int{1: {3, 6}, 2: {6, 10}, 3: {9, 10}, 9: {9, 10}} {
		if got := d.widths(h); !slices.Equal(got, want) {
			t.Errorf("%d rows: %v, want %v", h, got, want)
		}
	}
}

// Rows of a figure are named in full by their label and their words, or by their words alone.
func TestDotLabelsInFigures(t *testing.T) {
	d := demoDots(2)
	long := "mean-field with sixteen inducing inputs and two samples of every layer"
	d.Rows[0].Texts[0] = long
	d.Rows[1].Label = ""
	drawn, err := d.Figure(figure.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var file strings.Builder
	err = drawn.Write(&file, figure.SVG)
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, part := range strings.Split(file.String(), "</text>") {
		words = append(words, part[strings.LastIndex(part, ">")+1:])
	}
	text := strings.Join(words, " ")
	for _, name := range []string{"a, " + long, " star "} {
		if !strings.Contains(text, name) {
			t.Errorf("the figure does not show %q: %s", name, text)
		}
	}
}
