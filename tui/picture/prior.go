package picture

import (
	"dgplab/models/view"
	"dgplab/viz/layers"
)

// Prior is the picture of functions from a prior by depth, with a depth chosen.
func Prior(p *view.Prior, chosen int) layers.Depths {
	d := layers.Depths{Grid: p.Grid, Along: p.Direction, Selected: chosen}
	for _, kind := range p.Kinds {
		k := layers.DepthsKind{Name: kind.Name}
		for _, curves := range kind.Depths {
			k.Depths = append(k.Depths, plain(curves))
		}
		d.Kinds = append(d.Kinds, k)
	}
	return d
}
