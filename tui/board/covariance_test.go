package board

import (
	"strings"
	"testing"

	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
	"dgplab/viz/heatmap"
)

// The cursor starts at the chosen GP and moves with the arrows. Its action removes it.
func TestCovarianceCursor(t *testing.T) {
	d := newStage(kittest.Training(someConfig, 300))
	d.do(ActCovarianceCursor)
	kittest.CheckShows(t, "the cursor", d.frame(), "L1.1 1", "|S_M| ")
	before := d.covarianceState()
	d.do(kit.ActRight, kit.ActRight, kit.ActDown)
	now := d.covarianceState()
	if now.cursor.Row == before.cursor.Row || now.cursor.Column == before.cursor.Column ||
		now.layer != before.layer || now.gp != before.gp {
		t.Errorf("the arrows move the cursor from %+v to %+v", before.cursor, now.cursor)
	}
	for range 400 {
		d.do(kit.ActRight)
	}
	if !strings.Contains(d.said, "the end of the map") {
		t.Errorf("at the end: %q", d.said)
	}
	d.do(ActCovarianceCursor)
	if d.covariance.cursorOn {
		t.Error("its action does not remove the cursor")
	}
	d.do(kit.ActRight)
	if d.covarianceState().layer != before.layer+1 {
		t.Error("without a cursor the arrows do not choose a layer")
	}
}

// covarianceState is the state of the covariance panel.
type covarianceState struct {
	cursor    heatmap.Cursor
	layer, gp int
}

func (d *stage) covarianceState() covarianceState {
	cursor := d.covariance.cursorPosition
	return covarianceState{cursor, d.chosen("Covariance", 0), d.chosen("Covariance", 1)}
}

// Without a covariance map there is no cursor.
func TestCursorWithoutCovariance(t *testing.T) {
	s := kittest.Training(someConfig, 300)
	s.Diagnostics = nil
	d := newStage(s)
	d.do(ActCovarianceCursor)
	if d.covariance.cursorOn || !strings.Contains(d.said, "no covariance") {
		t.Errorf("it says %q", d.said)
	}
}

// The golden file shows a map with its legend and the cursor.
func TestCovariancePanel(t *testing.T) {
	d := checkPanel(t, "covariance", "Covariance", kittest.Training(someConfig, 1240),
		ActCovarianceCursor, kit.ActRight, kit.ActRight, kit.ActDown)
	kittest.CheckShows(t, "the cursor", d.frame(), "L1.2 1–32 × L1.1 41–64", "always 0")
}

// The cursor is on the same cell of the maps of all runs.
func TestCursorOfSeveralRuns(t *testing.T) {
	d := several(4)
	d.w, d.h = 40, 17
	d.do(ActCovarianceCursor, kit.ActRight, kit.ActRight, kit.ActDown)
	kittest.CheckSizes(t, "four cursors", d.frameAt)
	d.w, d.h = 40, 17
	kittest.CheckShows(t, "four cursors", d.frame(), "L1.2 49 to L2.1 32 × L1.3 1–64",
		"● |S_M| 0.1  ▲ |S_M| 0.1  ■ |S_M|")
}
