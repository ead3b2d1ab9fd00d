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

// The legend of a figure has each name once, in full, and within the page. Long names are wrapped, and a long
// legend makes the figure higher.
func TestLegendIsComplete(t *testing.T) {
	long := strings.Repeat("mean-field with sixteen inducing inputs, ", 6) + "the last"
	var plots []*Plot
	for run := range 3 {
		p := NewPlot()
		p.AddEntry("95 %")
		p.AddEntry("run " + string(rune('a'+run)))
		p.AddEntry(long)
		for i := range 20 {
			p.AddEntry("method " + string(rune('a'+i)))
		}
		plots = append(plots, p)
	}
	f := WithLegend(8*vg.Centimeter, 5*vg.Centimeter, plots, func(draw.Canvas) {})
	var page recorder.Canvas
	f.draw(draw.Crop(draw.NewCanvas(&page, f.width, f.height), Margin, -Margin, Margin, -Margin))
	var texts []string
	for _, action := range page.Actions {
		text, ok := action.(*recorder.FillString)
		if !ok {
			continue
		}
		texts = append(texts, text.String)
		right := text.Point.X + TextStyle(LabelSize, Ink).Width(text.String)
		beside := text.Point.X > 8*vg.Centimeter-2*Margin && right < f.width
		if !beside || text.Point.Y < 0 || text.Point.Y > f.height {
			t.Errorf("%q is drawn from %v to %v of a page %v wide and %v high",
				text.String, text.Point, right, f.width, f.height)
		}
	}
	got := strings.Join(texts, " ")
	for _, name := range []string{"95 %", "run a", "run b", "run c", long, "method t"} {
		if n := strings.Count(got, name); n != 1 {
			t.Errorf("the legend has %q %d times, want once: %s", name, n, got)
		}
	}
}
