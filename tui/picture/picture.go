// Package picture makes pictures and texts of views and of data columns, for the dashboard as well
// as for commands or other screens.
package picture

import (
	"dgplab/models/view"
	"dgplab/viz/blocks"
)

// Blocks returns the picture of a covariance map.
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
