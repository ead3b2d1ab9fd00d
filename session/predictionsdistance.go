package session

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets"
)

const (
	// nearPairs bounds the pairs of a test and a training input whose distance is
	// computed: one or two seconds on one core for the largest sets, and all pairs
	// of the others. Beyond that training inputs are sampled, but never fewer than
	// nearLeast.
	nearPairs = 1 << 28
	nearLeast = 1024
	// nearRows and nearColumns are the tiles of the distance matrix: 4 MB.
	nearRows, nearColumns = 256, 2048
)

// nearCount returns how many of n training inputs the distances of test points
// are measured to.
func nearCount(test, n int) int {
	return min(n, max(nearLeast, nearPairs/max(test, 1)))
}

// nearest is how far the test points are from the training inputs: a property of the
// data, measured once for a run.
type nearest struct {
	distances []float64
	of        int // training inputs
}

// measureDistances returns the distance of each test point to the nearest
// training input, to how many inputs it was measured, and of how many; see nearCount and
// trainingInputs. All are those of the data, not of the model, so they are computed once
// for a run.
func (t *trainer) measureDistances(ctx context.Context) ([]float64, int, int, error) {
	train, test := trainingInputs(t.prepared), t.prepared.Test.X
	n := rowsOf(train)
	if t.near.distances != nil {
		return t.near.distances, t.near.of, n, nil
	}
	t.near.of = nearCount(rowsOf(test), n)
	if t.near.of < n {
		train = pick(train, subset(n, t.near.of, derive(t.Seed, purposeDistance, 0)), 0, t.near.of)
	}
	var err error
	t.near.distances, err = nearestDistances(ctx, test, train)
	return t.near.distances, t.near.of, n, err
}

// trainingInputs returns the inputs of the training part at which any target was observed
// that is tested: a split that holds out some targets leaves the others of the test rows
// to the training part.
func trainingInputs(p *datasets.Prepared) *mat.Dense {
	tested := make([]bool, len(p.Test.Y.RawRowView(0)))
	for i := range rowsOf(p.Test.Y) {
		for j, y := range p.Test.Y.RawRowView(i) {
			tested[j] = tested[j] || !math.IsNaN(y)
		}
	}
	var rows []int
	n := rowsOf(p.Train.Y)
	for i := range n {
		for j, y := range p.Train.Y.RawRowView(i) {
			if tested[j] && !math.IsNaN(y) {
				rows = append(rows, i)
				break
			}
		}
	}
	if len(rows) == n {
		return p.Train.X
	}
	return pick(p.Train.X, rows, 0, len(rows))
}

// nearestDistances returns the Euclidean distance of each row of x [n, D] to the nearest
// row of z [m, D]; NaN where there is none. Which row is the nearest is found
// tile by tile from inner products, |x-z|^2 = |x|^2 - 2(x.z - |z|^2/2), so rows
// that are equally far up to rounding may be taken for one another; the distance
// itself is computed from the difference.
func nearestDistances(ctx context.Context, x, z *mat.Dense) ([]float64, error) {
	n := rowsOf(x)
	m := rowsOf(z)
	out := make([]float64, n)
	closest := make([]int, n)
	score := make([]float64, n)
	if m == 0 {
		for i := range out {
			out[i] = math.NaN()
		}
		return out, nil
	}
	half := make([]float64, m)
	for j := range half {
		row := z.RawRowView(j)
		for _, v := range row {
			half[j] += v * v / 2
		}
	}
	for i := range score {
		score[i] = math.Inf(-1)
	}
	_, d := x.Dims()
	products := make([]float64, min(n, nearRows)*min(m, nearColumns))
	for top := 0; top < n; top += nearRows {
		rows := min(nearRows, n-top)
		for left := 0; left < m; left += nearColumns {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			columns := min(nearColumns, m-left)
			tile := mat.NewDense(rows, columns, products[:rows*columns])
			tile.Mul(x.Slice(top, top+rows, 0, d), z.Slice(left, left+columns, 0, d).T())
			for i := range rows {
				best, at := score[top+i], closest[top+i]
				for j, v := range tile.RawRowView(i) {
					v -= half[left+j]
					if v > best {
						best, at = v, left+j
					}
				}
				score[top+i], closest[top+i] = best, at
			}
		}
	}
	for i := range out {
		out[i] = distance(x.RawRowView(i), z.RawRowView(closest[i]))
	}
	return out, nil
}

// distance returns the Euclidean distance of two points.
func distance(a, b []float64) float64 {
	sum := 0.0
	for k, v := range a {
		sum += (v - b[k]) * (v - b[k])
	}
	return math.Sqrt(sum)
}
