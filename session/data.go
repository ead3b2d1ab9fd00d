package session

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets"
	"dgplab/session/rundir"
)

// sizesOf returns the facts about a data set and its prepared parts, without checksums.
func sizesOf(ds *datasets.Dataset, p *datasets.Prepared) rundir.DataFacts {
	rows, _ := ds.X.Dims()
	n, d := p.Train.X.Dims()
	_, outputs := p.Train.Y.Dims()
	return rundir.DataFacts{
		Task: p.Task, Rows: rows, N: n, D: d, P: outputs,
		Classes: ds.Classes, Counts: ds.ClassCounts(),
		Validation: p.Validation.Len(), Test: p.Test.Len(), Uses: ds.Uses, Columns: ds.InputColumns(),
		Constant: constantIndicators(ds.InputColumns(), p.Train.X),
	}
}

// constantIndicators returns the inputs that encode categories and are constant over the rows of x, [N, D].
func constantIndicators(columns []datasets.InputColumn, x *mat.Dense) (list []int) {
	for _, c := range columns {
		for j := c.First; c.Category() && j < c.First+c.Width; j++ {
			values := mat.Col(nil, j, x)
			if slices.Min(values) == slices.Max(values) {
				list = append(list, j)
			}
		}
	}
	return list
}

// describe returns the facts about a data set and its prepared parts.
func describe(ds *datasets.Dataset, p *datasets.Prepared) rundir.DataFacts {
	all := newDigest()
	test := newDigest()
	test.skipsMissing = true
	for _, part := range []datasets.Part{p.Train, p.Validation, p.Test} {
		if part.Len() > 0 {
			all.add(part.X, nil)
			all.add(part.Y, nil)
		}
	}
	if p.Test.Rows != nil {
		test.add(ds.X, p.Test.Rows)
		test.add(tested(ds.Y, p.Test), p.Test.Rows)
	}
	facts := sizesOf(ds, p)
	facts.SHA256 = all.text()
	facts.TestSHA256 = test.text()
	return facts
}

// tested returns the targets of a data set, with NaN for targets that are missing in the test set.
func tested(y *mat.Dense, test datasets.Part) *mat.Dense {
	out := mat.DenseCopyOf(y)
	for i, row := range test.Rows {
		for j, v := range test.Y.RawRowView(i) {
			if math.IsNaN(v) {
				out.Set(row, j, v)
			}
		}
	}
	return out
}

// digest computes a SHA-256 over matrices as little-endian float64 values, row by row.
type digest struct {
	hash.Hash
	values int
	// skipsMissing excludes missing targets.
	skipsMissing bool
}

func newDigest() *digest { return &digest{Hash: sha256.New()} }

// add adds the given rows of a matrix, or all rows if rows is nil.
func (g *digest) add(m *mat.Dense, rows []int) {
	n, _ := m.Dims()
	if rows != nil {
		n = len(rows)
	}
	var raw []byte
	for i := range n {
		row := i
		if rows != nil {
			row = rows[i]
		}
		raw = raw[:0]
		for _, x := range m.RawRowView(row) {
			if g.skipsMissing && math.IsNaN(x) {
				continue
			}
			raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(x))
		}
		g.values += len(raw)
		g.Write(raw)
	}
}

// text returns the checksum in hexadecimal, or "" if nothing was added.
func (g *digest) text() string {
	if g.values == 0 {
		return ""
	}
	return hex.EncodeToString(g.Sum(nil))
}
