package dash

import (
	"image"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"dgplab/tui/kit/kittest"
	"dgplab/viz/heatmap"
)

// The cursor starts at the chosen GP and moves with the arrows. Its key and esc remove it.
func TestCovarianceCursor(t *testing.T) {
	d, _ := newDesk(kittest.Training(someConfig, 300), 120, 40)
	d.Keys("2", "C")
	if d.dash.page != 0 || d.focused() != "Covariance" || !strings.Contains(d.View(), "L1.1 1") ||
		!strings.Contains(d.View(), "|S_M| ") {
		t.Fatalf("the cursor appears:\n%s", d.View())
	}
	before := d.covarianceState()
	d.Keys("right", "right", "down")
	now := d.covarianceState()
	if now.cursor.Row == before.cursor.Row || now.cursor.Column == before.cursor.Column ||
		now.layer != before.layer || now.gp != before.gp {
		t.Errorf("the arrows move the cursor from %+v to %+v", before.cursor, now.cursor)
	}
	if !strings.Contains(d.View(), "←→ move") {
		t.Errorf("the footer lacks the word of the arrows:\n%s", d.View())
	}
	for range 400 {
		d.Keys("right")
	}
	if !strings.Contains(d.Note, "the end of the map") {
		t.Errorf("at the end: %q", d.Note)
	}
	d.Keys("enter", "esc")
	if d.dash.covariance.cursorOn || !d.dash.zoomed {
		t.Error("esc does not remove the cursor first")
	}
	d.Keys("C", "C")
	if d.dash.covariance.cursorOn {
		t.Error("its key does not remove the cursor")
	}
	d.Keys("esc", "right")
	if d.covarianceState().layer != before.layer+1 {
		t.Error("without a cursor the arrows do not choose a layer")
	}
}

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
	copied := d.dash.PlainText()
	if strings.Contains(copied, "#####") || !strings.ContainsAny(copied, "▀▄") ||
		strings.Count(copied, "\n") != strings.Count(text, "\n") || d.dash.Theme.Images == nil {
		t.Errorf("copied:\n%s", copied)
	}
}

// covarianceState is the state of the covariance panel.
type covarianceState struct {
	cursor    heatmap.Cursor
	layer, gp int
}

func (d *desk) covarianceState() covarianceState {
	cursor := d.dash.covariance.cursorPosition
	return covarianceState{cursor, d.chosen("Covariance", 0), d.chosen("Covariance", 1)}
}

// Without a covariance map there is no cursor.
func TestCursorWithoutCovariance(t *testing.T) {
	s := kittest.Training(someConfig, 300)
	s.Diagnostics = nil
	d, _ := newDesk(s, 120, 40)
	d.Keys("C")
	if d.dash.covariance.cursorOn || !strings.Contains(d.Note, "no covariance") {
		t.Errorf("it says %q", d.Note)
	}
}

// The golden file shows a map with its legend and the cursor.
func TestCovariancePanel(t *testing.T) {
	d := checkPanel(t, "covariance", "Covariance", kittest.Training(someConfig, 1240),
		"C", "right", "right", "down")
	kittest.CheckShows(t, "the cursor", d.View(), "L1.2 1–32 × L1.1 41–64", "always 0")
}

// The cursor is on the same cell of the maps of all runs.
func TestCursorOfSeveralRuns(t *testing.T) {
	d := several(4)
	d.Keys("C", "right", "right", "down")
	kittest.CheckSizes(t, "four cursors", d.ViewAt)
	d.Size(80, 24)
	kittest.CheckShows(t, "four cursors", d.View(), "L1.2 49 to L2.1 32 × L1.3 1–64",
		"● |S_M| 0.1  ▲ |S_M| 0.1  ■ |S_M|")
}
