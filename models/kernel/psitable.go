package kernel

import (
	"dgplab/models/autodiff"
	"dgplab/models/linalg/vec"
)

// PsiTable computes the individual weighted terms of a sum of bumps, for callers that need more
// than the sum.
type PsiTable struct {
	field
	rows int // M
}

// PsiTile holds the terms at some of the points. It must be used by one goroutine at a time.
type PsiTile struct {
	workspace
	table    *PsiTable
	capacity int       // largest number of points
	terms    []float64 // [K][points]
	n        int       // number of loaded points
}

// recordTable records the terms of bumps at points with the given input means and variances,
// [1][D][P]. The terms have no gradients.
func recordTable(t *autodiff.Tape, b Bumps, rows int, mean, vr *autodiff.Node) *PsiTable {
	table := &PsiTable{newField(b, mean, vr), rows}
	t.RecordAll(nil, func() error {
		table.computeBasis()
		return nil
	}, nil)
	return table
}

// FirstTable records psi_1, [M], of points with the given input means and variances, [1][D][P].
func FirstTable(t *autodiff.Tape, k RBFNodes, mean, vr *autodiff.Node) *PsiTable {
	ones := t.Constant(1, 1, k.Z.Rows)
	fill(ones.Value, 1)
	return recordTable(t, FirstBumps(t, k, ones), k.Z.Rows, mean, vr)
}

// SquareTable records psi_2 of a kernel with itself: the entries (a, b) of its lower triangle, b <=
// a, row by row, [M (M+1)/2].
func SquareTable(t *autodiff.Tape, k RBFNodes, mean, vr *autodiff.Node) *PsiTable {
	m := k.Z.Rows
	shares := t.Constant(1, m, m) // A bump stands for (a, b) and (b, a).
	fill(shares.Value, 0.5)
	for a := range m {
		shares.Value[a*m+a] = 1
	}
	return recordTable(t, SquareBumps(t, k, shares), m, mean, vr)
}

// ProductTable records psi_2 of two kernels, [M_i][M_j].
func ProductTable(t *autodiff.Tape, i, j RBFNodes, mean, vr *autodiff.Node) *PsiTable {
	ones := t.Constant(1, i.Z.Rows, j.Z.Rows)
	fill(ones.Value, 1)
	return recordTable(t, ProductBumps(t, i, j, ones), i.Z.Rows, mean, vr)
}

func fill(dst []float64, v float64) {
	for i := range dst {
		dst[i] = v
	}
}

// NewTile returns a tile with space for the given number of points.
func (t *PsiTable) NewTile(points int) *PsiTile {
	return &PsiTile{workspace: t.newWorkspace(points, t.bumps), table: t, capacity: points}
}

// Load computes the terms at points start to end-1. It panics if the tile is too small for them.
func (t *PsiTile) Load(start, end int) {
	t.n = end - start
	if t.n > t.capacity {
		panic("kernel: too many points for the tile")
	}
	t.table.computeFeatures(&t.workspace, start, end)
	t.terms = t.table.evaluateBumps(&t.workspace, 0, t.table.bumps, t.n)
	for k, w := range t.table.Weights.Value {
		row := t.terms[k*t.n : (k+1)*t.n]
		vec.Scaled(row, row, w)
	}
}

// Term returns term k at loaded point p.
func (t *PsiTile) Term(k, p int) float64 { return t.terms[k*t.n+p] }

// Squares sets dst to psi_2 at the n loaded points of a SquareTable, [M][n][M]: row a of the matrix
// of point p is dst[(a*n+p)*M:].
func (t *PsiTile) Squares(dst []float64) {
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
