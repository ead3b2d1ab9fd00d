// Package picture makes pictures of what models show of themselves: it takes views
// to what viz draws.
package picture

import (
	"fmt"

	"dgplab/models/view"
	"dgplab/viz/blocks"
	"dgplab/viz/layers"
	"dgplab/viz/points"
)

// Blocks is the picture of a covariance map.
func Blocks(b *view.Blocks) blocks.Map {
	m := blocks.Map{Log10: b.Log10, Free: b.Free}
	for _, part := range b.Parts {
		m.Parts = append(m.Parts, blocks.Part{
			Group: part.Group,
			Size:  part.Size,
			Cells: part.Cells,
			Name:  part.Name,
		})
	}
	return m
}

// Layer is the picture of what samples do in a layer, with a unit chosen.
func Layer(samples []view.Units, layer, chosen int) layers.Panel {
	l := samples[layer]
	p := layers.Panel{
		Index: layer, Layers: len(samples), Selected: chosen,
		Lengthscales: l.Lengthscales, Variance: float64(l.Variance), Grid: l.Grid,
		Correlation: plain(l.Correlation),
	}
	for _, u := range l.Units {
		p.GPs = append(p.GPs, layers.GP{
			Mean: float64(u.Mean), SD: float64(u.SD), Min: float64(u.Min),
			Max: float64(u.Max), Histogram: u.Histogram,
			Share: float64(u.Share), Collapsed: u.Collapsed, Curves: plain(u.Curves),
		})
	}
	return p
}

// Functions is the picture of functions of a posterior along one input: of a chosen one,
// or of all if that is -1.
func Functions(f *view.Functions, chosen int) points.Bands {
	name := f.Name
	if name == "" {
		name = fmt.Sprintf("input %d", f.Input+1)
	}
	b := points.Bands{X: f.Grid, XName: name + ", standardised", YName: "f, standardised"}
	for i, item := range f.Items {
		if chosen < 0 || i == chosen {
			b.Bands = append(b.Bands, points.Band{Label: item.Name, Run: i, Mean: item.Mean, SD: item.SD})
		}
	}
	return b
}

func plain(rows []view.Rounded) [][]float64 {
	out := make([][]float64, len(rows))
	for i, row := range rows {
		out[i] = row
	}
	return out
}
