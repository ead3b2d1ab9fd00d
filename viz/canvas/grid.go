package canvas

// Grid divides an area of W x H cells into tiles, row by row, with a gap between columns.
type Grid struct{ Columns, Rows, W, H, Gap int }

// TileGap is the usual gap between columns.
const TileGap = 2

// Tile returns the place and the size of tile i.
func (g Grid) Tile(i int) (x, y, w, h int) {
	column, row := i%g.Columns, i/g.Columns
	x, y = column*g.W/g.Columns, row*g.H/g.Rows
	w, h = (column+1)*g.W/g.Columns-x, (row+1)*g.H/g.Rows-y
	if column+1 < g.Columns {
		w -= g.Gap
	}
	return x, y, w, h
}
