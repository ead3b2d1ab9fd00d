package canvas_test

import (
	"strings"
	"testing"

	"dgplab/viz/canvas"
)

// TestBandsEndInEighths shades a column and checks its ends.
func TestBandsEndInEighths(t *testing.T) {
	full := canvas.Style{Mode: canvas.TrueColor, Dark: true}
	color := full.RunColor(0)
	for _, c := range []struct {
		name   string
		style  canvas.Style
		lo, hi int
		// want holds the three cells of the column from the top. r is a reversed block: the band is
		// above it.
		want string
	}{
		{"whole cells", full, 8, 16, " |=|."},
		{"an upper edge", full, 0, 11, ".|▃|="},
		{"a lower edge", full, 13, 24, "=|r▅|."},
		{"both edges", full, 6, 19, "▃|=|r▆"},
		{"too narrow for two edges", full, 9, 12, " |▄|."},
		{"narrow, and above the middle", full, 13, 15, " |r▅|."},
		{"nothing, of which something is seen", full, 8, 8, " |▁|."},
		{"above the canvas", full, 20, 99, "r▄|.|."},
		{"cells that it touches", canvas.Style{}, 7, 16, ".|░|░"},
		{"at least one cell", canvas.Style{}, 24, 24, ".|.|."},
	} {
		cv := canvas.New(c.style, 1, 3)
		cv.Shade(0, c.lo, c.hi, color, '░')
		var got []string
		for _, line := range strings.Split(cv.String(), "\n") {
			cell := "."
			if line != " " {
				cell = strings.TrimSuffix(line, "\x1b[0m")
				open := cell[:strings.LastIndex(cell, "m")+1]
				r := strings.TrimPrefix(cell, open)
				switch {
				case strings.HasPrefix(open, "\x1b[7;"):
					cell = "r" + r
				case r == " ":
					cell = "="
				default:
					cell = r
				}
			}
			got = append(got, cell)
		}
		if want := strings.ReplaceAll(c.want, " ", "."); strings.Join(got, "|") != want {
			t.Errorf("%s: %s, want %s", c.name, strings.Join(got, "|"), want)
		}
	}
}

// TestBandsWithinBands draws a narrow band within a wide one. The cell at an end has both colours.
// A glyph drawn later has the shade of most of its cell.
func TestBandsWithinBands(t *testing.T) {
	style := canvas.Style{Mode: canvas.TrueColor}
	cv := canvas.New(style, 2, 1)
	wide := style.RunColor(0)
	narrow := style.RunColor(1)
	for x := range 2 {
		cv.Shade(x, 0, 3, narrow, '▒')
		cv.Shade(x, 3, 8, wide, '░')
	}
	cv.Put(1, 0, 'x', canvas.Ink{})
	plain := canvas.New(style, 2, 1)
	plain.Shade(0, 0, 8, wide, '░')
	plain.Shade(1, 0, 8, wide, '░')
	plain.Put(1, 0, 'x', canvas.Ink{})
	got := cv.String()
	want := plain.String()
	if !strings.Contains(got, "▃") {
		t.Errorf("no edge between two shades: %q", got)
	}
	if _, last, _ := strings.Cut(got, "▃"); !strings.HasSuffix(want, " x\x1b[0m") ||
		!strings.Contains(last, "48;2;153;199;224mx") {
		t.Errorf("the drawn cell is %q, want it as that of %q", last, want)
	}
}
