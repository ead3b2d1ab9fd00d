package dash

import (
	"image"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"dgplab/tui/kit/kittest"
)

// bitmaps is a terminal that shows bitmaps.
type bitmaps struct{ shown int }

func (*bitmaps) CellSize() (w, h int) { return 10, 20 }

func (b *bitmaps) Show(*image.RGBA, int, int) (int, bool) {
	b.shown++
	return b.shown, true
}

func (*bitmaps) Cell(int, int) string { return "#" }

// The map is shown as a bitmap, drawn again only after a change, and copied as characters.
func TestCovarianceBitmap(t *testing.T) {
	d, _ := newDesk(kittest.Training(someConfig, 300), 120, 40)
	d.Keys("C", "C")
	if d.focused() != "Covariance" {
		t.Fatalf("the focus is on %s", d.focused())
	}
	d.View()
	text := d.dash.PlainText()
	images := &bitmaps{}
	d.dash.Theme.Images = images
	d.dash.Theme.Profile = termenv.TrueColor
	if !strings.Contains(d.View(), "#####") || images.shown == 0 {
		t.Errorf("no bitmap:\n%s", d.View())
	}
	shown := images.shown
	d.View()
	if images.shown != shown {
		t.Errorf("an unchanged frame shows %d more bitmaps", images.shown-shown)
	}
	d.Size(120, 40) // Cells have another size in pixels.
	d.View()
	if images.shown == shown {
		t.Error("a resize to the same number of cells keeps the bitmaps")
	}
	copied := d.dash.PlainText()
	if strings.Contains(copied, "#####") || !strings.ContainsAny(copied, "▀▄") ||
		strings.Count(copied, "\n") != strings.Count(text, "\n") || d.dash.Theme.Images == nil {
		t.Errorf("copied:\n%s", copied)
	}
}
