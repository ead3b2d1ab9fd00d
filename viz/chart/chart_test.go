package chart

import (
	"bytes"
	"errors"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"dgplab/viz/canvas"
	"dgplab/viz/figure"
)

// plane is a pair of axes from 0 to 10 and from 0 to 4.
func plane() Plane {
	return Plane{X: Scale{Hi: 10}, Y: Scale{Hi: 4}, XName: "x", YName: "y"}
}

// drawn returns a mark in a plot of 11 x 5 cells, one cell for each value.
func drawn(m Mark) []string { return drawnIn(canvas.Style{}, m) }

// drawnIn is like drawn on a given terminal.
func drawnIn(style canvas.Style, m Mark) []string {
	p := plane()
	plot := canvas.New(style, 11, 5)
	m.Text(plot, &p)
	return plot.Lines()
}

func check(t *testing.T, got []string, want ...string) {
	t.Helper()
	for i, line := range want {
		if strings.TrimRight(got[i], " ") != line {
			t.Fatalf("line %d differs:\n%s\nwant:\n%s", i, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// The ends of a band are lines of dots, even where the band is thinner than a dot.
func TestBandsHaveEdges(t *testing.T) {
	x := []float64{0, 10}
	band := Band{X: x, Ranges: []Range{{Lo: []float64{1, 1}, Hi: []float64{1.1, 3}}}}
	for _, style := range []canvas.Style{{Braille: true}, {Braille: true, Mode: canvas.TrueColor}} {
		p := plane()
		plot := canvas.New(style, 11, 5)
		band.Text(plot, &p)
		for column := range plot.W {
			edges := 0
			for row := range plot.H {
				if r := plot.At(column, row); r > 0x2800 && r < 0x2900 {
					edges++
				}
			}
			if want := 1 + min(column/4, 1); edges < want {
				t.Errorf("column %d has %d cells with an edge, want %d:\n%s", column, edges, want, plot)
			}
		}
	}
}

// Marked bars are hatched, or of one pale colour on terminals with shades, also where a line crosses them.
func TestMarkedBarsArePale(t *testing.T) {
	bars := Bars{Hi: 10, Values: []float64{4}, Marked: func(v float64) bool { return true },
		Over: []Mark{Level{Y: 2, Glyph: '─', Color: Soft}}}
	p := plane()
	style := canvas.Style{Mode: canvas.TrueColor, Dark: true}
	plot := canvas.New(style, 10, 5)
	bars.Text(plot, &p)
	bright := canvas.New(style, 10, 5)
	unmarked := bars
	unmarked.Marked = nil
	unmarked.Text(bright, &p)
	pale := canvas.New(style, 1, 1)
	pale.Put(0, 0, '█', canvas.Ink{FG: style.Tint(style.RunColor(0), 0.5)})
	color, _, _ := strings.Cut(pale.String(), "█")
	for y, line := range plot.Lines() {
		if y != 2 && (!strings.Contains(line, color) || strings.Contains(line, "▒")) {
			t.Errorf("row %d of a marked bar is not pale: %q", y, line)
		}
		if line == bright.Lines()[y] {
			t.Errorf("row %d of a marked bar looks like that of another bar: %q", y, line)
		}
	}
}

// Marked bars are hatched.
func TestMarkedBarsAreHatched(t *testing.T) {
	bars := Bars{Hi: 10, Values: []float64{4, 2}, Marked: func(v float64) bool { return v > 3 }}
	check(t, drawn(bars), "▄▄▄▄", "▒▒▒▒", "▒▒▒▒ ▄▄▄▄▄", "▒▒▒▒ █████", "▒▒▒▒ █████")
	paths := func(marked func(float64) bool) int {
		bars.Marked = marked
		c := Chart{Plane: plane(), Marks: []Mark{bars}, Page: Page{W: 8, H: 8, NX: 3, NY: 3}}
		f, err := c.Figure(figure.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := f.Write(&b, figure.SVG); err != nil {
			t.Fatal(err)
		}
		return strings.Count(b.String(), "<path")
	}
	high := bars.Marked
	whole := paths(nil)
	hatched := paths(high)
	if hatched < whole+10 {
		t.Errorf("%d lines in the figure, %d without hatched bars", hatched, whole)
	}
}

func TestLine(t *testing.T) {
	nan := math.NaN()
	line := []XY{{X: 0, Y: 1}, {X: 3, Y: 1}, {X: 4, Y: nan}, {X: 6, Y: 2},
		{X: 7, Y: nan}, {X: 8, Y: 4}, {X: 10, Y: 4}}
	check(t, drawn(Line{XY: line}), "        ───", "", "      •", "────")
	// A corner between two columns is cut, unless the line has to pass it.
	peak := []XY{{X: 0}, {X: 4}, {X: 4.5, Y: 4}, {X: 6}}
	top := func(l Line) bool { return strings.ContainsAny(drawn(l)[0], "─╭╮") }
	if !top(Line{XY: peak, Corners: true}) || top(Line{XY: peak}) {
		t.Error("the line does not reach its corner, or does so without having to")
	}
	outside := []XY{{X: 0, Y: 2}, {X: 10, Y: 12}}
	check(t, drawn(Line{XY: outside}), " ╭──▴ ▴ ▴ ▴", "╭╯", "╯", "", "")
	below := []XY{{X: 0, Y: -8}, {X: 10, Y: 2}}
	check(t, drawn(Line{XY: below, Index: 1, Count: 3}), "", "",
		"         ╭─", "        ╭╯", " ▾  ▾  ─╯")
	across := []XY{{X: -5, Y: 3}, {X: 5, Y: 3}, {X: 6, Y: nan}, {X: 12, Y: 0}, {X: 14, Y: 4}}
	check(t, drawn(Line{XY: across}), "", "──────", "", "", "")
	thinned := []XY{{X: 0, Y: 1}, {X: 5, Y: 1}, {X: 5, Y: 4}, {X: 5, Y: 9}, {X: 5, Y: 1}, {X: 10, Y: 1}}
	check(t, drawn(Line{XY: thinned, Extremes: true}),
		"     │", "     │", "     │", "─────┴─────", "")
	check(t, drawn(Spread{XY: thinned}), "     ┊", "     ┊", "     ┊", "·    ┊    ·", "")
	markers := Markers{{XY: outside, Color: Run(1), Count: 2}}
	check(t, drawn(markers), "   ▲", "", "", "", "")
}

func TestBandShadesForTheNarrowestRange(t *testing.T) {
	ends := []float64{0, 10}
	b := Band{X: ends, Color: Run(0), Ranges: []Range{
		{Lo: []float64{0, 0}, Hi: []float64{4, 4}}, {Lo: []float64{2, 2}, Hi: []float64{2.5, 2.5}},
	}}
	wide := strings.Repeat("░", 11)
	narrow := strings.Repeat("▒", 11)
	got := drawn(b)
	if got[0] != wide || got[4] != wide || got[2] != narrow {
		t.Errorf("the band is\n%s", strings.Join(got, "\n"))
	}
	b.Ranges[0].Hi[1] = math.NaN()
	b.Ranges = b.Ranges[:1]
	check(t, drawn(b), "░", "░", "░", "░", "░") // One end is missing.
}

// A band with a single point has no area, and so no legend entry in a figure.
func TestBandOfOnePoint(t *testing.T) {
	nan := math.NaN()
	for want, hi := range map[bool][]float64{true: {3, 3, nan}, false: {3, nan, 3}} {
		band := Band{X: []float64{0, 5, 10}, Ranges: []Range{{Name: "95 %", Lo: []float64{1, 1, 1}, Hi: hi}}}
		c := Chart{Plane: plane(), Marks: []Mark{band}, Page: Page{W: 8, H: 8, NX: 3, NY: 3}}
		f, err := c.Figure(figure.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var svg bytes.Buffer
		if err := f.Write(&svg, figure.SVG); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(svg.String(), ">95 %<"); got != want {
			t.Errorf("the upper end %v has a legend entry: %v", hi, got)
		}
	}
}

// Dots show the ends of a range within the axes. A cell is marked at the edge if the line is
// outside in both of its columns of dots.
func TestMarksOfDots(t *testing.T) {
	style := canvas.Style{Braille: true}
	data := []XY{{X: 0, Y: 0}, {X: 0, Y: 1}, {X: 5, Y: 4}, {X: 5, Y: 9}, {X: 5, Y: 2}, {X: 10, Y: -1},
		{X: 10, Y: 0}}
	check(t, drawnIn(style, Spread{XY: data}), "", "", "     ⠐", "⠄", "⡀         ⢀")
	line := []XY{{X: 0, Y: 2}, {X: 10, Y: 12}}
	check(t, drawnIn(style, Line{XY: line}), " ⢠⠋ ▴ ▴ ▴ ▴", "⢠⠃", "⠃", "", "")
	check(t, drawnIn(style, Line{XY: append(data, XY{X: 10, Y: 2}), Extremes: true}),
		"    ⡠⣾", "  ⢀⠜ ⢻", " ⡠⠃  ⠸⡀   ⢰",
		"⡔⠁    ⠑⢄  ⣼", "⡇      ⠈⠢⡀⣿")
}

// A chart of four rows has a legend, and one of three rows has none.
func TestLegendNeedsFourRows(t *testing.T) {
	c := Chart{Plane: plane()}
	for h, want := range map[int]bool{3: false, 4: true} {
		got := strings.HasPrefix(c.Render(canvas.Style{}, 40, h)[0], "y ")
		if got != want || LegendRows(h) == 1 != want {
			t.Errorf("%d rows have a legend: %v", h, got)
		}
	}
}

func TestMarks(t *testing.T) {
	check(t, drawn(Points{XY: []XY{{X: 2, Y: 3}, {X: 5, Y: math.NaN()}}, Glyph: 'x'}), "", "  x")
	check(t, drawn(Rug{X: []float64{-1, 0, 7, 11}}), "", "", "", "", "+      +")
	check(t, drawn(Level{Y: 1, Glyph: '─'}), "", "", "", "───────────")
	check(t, drawn(Whiskers{List: []Whisker{{X: 1, Lo: 1, Hi: 3}}}), "", " │", " │", " │")
	caps := Whiskers{List: []Whisker{{X: 1, Lo: 1, Mid: 2, Hi: 3}, {X: 4, Lo: 2, Mid: 2, Hi: 2}}, Caps: true}
	check(t, drawn(caps), "", " ┬", " │", " ┴")
	check(t, drawn(Diagonal{}), "    ╱", "   ╱", "  ╱", " ╱", "╱")
	side := Side{Count: 2, X: []float64{0, 5, 10}, Spacing: 5}
	left := Points{XY: []XY{{X: 5}}, Glyph: 'a', Side: side}
	side.Index = 1
	right := Points{XY: []XY{{X: 5}}, Glyph: 'b', Side: side}
	a := strings.Index(drawn(left)[4], "a")
	b := strings.Index(drawn(right)[4], "b")
	if a >= b {
		t.Errorf("series side by side are in the columns %d and %d", a, b)
	}
}

// Marks have the same positions in cells and in dots. Whiskers end at the edges. Series at the same x are
// beside each other.
func TestMarksInCellsAndInDots(t *testing.T) {
	side := func(index, count int) Side {
		return Side{Index: index, Count: count, X: []float64{0, 5, 10}, Spacing: 5}
	}
	beside := []XY{{X: 5}, {X: 0, Y: 2}, {X: 10, Y: 2}}
	for _, c := range []struct {
		name        string
		mark        Mark
		cells, dots []string // nil if the dots are the same cells
	}{
		{"whiskers with caps", Whiskers{List: []Whisker{{X: 1, Lo: 0, Mid: 3, Hi: 4},
			{X: 5, Lo: 0, Mid: 1, Hi: 4}, {X: 8, Lo: 1, Mid: 1.5, Hi: 2}}, Caps: true},
			[]string{" ┬", " │   ┬", " │   │", " ┴   │", "     ┴"},
			[]string{"⠈⡏⠁ ⠈⡏⠁", " ⡇   ⡇", " ⡇   ⡇ ⠐⡖⠂", " ⡇   ⡇ ⠠⠧⠄", "⢀⣇⡀ ⢀⣇⡀"}},
		{"whiskers",
			Whiskers{List: []Whisker{{X: 1, Lo: 1, Hi: 3}, {X: 6, Lo: 0, Hi: 0}, {X: 10, Lo: 3, Hi: 4}}},
			[]string{"          │", " │        │", " │", " │", "      │"},
			[]string{"          ⢸", " ⡆        ⠘", " ⡇", " ⠇", "      ⢀"}},
		{"dotted points", Points{XY: []XY{{X: 0, Y: 0}, {X: 2, Y: 3}, {X: 10, Y: 4}, {X: 5.5, Y: 2}},
			Glyph: 'x', Dotted: true},
			[]string{"          x", "  x", "      x", "", "x"},
			[]string{"          ⠈", "  ⠂", "      ⠂", "", "⡀"}},
		{"diagonal", Diagonal{}, []string{"    ╱", "   ╱", "  ╱", " ╱", "╱"},
			[]string{"   ⢠⠂", "  ⢀⠇", " ⢀⠎", " ⡎", "⡜"}},
		{"left of 3", Points{XY: beside, Glyph: 'o', Side: side(0, 3)},
			[]string{"", "", "o        o", "", "    o"}, nil},
		{"middle of 3", Points{XY: beside, Glyph: 'o', Side: side(1, 3)},
			[]string{"", "", "o         o", "", "     o"}, nil},
		{"right of 3", Points{XY: beside, Glyph: 'o', Side: side(2, 3)},
			[]string{"", "", " o        o", "", "      o"}, nil},
		{"bars", Bars{Hi: 10, Values: []float64{4, 0, 1.3, 0.1, 2.6}},
			[]string{"▄▄", "██      ▁▁", "██      ██", "██  ▆▆  ██", "██  ██▅▅██"}, nil},
		{"bars under a line",
			Bars{Hi: 10, Values: []float64{4, 2, 0.4}, Over: []Mark{Level{Y: 1, Glyph: '─'}}},
			[]string{"▄▄", "██", "██ ▄▄▄", "───────────", "██ ███ ▇▇▇"}, nil},
		{"markers", Markers{{XY: []XY{{X: 0, Y: 1}, {X: 10, Y: 3}}, Count: 3},
			{XY: []XY{{X: 0, Y: 2}, {X: 10, Y: 2}}, Color: Run(1), Index: 1, Count: 3},
			{XY: []XY{{X: 0, Y: 0}, {X: 10, Y: 0}}, Count: 1}},
			[]string{"", "          ●", "    ●     ▲", "", ""}, nil},
		{"line beside another", Line{XY: []XY{{X: 0, Y: 1}, {X: 5, Y: 3}, {X: 10, Y: 1}}, Corners: true,
			Side: side(1, 2)},
			[]string{"", "    ╭──╮", "  ╭─╯  ╰─╮", " ─╯      ╰─", ""},
			[]string{"", "     ⡠⠔⢄", "   ⡠⠊   ⠑⡄", " ⠔⠊      ⠈⠢", ""}},
		{"band", Band{X: []float64{2, 4, 6, 8, 10},
			Ranges: []Range{{Lo: []float64{0, 1, 1, 2, 5}, Hi: []float64{2, 3, 4, 6, 6}}}},
			[]string{"      ░░░░", "    ░░░░░", "  ░░░░░░░", "  ░░░░░", "  ░"},
			[]string{"     ⡠⠂░░⢠", "   ⡠⠊░░░⢀⠇", "  ⠘░░░░⢀⠜", "  ░░⡠⠤⠤⠊", "  ⠠⠊"}},
		{"first of 2 lines below", Line{XY: []XY{{X: 0, Y: -4}, {X: 10, Y: -4}}, Count: 2},
			[]string{"", "", "", "", "▾ ▾ ▾ ▾ ▾ ▾"}, nil},
		{"second of 3 lines above", Line{XY: []XY{{X: 0, Y: 9}, {X: 10, Y: 9}}, Index: 1, Count: 3},
			[]string{" ▴  ▴  ▴  ▴", "", "", "", ""}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			check(t, drawn(c.mark), c.cells...)
			if c.dots == nil {
				c.dots = c.cells
			}
			check(t, drawnIn(canvas.Style{Braille: true}, c.mark), c.dots...)
		})
	}
}

// A chart of one facet has the name of y and its own legend. Several facets share one scale and one legend.
func TestFacets(t *testing.T) {
	facet := func(title string) Chart {
		return Chart{Plane: plane(), Name: title, Page: Page{W: 10, H: 8, NX: 4, NY: 4, Title: title},
			Marks: []Mark{RunLine("line of "+title, 0, []XY{{X: 0, Y: 1}, {X: 10, Y: 3}})},
			Legend: func(canvas.Style) []canvas.Part {
				return []canvas.Part{canvas.Note(1, canvas.Ink{}, "legend of "+title)}
			}}
	}
	shared := func(canvas.Style) []canvas.Part {
		return []canvas.Part{canvas.Note(1, canvas.Ink{}, "shared legend")}
	}
	one := Facets{Charts: []Chart{facet("a")}, Legend: shared, Name: "facets"}
	got := one.Render(canvas.Style{}, 60, 10)
	if !strings.HasPrefix(got[0], "y  legend of a  shared legend") {
		t.Errorf("one facet:\n%s", strings.Join(got, "\n"))
	}
	other := facet("b")
	other.YName = "other"
	two := Facets{Charts: []Chart{facet("a"), other}, Legend: shared, Name: "facets"}
	got = two.Render(canvas.Style{}, 60, 10)
	if !strings.HasPrefix(got[0], "legend of a ") || !strings.Contains(got[0], "legend of b") ||
		!strings.HasPrefix(got[9], "y  shared legend  one scale") {
		t.Errorf("two facets:\n%s", strings.Join(got, "\n"))
	}
	f, err := two.Figure(figure.Options{Title: "the title"})
	if err != nil {
		t.Fatal(err)
	}
	var svg bytes.Buffer
	if err := f.Write(&svg, figure.SVG); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{">a<", ">b<", ">the title<"} {
		if strings.Count(svg.String(), text) != 1 {
			t.Errorf("the figure of two facets does not show %s once", text)
		}
	}
	size := regexp.MustCompile(`font-size:([0-9.]+)px[^>]*>a<`).FindStringSubmatch(svg.String())
	if size == nil || size[1] != strconv.FormatFloat(figure.LabelSize.Points(), 'g', -1, 64) {
		t.Errorf("the title of a facet has the size %q, want %v", size, figure.LabelSize.Points())
	}
	two.Charts[1].Y.Hi = math.MaxFloat64
	if _, err := two.Figure(figure.Options{}); err == nil || !strings.Contains(err.Error(), "too far apart") {
		t.Errorf("a facet that cannot be drawn: %v", err)
	}
	two.Empty = "no points yet"
	if _, err := two.Figure(figure.Options{}); !errors.Is(err, figure.ErrNothing) {
		t.Errorf("facets without points: %v", err)
	}
	charts := []*Chart{{Empty: "no points"}, &one.Charts[0]}
	if f, err := Grid("charts", charts, 2, figure.Options{}); err != nil || f == nil {
		t.Errorf("a grid with an empty chart: %v", err)
	}
	charts[1].Err = errors.New("cannot be drawn")
	if _, err := Grid("charts", charts, 2, figure.Options{}); err != charts[1].Err {
		t.Errorf("a grid with a chart that cannot be drawn: %v", err)
	}
}

// A column of a chart has the value whose mark it shows. There is none beside the plot.
func TestXAt(t *testing.T) {
	c := Chart{Plane: plane()}
	for column, want := range map[int]float64{2: 0, 12: 10. / 3, 32: 10} {
		if x, ok := c.XAt(33, 10, column); !ok || math.Abs(x-want) > 1e-12 {
			t.Errorf("column %d has the value %v, %v; want %v", column, x, ok, want)
		}
	}
	for _, size := range [][3]int{{33, 10, 1}, {33, 10, 33}, {33, 0, 12}} {
		if x, ok := c.XAt(size[0], size[1], size[2]); ok {
			t.Errorf("column %d of %d x %d cells has the value %v", size[2], size[0], size[1], x)
		}
	}
}

// Points on the lower edge stay visible above a rug.
func TestRugHasRoom(t *testing.T) {
	c := Chart{Plane: plane(), Marks: []Mark{
		Points{XY: []XY{{X: 5}}, Glyph: 'x'}, Rug{X: []float64{5}, Name: "positions"},
	}}
	if text := strings.Join(c.Render(canvas.Style{}, 40, 12), "\n"); !strings.Contains(text, "x") ||
		!strings.Contains(text, "+") {
		t.Errorf("the rug covers a point:\n%s", text)
	}
}

func TestEmptyAndInvalidCharts(t *testing.T) {
	c := Chart{Name: "demo", Empty: "no points yet"}
	if text := strings.Join(c.Render(canvas.Style{}, 40, 5), ""); !strings.Contains(text, c.Empty) {
		t.Errorf("the text is %q", text)
	}
	if _, err := c.Figure(figure.Options{}); !errors.Is(err, figure.ErrNothing) || err.Error() !=
		"demo: nothing to draw: no points yet" {
		t.Errorf("the error is %v", err)
	}
	if _, err := Grid("charts", []*Chart{&c}, 1, figure.Options{}); !errors.Is(err, figure.ErrNothing) {
		t.Errorf("the error of a grid is %v", err)
	}
	c = Chart{Plane: plane(), Name: "demo"}
	c.Y.Hi = math.MaxFloat64
	if _, err := c.Figure(figure.Options{}); err == nil || !strings.Contains(err.Error(), "too far apart") {
		t.Errorf("the error is %v", err)
	}
}

// A figure of a logarithmic axis shows logarithms unless its ticks are given.
func TestLogarithmicAxis(t *testing.T) {
	c := Chart{Plane: plane(), Page: Page{W: 10, H: 8, NX: 4, NY: 4}}
	c.X, _ = FitValues([][]float64{{1, 100}}, true)
	for _, ticks := range [][]Tick{nil, {{At: 0, Label: "1"}, {At: 2, Label: "100"}}} {
		if ticks != nil {
			c.XTicks = func(int) []Tick { return ticks }
		}
		f, err := c.Figure(figure.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var svg bytes.Buffer
		if err := f.Write(&svg, figure.SVG); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(svg.String(), "log10 of x"); got != (ticks == nil) {
			t.Errorf("with the ticks %v the axis is named log10: %v", ticks, got)
		}
	}
}

// The legend has every line, even if it is outside the axes.
func TestLineOutsideTheAxesIsInTheLegend(t *testing.T) {
	c := Chart{Plane: plane(), Page: Page{W: 8, H: 8, NX: 3, NY: 3}}
	below := c.Plane.Y.Lo - 100
	c.Marks = []Mark{RunLine("below", 0, []XY{{X: c.Plane.X.Lo, Y: below}, {X: c.Plane.X.Hi, Y: below}})}
	f, err := c.Figure(figure.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := f.Write(&b, figure.SVG); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), ">below<") {
		t.Error("the line below the axes is not in the legend")
	}
}
