package table

import "sort"

// grid stores the numbers of a table row by row in blocks, so it grows without copying and without
// excess memory.
type grid struct {
	Width  int
	length int // number of rows
	per    int // rows per block
	blocks [][]float64
}

// blockCells is the approximate number of values per block.
const blockCells = 1 << 15

func newGrid(width int) grid { return grid{Width: width, per: max(1, blockCells/max(1, width))} }

func (g *grid) Rows() int { return g.length }

func (g *grid) at(row, column int) float64 { return g.Row(row)[column] }

// Row returns row i as a slice that aliases the grid.
func (g *grid) Row(i int) []float64 {
	from := i % g.per * g.Width
	return g.blocks[i/g.per][from : from+g.Width]
}

// release frees the blocks before a row.
func (g *grid) release(row int) { clear(g.blocks[:row/g.per]) }

// extend adds a row of zeros and returns it.
func (g *grid) extend() []float64 {
	if g.length == len(g.blocks)*g.per {
		g.blocks = append(g.blocks, make([]float64, g.per*g.Width))
	}
	g.length++
	return g.Row(g.length - 1)
}

// lineNumbers stores the line on which each row starts as runs of rows with equal spacing; most
// files have a single run.
type lineNumbers struct {
	length int
	runs   []lineRun
}

// lineRun is a run of rows that starts at row. stride is 0 while the run has only one row.
type lineRun struct{ row, line, stride int }

func (r lineRun) at(row int) int { return r.line + r.stride*(row-r.row) }

// add appends the line of the next row.
func (l *lineNumbers) add(line int) {
	row := l.length
	l.length++
	if len(l.runs) > 0 {
		last := &l.runs[len(l.runs)-1]
		if last.stride == 0 {
			last.stride = line - last.line
		}
		if last.at(row) == line {
			return
		}
	}
	l.runs = append(l.runs, lineRun{row: row, line: line})
}

// at returns the line of a row.
func (l *lineNumbers) at(row int) int {
	return l.runs[sort.Search(len(l.runs), func(k int) bool { return l.runs[k].row > row })-1].at(row)
}
