package board

import (
	"fmt"
	"slices"

	"dgplab/models/view"
	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz/figure"
	"dgplab/viz/heatmap"
)

// covariancePanel is the panel with the posterior covariances of all runs on one colour scale. Its cursor is
// at the same cell of all maps.
type covariancePanel struct {
	board          *Board
	panel          *Panel
	layer, gp      *Choice
	input          *Choice // for models with a covariance for each input
	cursorOn       bool
	cursorPosition heatmap.Cursor
}

func newCovariancePanel(board *Board, layer, gp, input *position) *Panel {
	c := board.covariance
	c.input = inputChoice(input)
	c.layer, c.gp = layerChoices(layer, gp)
	c.layer.shown, c.gp.shown = nowhere, nowhere
	c.panel = &Panel{
		Name: "Covariance", short: "Cov", title: "Covariance of q(f_M)",
		Guide:   covarianceGuide,
		applies: func(b *Board) bool { return b.mayHaveView(hasBlocks) },
		Choices: []*Choice{c.layer, c.gp, c.input},
		lead:    c.lead,
		heading: c.heading,
		draw:    c.draw,
		uses:    c.uses,
		figures: c.figures,
		actions: []kit.Action{ActCovarianceCursor},
		Mover:   c,
	}
	return c.panel
}

func hasBlocks(v view.Views) bool { return v.Blocks != nil || amortizations(v) != nil }

// blocks returns the covariance map of a run, or nil if there is none. For models with a map for each input,
// it returns the map for the chosen input.
func (c *covariancePanel) blocks(b *Board, r *Run) *view.Blocks {
	v, _ := r.views()
	if a := amortizations(v); a != nil {
		return a.Blocks(b.Value(c.input) % len(a.Layers[0].Inputs))
	}
	return v.Blocks
}

// lead returns the step if there is a single map. Several maps have their steps in their titles; lead then
// counts the runs with a map if some have none.
func (c *covariancePanel) lead(b *Board) []string {
	if len(b.Runs) <= 1 {
		return []string{b.atStep()}
	}
	if n, _ := b.haveView(hasBlocks); n < len(b.Runs) && n > 0 {
		return []string{fmt.Sprintf("%d of %d runs have a map", n, len(b.Runs))}
	}
	return nil
}

func (c *covariancePanel) heading(b *Board) (title string, notes []string) {
	if r := b.Current(); r != nil && !amortizations.present(b) {
		of := c.blocks(b, r)
		switch {
		case of == nil:
		case of.Draws > 0:
			return "Covariance of f_M", []string{fmt.Sprintf("%s draws, correlations below %.2g are noise",
				report.Grouped(of.Draws), of.Noise())}
		case report.Blocks(of).Named():
			return "Covariance of q", nil
		}
	}
	return "Covariance of q(f_M)", nil
}

func (c *covariancePanel) draw(b *Board, w, h int) []string {
	maps, _ := c.maps(b)
	style := b.Theme.VizStyle()
	switch {
	case len(maps) == 0:
		return b.Theme.Centred(b.noDataYet(firstDiagnostics), w, h)
	case len(b.Runs) == 1:
		return maps[0].Render(style, w, h)
	}
	return maps.Render(style, w, h)
}

// uses returns the number of lines that the maps can fill.
func (c *covariancePanel) uses(b *Board, w, h int) int {
	maps, _ := c.maps(b)
	style := b.Theme.VizStyle()
	if len(b.Runs) == 1 && len(maps) == 1 {
		return maps[0].Height(style, w, h)
	}
	return maps.Height(style, w, h)
}

// maps returns the maps of the runs that have one, and the place of the map of the selected run among
// them, or 0 if it has none.
func (c *covariancePanel) maps(b *Board) (maps heatmap.BlockMaps, chosen int) {
	for _, i := range b.representatives() {
		r := b.Runs[i]
		of := c.blocks(b, r)
		if of == nil {
			continue
		}
		m := report.Blocks(of)
		if i == b.Chosen {
			m.Chosen = c.chosenPart(b, of)
			chosen = len(maps)
		}
		if c.cursorOn {
			m.Cursor = &c.cursorPosition
		}
		if len(b.Runs) > 1 {
			m.Mark = b.Mark(r)
			m.Title = r.Brief
			m.Step = "at step " + report.Grouped(r.Snapshot.Diagnostics.Step)
		}
		maps = append(maps, m)
	}
	return maps, chosen
}

// chosenPart returns the number, counted from 1, of the part of a map that belongs to the chosen GP. It
// returns 0 if there is none.
func (c *covariancePanel) chosenPart(b *Board, of *view.Blocks) int {
	if c.gp.Count(b) == 0 || report.Blocks(of).Named() {
		return 0
	}
	return 1 + slices.IndexFunc(of.Parts, func(p view.Part) bool {
		return p.Group == b.Value(c.layer) && p.Index == b.Value(c.gp)
	})
}

// figures returns the map of the selected run.
func (c *covariancePanel) figures(b *Board) []report.Figure {
	if b.Snapshot() == nil {
		return nil
	}
	of := c.blocks(b, b.Current())
	if of == nil {
		return nil
	}
	m := report.Blocks(of)
	o := figure.Options{Title: "Covariance of " + m.Subject() + ", " + b.diagnosedStep()}
	if of.Draws > 0 {
		o.Title += fmt.Sprintf(", of %s draws: correlations below %.2g are noise",
			report.Grouped(of.Draws), of.Noise())
	}
	return []report.Figure{report.NewFigure("covariance", m, o)}
}

// HasCursor reports whether the maps have a cursor.
func (c *covariancePanel) HasCursor() bool { return c.cursorOn }

// RemoveCursor removes the cursor.
func (c *covariancePanel) RemoveCursor() { c.cursorOn = false }

// Act shows or removes the cursor.
func (c *covariancePanel) Act(on Screen, act kit.Action) (message string, taken bool) {
	if act != ActCovarianceCursor {
		return "", false
	}
	if c.cursorOn && !on.Inside(c.panel).Empty() {
		c.cursorOn = false
		return "", true
	}
	maps, chosen := c.maps(c.board)
	if len(maps) == 0 {
		return "there is no covariance map for a cursor", true
	}
	if !c.cursorOn {
		c.cursorOn, c.cursorPosition = true, *maps[chosen].Start(maps[chosen].Chosen - 1)
	}
	on.FocusOn(c.panel)
	return "", true
}

// Move moves the cursor over the visible cells of the map of the selected run.
func (c *covariancePanel) Move(on Screen, across, down int) (message string, taken bool) {
	if !c.cursorOn {
		return "", false
	}
	maps, chosen := c.maps(c.board)
	if len(maps) == 0 {
		return "there is no covariance map yet", true
	}
	style := c.board.Theme.VizStyle()
	inside := on.Inside(c.panel)
	if inside.Empty() {
		return "", true
	}
	before := c.cursorPosition
	if len(c.board.Runs) == 1 {
		c.cursorPosition = *maps[0].Moved(style, inside.W, inside.H, across, down)
	} else {
		c.cursorPosition = *maps.Moved(style, inside.W, inside.H, chosen, across, down)
	}
	switch {
	case !maps[chosen].HasReadout(inside.H):
		message = "no room for the entry at the cursor: " + c.board.Key(ActEnlarge) + " shows only the map"
	case c.cursorPosition == before:
		message = "the cursor is at the end of the map"
	}
	return message, true
}

// Point leaves the wheel to the choices.
func (c *covariancePanel) Point(Screen, kit.Rect, int, int) (taken bool) { return false }
