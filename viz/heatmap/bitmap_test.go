package heatmap

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"dgplab/viz/canvas"
)

// screen is a terminal with bitmaps of cells of 10 x 20 pixels. It keeps the last one.
type screen struct {
	refuses bool
	bitmap  *image.RGBA
	w, h    int
}

func (*screen) CellSize() (w, h int) { return 10, 20 }

func (s *screen) Show(bitmap *image.RGBA, w, h int) (int, bool) {
	s.bitmap, s.w, s.h = bitmap, w, h
	return 7, !s.refuses
}

func (*screen) Cell(int, int) string { return "#" }

// sharp is a map of two layers whose cells all have different values, and a zero block.
func sharp() BlockMap {
	b := BlockMap{Parts: []Part{{Size: 30, Cells: 30}, {Group: 1, Size: 30, Cells: 30}}}
	for i := range 60 {
		for j := range 60 {
			v := -float64(i*60+j) / 3600
			if i < 30 && j >= 30 {
				v = math.Inf(-1)
			}
			b.Log10 = append(b.Log10, v)
		}
	}
	return b
}

// A bitmap of a block map shows every cell, where characters pool several. The names around it are
// the same.
func TestBlockBitmap(t *testing.T) {
	s := &screen{}
	style := canvas.Style{Mode: canvas.TrueColor, Dark: true}
	text := sharp().Render(style, 40, 20)
	style.Images = s
	lines := sharp().Render(style, 40, 20)
	colors := map[string]bool{}
	size := s.bitmap.Bounds().Size()
	for y := range size.Y {
		for x := range size.X {
			if r, g, b, a := s.bitmap.At(x, y).RGBA(); a != 0 {
				colors[fmt.Sprint(r, g, b)] = true
			}
		}
	}
	if len(colors) < 200 || size.X != 10*s.w || size.Y != 20*s.h {
		t.Errorf("a bitmap of %v pixels for %d x %d cells has %d colours", size, s.w, s.h, len(colors))
	}
	if _, _, _, a := s.bitmap.At(size.X-12, 12).RGBA(); a != 0 {
		t.Error("the block of zeros is not transparent")
	}
	first := s.bitmap.RGBAAt(0, 0)
	r, g, b, _ := style.Heat(1).RGB()
	if first.R != r || first.G != g || first.B != b {
		t.Errorf("the first pixel is %v, want the colour of the largest value", first)
	}
	for y := range lines {
		if strings.Contains(lines[y], "#") != strings.ContainsAny(text[y], "▀▄┼") {
			t.Errorf("line %d is %q, with characters %q", y, lines[y], text[y])
		}
		name := func(line string) bool { return strings.Contains(line, "layer") }
		if name(lines[y]) && lines[y] != text[y] {
			t.Errorf("the names are %q, with characters %q", lines[y], text[y])
		}
	}
	s.refuses = true
	if !slices.Equal(sharp().Render(style, 40, 20), text) {
		t.Error("a map that the terminal does not show differs from the one with characters")
	}
}

// A bitmap of a plane interpolates between the values, and has the contour and the points.
func TestPlaneBitmap(t *testing.T) {
	s := &screen{}
	m := PlaneMap{X: []float64{0, 1}, Y: []float64{0, 1}, Values: []float64{0, 1, 0, 1},
		XName: "a", YName: "b",
		Name: "mean", Level: 0.5, Points: []Points{{X: []float64{0.25}, Y: []float64{0.5}}}, Of: 1}
	style := canvas.Style{Mode: canvas.TrueColor}
	text := m.Render(style, 40, 12)
	style.Images = s
	lines := m.Render(style, 40, 12)
	size := s.bitmap.Bounds().Size()
	colors := map[uint32]bool{}
	for x := range size.X {
		r, g, b, _ := s.bitmap.At(x, 5).RGBA()
		colors[r<<16^g<<8^b] = true
	}
	left := s.bitmap.RGBAAt(size.X/2-3, 5)
	middle := s.bitmap.RGBAAt(size.X/2, 5)
	r, _, _, _ := style.Heat(0.5).Opposite().RGB()
	if len(colors) < size.X/2 || middle.R != r || left.R == r {
		t.Errorf("a row of %d pixels has %d colours, in the middle %v and %v",
			size.X, len(colors), left, middle)
	}
	drawn := strings.Join(lines, "\n")
	if !strings.Contains(drawn, "contour") || strings.Contains(drawn, "▀") {
		t.Errorf("drawn with a bitmap:\n%s", drawn)
	}
	x := int((0.5 + 0.25*float64(s.w-1)) * 10)
	black := color.RGBA{A: 255}
	point := s.bitmap.RGBAAt(x, size.Y/2)
	beside := s.bitmap.RGBAAt(x+10, size.Y/2)
	if point != black || beside == black {
		t.Errorf("the point on a light colour is %v, and the map beside it %v", point, beside)
	}
	s.refuses = true
	if !slices.Equal(m.Render(style, 40, 12), text) {
		t.Error("a plane that the terminal does not show differs from the one with characters")
	}
}

// Points of classes are letters, which remain text over the bitmap.
func TestLettersOverBitmap(t *testing.T) {
	s := &screen{}
	m := PlaneMap{X: []float64{0, 1}, Y: []float64{0, 1}, Values: []float64{0, 1, 0, 1},
		XName: "a", YName: "b", Classes: []string{"cat", "dog"}, Level: math.NaN(), Of: 1,
		Points: []Points{{}, {X: []float64{0.25}, Y: []float64{0.5}}}}
	lines := m.Render(canvas.Style{Mode: canvas.TrueColor, Images: s}, 40, 12)
	plot := lines[1 : len(lines)-3]
	if text := ansi.Strip(strings.Join(plot, "\n")); strings.Count(text, "B") != 1 {
		t.Errorf("the plot has no B for the point of the second class:\n%s", text)
	}
}

func BenchmarkPlaneBitmap(b *testing.B) {
	m := PlaneMap{Level: 0.5}
	for i := range 48 {
		m.X = append(m.X, float64(i))
		m.Y = append(m.Y, float64(i))
		for j := range 48 {
			m.Values = append(m.Values, math.Sin(float64(i*j)/300))
		}
	}
	style := canvas.Style{Mode: canvas.TrueColor, Images: &screen{}}
	for b.Loop() {
		m.Render(style, 120, 40)
	}
}

// Every pixel has its place: cells in order, a line in the middle of its strips, and nothing below an
// odd number of rows.
func TestPlacesInStrips(t *testing.T) {
	strips := []strip{{lo: 0, hi: 4}, {border: layerBorder}, {border: layerBorder}, {lo: 4, hi: 5, gp: 1}}
	var got []string
	for pixel := range 20 {
		p := placeIn(strips, pixel, 0.25)
		switch {
		case p.border == inBlock:
			got = append(got, fmt.Sprint(p.cell))
		case p.line == layerBorder:
			got = append(got, "|")
		default:
			got = append(got, ".")
		}
	}
	if text := strings.Join(got, ""); text != "0123...||...4444...." {
		t.Errorf("places %s", text)
	}
}
