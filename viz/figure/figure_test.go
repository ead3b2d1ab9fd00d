package figure

import (
	"bytes"
	"image/png"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
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
