package probe

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets"
	"dgplab/session/config"
)

const (
	// nearPairs bounds the number of distances computed between test and training inputs. Only for the
	// largest data sets are there more pairs; computing nearPairs distances takes one or two seconds on one
	// core. Beyond this bound a sample of training inputs is used, at least minNear of them.
	nearPairs = 1 << 28
	minNear   = 1024
	// nearRows and nearColumns are the dimensions of a tile of the distance matrix: 4 MB.
	nearRows, nearColumns = 256, 2048
)

// nearCount returns the number of training inputs, out of n, to which distances are measured.
func nearCount(test, n int) int {
	return min(n, max(minNear, nearPairs/max(test, 1)))
}

// nearest holds the distances from the test points to the training inputs. They depend only on the
// data and are computed once per run.
type nearest struct {
	distances []float64
	of        int // number of training inputs
}

// measureDistances returns the distance from each test point to the nearest training input, the
// number of inputs it was measured to, and the number of all inputs; see nearCount and
// trainingInputs. The results depend only on the data and are computed once per run.
func (p *Probe) measureDistances(ctx context.Context) ([]float64, int, int, error) {
	train, test := trainingInputs(p.Data), p.Data.Test.X
	n := rowsOf(train)
	if p.near.distances != nil {
		return p.near.distances, p.near.of, n, nil
	}
	p.near.of = nearCount(rowsOf(test), n)
	if p.near.of < n {
		train = copyRows(train, config.Subset(n, p.near.of, p.derive(distanceRows, 0)), 0, p.near.of)
	}
	var err error
	p.near.distances, err = nearestDistances(ctx, test, train)
	return p.near.distances, p.near.of, n, err
}

// farShare is the reciprocal of the share of training inputs, at most farMost, whose distances from the
// others are the measure of what is far.
const farShare, farMost = 10, 512

// Far returns the number of test points that are farther from the training inputs than any of a sample of
// training inputs is from the others. It is 0 if there are fewer than 20 training inputs.
func (p *Probe) Far(ctx context.Context) (far int, err error) {
	train := trainingInputs(p.Data)
	n := rowsOf(train)
	if n < 2*farShare {
		return 0, nil
	}
	sampled := min(n/farShare, farMost)
	rows := config.Subset(n, sampled, p.derive(distanceRows, 1))
	held := make([]bool, n)
	for _, row := range rows {
		held[row] = true
	}
	var others []int
	for row := range n {
		if !held[row] {
			others = append(others, row)
		}
	}
	others = others[:min(len(others), nearCount(sampled, n))]
	between, err := nearestDistances(ctx, copyRows(train, rows, 0, sampled),
		copyRows(train, others, 0, len(others)))
	if err != nil {
		return 0, err
	}
	distances, _, _, err := p.measureDistances(ctx)
	most := slices.Max(between)
	for _, d := range distances {
		if d > most {
			far++
		}
	}
	return far, err
}

// trainingInputs returns the training inputs at which a tested target was observed. A split that
// holds out some targets keeps the other targets of the test rows in the training set.
func trainingInputs(p *datasets.Prepared) *mat.Dense {
	tested := make([]bool, len(p.Test.Y.RawRowView(0)))
	for i := range rowsOf(p.Test.Y) {
		for j, y := range p.Test.Y.RawRowView(i) {
			tested[j] = tested[j] || !math.IsNaN(y)
		}
	}
	n := rowsOf(p.Train.Y)
	count := 0
	for i := range n {
		if observed(p.Train.Y.RawRowView(i), tested) {
			count++
		}
	}
	if count == n {
		return p.Train.X
	}
	rows := make([]int, 0, count)
	for i := range n {
		if observed(p.Train.Y.RawRowView(i), tested) {
			rows = append(rows, i)
		}
	}
	return copyRows(p.Train.X, rows, 0, count)
}

// observed reports whether one of the chosen targets is not missing.
func observed(targets []float64, chosen []bool) bool {
	for j, y := range targets {
		if chosen[j] && !math.IsNaN(y) {
			return true
		}
	}
	return false
}

// nearestDistances returns the Euclidean distance from each row of x [n, D] to the nearest row of z
// [m, D], or NaN if m is 0. It finds the nearest row tile by tile from inner products, |x-z|^2 =
// |x|^2
// - 2(x.z - |z|^2/2), and may confuse rows whose distances are equal up to rounding. The distance
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

// distance returns the Euclidean distance between two points.
func distance(a, b []float64) float64 {
	sum := 0.0
	for k, v := range a {
		sum += (v - b[k]) * (v - b[k])
	}
	return math.Sqrt(sum)
}
