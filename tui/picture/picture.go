// Package picture makes pictures of what models show of themselves: it takes views
// to what viz draws.
package picture

import (
	"dgplab/models/view"
	"dgplab/viz/blocks"
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
