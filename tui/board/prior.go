package board

import (
	"dgplab/models/view"
	"dgplab/viz"
	"dgplab/viz/plots"
)

// newPriorPanel returns the panel of functions drawn from the prior of the selected run, by depth.
func newPriorPanel(layer *position) *Panel {
	find := finderOf(func(v view.Views) *view.Prior { return v.Prior },
		func(p *view.Prior) int { return len(p.Kinds) })
	depth := &Choice{
		name: "depth", position: layer, arrows: anyArrow, stops: true,
		shown: nowhere, // If there is room, the picture has all depths.
		Count: find.count(func(p *view.Prior) int { return len(p.Kinds[0].Depths) }),
	}
	return modelPanel(find, "this model has no draws from its prior", Panel{
		Name: "Prior", short: "Prior", title: "Prior by depth",
		Guide:   priorGuide,
		Choices: []*Choice{depth},
		picture: func(b *Board) viz.Picture { return priorPicture(find.in(b), b.Value(depth)) },
		file:    "prior",
		caption: func(b *Board) string { return "Draws from the prior by depth, " + b.diagnosedStep() },
	})
}

// priorPicture returns the picture of functions from a prior by depth. If there is no room for all depths, it
// draws the chosen one.
func priorPicture(p *view.Prior, chosen int) plots.Depths {
	d := plots.Depths{Grid: p.Grid, Along: p.Direction, Selected: chosen}
	for _, kind := range p.Kinds {
		k := plots.DepthsKind{Name: kind.Name}
		for _, curves := range kind.Depths {
			k.Depths = append(k.Depths, plainRows(curves))
		}
		d.Kinds = append(d.Kinds, k)
	}
	return d
}
