package dash

import (
	"slices"

	"dgplab/tui/kit"
	"dgplab/tui/picture"
	"dgplab/viz/blocks"
)

// actCell puts a cursor on the covariance maps.
const actCell kit.Action = "covariance_cursor"

// cell is the cursor of the covariance maps: a place, the same one on all of them.
type cell struct {
	on bool
	at blocks.Cursor
}

func (covariancePanel) Keys() []kit.Binding {
	return []kit.Binding{kit.Bind(actCell, "C", "",
		"Put a cursor on the covariance maps, which the arrows move, at the same place of all; below is "+
			"what is there. And take it away.", "C")}
}

// Act puts the cursor on the chosen GP, or takes it away.
func (p covariancePanel) Act(d *Dash, _ kit.Action) string {
	if d.look.cell.on && d.sees(p) {
		d.look.cell = cell{}
		return ""
	}
	maps, which := d.covariances()
	if len(maps) == 0 {
		return "there is no covariance to put a cursor on"
	}
	if !d.look.cell.on {
		d.look.cell = cell{true, *maps[which].Start(maps[which].Chosen - 1)}
	}
	d.focusOn(p)
	return ""
}

// sees reports whether a panel is on the screen, be it without a border.
func (d *Dash) sees(panel Panel) bool {
	return slices.ContainsFunc(d.arrange().panels, func(p placed) bool { return p.ID == panel })
}

// onCells reports whether the arrows move the cursor of the covariance maps.
func (d *Dash) onCells() bool { return d.look.cell.on && d.focused() == covariancePanel{} }

// covariances returns the maps of the runs that have one, and which of them is that of the
// chosen run: the first where it has none.
func (d *Dash) covariances() (maps blocks.Maps, which int) {
	for _, i := range d.few() {
		r := d.runs[i]
		b := d.blocks(r)
		if b == nil {
			continue
		}
		m := picture.Blocks(b)
		if i == d.chosen {
			m.Chosen = d.chosenPart(b)
			which = len(maps)
		}
		if d.look.cell.on {
			m.Cursor = &d.look.cell.at
		}
		if len(d.runs) > 1 {
			m.Mark = d.mark(r)
			m.Title, m.Note = m.Mark+" "+r.brief, ", step "+kit.Grouped(r.snap.Diagnostics.Step)
		}
		maps = append(maps, m)
	}
	return maps, which
}

// moveCell moves the cursor of the maps by what is seen of the chosen run's.
func (d *Dash) moveCell(across, down int) string {
	maps, which := d.covariances()
	if len(maps) == 0 {
		return "there is no covariance yet"
	}
	style := d.theme.VizStyle()
	for _, p := range d.arrange().panels {
		if p.ID != (covariancePanel{}) {
			continue
		}
		inner, before := p.Inner(), d.look.cell.at
		if len(d.runs) == 1 {
			d.look.cell.at = *maps[0].Moved(style, inner.W, inner.H, across, down)
		} else {
			d.look.cell.at = *maps.Moved(style, inner.W, inner.H, which, across, down)
		}
		if !maps[which].Says(inner.H) {
			return "there is no room to say what is under the cursor: " +
				d.keyOf(actZoom) + " shows the map alone"
		}
		if d.look.cell.at == before {
			return "the cursor is at the end of the map"
		}
	}
	return ""
}
