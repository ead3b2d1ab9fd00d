package psi

import (
	"dgplab/models/autodiff"
	"dgplab/models/linalg/vec"
)

// Table is the terms of a sum of bumps one by one, with their weights, for what needs
// more of an expectation than its sum.
type Table struct {
	field
	rows int // M
}

// Tile is the terms at some of the points, for one goroutine.
type Tile struct {
	workspace
	table *Table
	room  int       // points
	terms []float64 // [K][points]
	n     int       // points that are loaded
}

// recordTable records the terms of bumps at points whose inputs have these means and
// variances, [1][D][P]. They have no gradients.
func recordTable(t *autodiff.Tape, b Bumps, rows int, mean, vr *autodiff.Node) *Table {
	table := &Table{newField(b, mean, vr), rows}
	t.RecordAll(nil, func() error {
		table.tabulate()
		return nil
	}, nil)
	return table
}

// FirstTable records psi_1 of points whose inputs have these means and variances,
// [1][D][P]: [M].
func FirstTable(t *autodiff.Tape, k Kernel, mean, vr *autodiff.Node) *Table {
	ones := t.Constant(1, 1, k.Z.Rows)
	fill(ones.Value, 1)
	return recordTable(t, First(t, k, ones), k.Z.Rows, mean, vr)
}

// SquareTable records psi_2 of a kernel with itself: the entries (a, b) of its
// lower triangle, b <= a, in their order row by row, [M (M+1)/2].
func SquareTable(t *autodiff.Tape, k Kernel, mean, vr *autodiff.Node) *Table {
	m := k.Z.Rows
	shares := t.Constant(1, m, m) // A bump stands for (a, b) and (b, a).
	fill(shares.Value, 0.5)
	for a := range m {
		shares.Value[a*m+a] = 1
	}
	return recordTable(t, Square(t, k, shares), m, mean, vr)
}

// ProductTable records psi_2 of two kernels, [M_i][M_j].
func ProductTable(t *autodiff.Tape, i, j Kernel, mean, vr *autodiff.Node) *Table {
	ones := t.Constant(1, i.Z.Rows, j.Z.Rows)
	fill(ones.Value, 1)
	return recordTable(t, Product(t, i, j, ones), i.Z.Rows, mean, vr)
}

func fill(dst []float64, v float64) {
	for i := range dst {
		dst[i] = v
	}
}

// NewTile returns room for so many points.
func (t *Table) NewTile(points int) *Tile {
	return &Tile{workspace: t.newWorkspace(points, t.bumps), table: t, room: points}
}

// Load computes the terms at points start to end-1. It panics if they are more than there
// is room for.
func (t *Tile) Load(start, end int) {
	t.n = end - start
	if t.n > t.room {
		panic("psi: more points than a tile has room for")
	}
	t.table.describe(&t.workspace, start, end)
	t.terms = t.table.expand(&t.workspace, 0, t.table.bumps, t.n)
	for k, w := range t.table.Weights.Value {
		row := t.terms[k*t.n : (k+1)*t.n]
		vec.Scaled(row, row, w)
	}
}

// Term returns term k at point p of those that are loaded.
func (t *Tile) Term(k, p int) float64 { return t.terms[k*t.n+p] }

// Squares sets dst to psi_2 at the n points that are loaded, of a SquareTable: row a of the
// matrix of point p is dst[(a*n+p)*M:], [M][n][M].
func (t *Tile) Squares(dst []float64) {
	m, n, at := t.table.rows, t.n, 0
	for a := range m {
		for b := range a + 1 {
			for p, v := range t.terms[at : at+n] {
				dst[(a*n+p)*m+b], dst[(b*n+p)*m+a] = v, v
			}
			at += n
		}
	}
}
