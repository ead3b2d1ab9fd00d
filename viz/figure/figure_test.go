package figure

import (
	"bytes"
	"image/png"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// The pixels of a PNG file follow from its size and a resolution of 200 dots per inch.
func TestSizeOfPNG(t *testing.T) {
	var b bytes.Buffer
	err := New(3*vg.Inch, 1.5*vg.Inch, func(draw.Canvas) {}).Write(&b, PNG)
	if err != nil {
		t.Fatal(err)
	}
	c, err := png.DecodeConfig(&b)
	if err != nil || c.Width != 600 || c.Height != 300 {
		t.Errorf("%v, %d x %d pixels, want 600 x 300", err, c.Width, c.Height)
	}
}

// Text in PDF files has one byte for every character that the fonts have.
func TestTextInPDF(t *testing.T) {
	text := "a\x7f\u0080\u009f\u00a0é\u00ff\u0100 σ ≤ 1 … 宽 – “ℓ” →"
	want := "a\x7f??\xa0\xe9\xff? sigma <= 1 \x85 ? \x96 \x93l\x94 ->"
	if got := windows1252(text); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// The legend of a figure has each name once, in full, within the page and outside of the charts. A short
// legend is beside the charts of a wide figure; a legend with long names is below them, and makes the figure
// higher.
func TestLegendIsComplete(t *testing.T) {
	long := strings.Repeat("mean-field with sixteen inducing inputs, ", 6) + "the last"
	for _, c := range []struct {
		width  vg.Length
		names  []string
		beside bool
	}{
		{PageWidth, []string{"95 %", "run a", "run b", "run c"}, true},
		{PageWidth, []string{"95 %", "run a", long}, false},
		{ColumnWidth, []string{"95 %", "run a", "run b", "run c"}, false},
		{ColumnWidth, []string{"95 %", long}, false},
	} {
		var plots []*Plot
		for range 3 {
			p := NewPlot()
			for _, name := range c.names {
				p.AddEntry(name)
			}
			plots = append(plots, p)
		}
		height := func(vg.Length) vg.Length { return 5 * vg.Centimeter }
		var charts vg.Rectangle
		drawOn := func(dc draw.Canvas) { charts = dc.Rectangle }
		f := WithLegend(plots, Options{Width: c.width}, height, drawOn)
		texts := textsOf(f)
		var all []string
		for _, text := range texts {
			all = append(all, text.String)
			right := text.Point.X + TextStyle(LabelSize, Ink).Width(text.String)
			if text.Point.X < 0 || right > f.width || text.Point.Y < 0 || text.Point.Y > f.height {
				t.Errorf("%q is drawn from %v to %v of a page %v wide and %v high",
					text.String, text.Point, right, f.width, f.height)
			}
			outside := text.Point.Y < charts.Min.Y
			if c.beside {
				outside = text.Point.X > charts.Max.X
			}
			if !outside {
				t.Errorf("%q is at %v within the charts %v", text.String, text.Point, charts)
			}
		}
		for _, name := range c.names {
			if n := strings.Count(strings.Join(all, " "), name); n != 1 {
				t.Errorf("the legend has %q %d times, want once: %q", name, n, all)
			}
		}
	}
}

// textsOf returns the texts of a figure with their positions.
func textsOf(f *Figure) (list []*recorder.FillString) {
	var page recorder.Canvas
	f.draw(draw.Crop(draw.NewCanvas(&page, f.width, f.height), Margin, -Margin, Margin, -Margin))
	for _, action := range page.Actions {
		if text, ok := action.(*recorder.FillString); ok {
			list = append(list, text)
		}
	}
	return list
}

// Charts side by side have the names of their axes once, and a narrow figure has fewer columns.
func TestNamesOfCommonAxes(t *testing.T) {
	for _, c := range []struct {
		width vg.Length
		rows  int
	}{{PageWidth, 1}, {ColumnWidth, 2}} {
		var plots []*Plot
		for range 4 {
			p := NewPlot()
			p.X.Label.Text, p.Y.Label.Text = "input", "output"
			plots = append(plots, p)
		}
		f := Tile(plots, 4, Options{Width: c.width})
		n := map[string]int{}
		for _, text := range textsOf(f) {
			n[text.String]++
		}
		if n["input"] != 1 || n["output"] != 1 {
			t.Errorf("%v wide: the names of the axes are written %d and %d times, want once",
				c.width, n["input"], n["output"])
		}
		if rows := int(f.height/leastData) - 1; rows < c.rows-1 {
			t.Errorf("%v wide: the figure is %v high, too low for %d rows", c.width, f.height, c.rows)
		}
	}
}

// A narrow plot keeps a minimum height between its axes, whatever its title.
func TestHeightOfNarrowPlot(t *testing.T) {
	p := NewPlot()
	p.Title.Text = "one\ntwo\nthree\nfour"
	w := vg.Length(6 * vg.Centimeter)
	h := p.HeightAt(w, 16*vg.Centimeter, 8*vg.Centimeter)
	data := p.Plot.DataCanvas(draw.Canvas{Rectangle: vg.Rectangle{Max: vg.Point{X: w, Y: h}}}).Size().Y
	if data < leastData-vg.Length(1) {
		t.Errorf("the plot has %v between its axes, want at least %v", data, leastData)
	}
	if wide := p.HeightAt(16*vg.Centimeter, 16*vg.Centimeter, 8*vg.Centimeter); wide != 8*vg.Centimeter {
		t.Errorf("a wide plot is %v high, want 8 cm", wide)
	}
}

func TestParseWidth(t *testing.T) {
	for text, want := range map[string]vg.Length{
		"3.25in": 3.25 * vg.Inch, "12cm": 12 * vg.Centimeter, "80mm": 80 * vg.Millimeter, "400pt": 400,
		"": 0, "3.25": 0, "1cm": 0, "9in9": 0, "-8cm": 0, "1000cm": 0, "wide": 0, "NaNcm": 0,
	} {
		got, err := ParseWidth(text)
		if got != want || (err != nil) != (want == 0) {
			t.Errorf("%q is %v with the error %v, want %v", text, got, err, want)
		}
	}
}
