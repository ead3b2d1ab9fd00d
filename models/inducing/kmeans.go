// Package inducing provides initial inducing inputs for sparse Gaussian processes: k-means on the
// training inputs, and linear maps that propagate the centers through the layers of a deep GP.
package inducing

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/linalg"
	"dgplab/models/linalg/vec"
)

const (
	// Large data sets are subsampled to rowsPerCenter rows per inducing input, but at least
	// leastRows: 50 rows per center give an equally good start.
	rowsPerCenter = 50
	leastRows     = 2000
	// maxIterations limits Lloyd's algorithm, which usually converges sooner.
	maxIterations = 30
	// settled is the relative decrease of the sum of squares below which Lloyd's algorithm stops.
	settled = 1e-4
	// spread is the standard deviation of the noise on duplicates, relative to the standard
	// deviation of each input.
	spread = 0.01
)

// Points holds inducing inputs.
type Points struct {
	// Z is [M][D], row-major.
	Z []float64
	// Jittered is the number of rows at the end of Z that are perturbed copies of earlier ones,
	// because the data have fewer than M distinct rows.
	Jittered int
}

// KMeans returns m inducing inputs [m, D] for the rows of x [N, D]; see Centers.
func KMeans(x *mat.Dense, m int, rng *rand.Rand) *mat.Dense {
	raw := x.RawMatrix()
	if raw.Stride != raw.Cols {
		raw = mat.DenseCopyOf(x).RawMatrix()
	}
	return mat.NewDense(m, raw.Cols, Centers(raw.Data[:raw.Rows*raw.Cols], raw.Rows, raw.Cols, m, rng).Z)
}

// Centers returns m inducing inputs for the rows of x [n][d], row-major: the centers found by
// Lloyd's algorithm (Lloyd, "Least squares quantization in PCM", 1982) from a k-means++ start
// (Arthur and Vassilvitskii, "k-means++: The Advantages of Careful Seeding", 2007, section 2.2).
// The result depends only on x and rng.
//
// More than max(2000, 50 m) rows are subsampled to that number at random. Z always has m rows: if
// the data have fewer distinct rows (for example if m > n), the remaining ones are copies with
// added noise of a hundredth of each input's standard deviation, to keep kernel matrices
// invertible. Jittered counts them.
//
// Centers panics if n, d or m is below 1 or len(x) != n*d.
func Centers(x []float64, n, d, m int, rng *rand.Rand) Points {
	if n < 1 || d < 1 || m < 1 || len(x) != n*d {
		panic(fmt.Sprintf("inducing: invalid arguments: %d centers, %d values for %d rows of %d inputs",
			m, len(x), n, d))
	}
	c := &clustering{x: x, n: n, d: d}
	if most := max(leastRows, rowsPerCenter*m); n > most {
		c.x, c.n = thin(x, n, d, most, rng), most
	}
	c.seed(m, rng)
	found := len(c.z) / d
	c.lloyd()
	sd := c.deviations()
	for k := found; k < m; k++ {
		from := c.z[k%found*d:][:d]
		for j, v := range from {
			c.z = append(c.z, v+spread*sd[j]*rng.NormFloat64())
		}
	}
	return Points{Z: c.z, Jittered: m - found}
}

// thin returns a random subset of most rows of x, in their original order.
func thin(x []float64, n, d, most int, rng *rand.Rand) []float64 {
	out := make([]float64, 0, most*d)
	// Each row is selected with probability (rows still needed)/(rows left): Knuth, algorithm S.
	for i := 0; len(out) < most*d; i++ {
		if rng.IntN(n-i) < most-len(out)/d {
			out = append(out, x[i*d:(i+1)*d]...)
		}
	}
	return out
}

// clustering is the state of k-means.
type clustering struct {
	x    []float64 // [n][d]
	n, d int
	z    []float64 // centers, [k][d]
	// nearest and distance hold each row's nearest center and the squared distance to it.
	nearest  []int
	distance []float64
	// columns holds the centers as columns, [d][k].
	columns []float64
}

func (c *clustering) row(i int) []float64    { return c.x[i*c.d : (i+1)*c.d] }
func (c *clustering) center(k int) []float64 { return c.z[k*c.d : (k+1)*c.d] }

// seed chooses up to m distinct rows as centers, each with probability proportional to its squared
// distance to the nearest earlier center.
func (c *clustering) seed(m int, rng *rand.Rand) {
	c.nearest = make([]int, c.n)
	c.distance = make([]float64, c.n)
	for i := range c.distance {
		c.distance[i] = math.Inf(1)
	}
	next := rng.IntN(c.n)
	apart := make([]float64, m)
	for k := 0; k < m && next >= 0; k++ {
		c.z = append(c.z, c.row(next)...)
		for other := range k {
			apart[other] = squaredDistance(c.center(other), c.center(k))
		}
		c.inPieces(func(from, to int) {
			for i := from; i < to; i++ {
				if k > 0 && apart[c.nearest[i]] > farApart*c.distance[i] {
					continue
				}
				if s := squaredDistance(c.row(i), c.center(k)); !(s >= c.distance[i]) {
					c.nearest[i], c.distance[i] = k, s
				}
			}
		})
		next = c.draw(rng)
	}
}

// farApart is the ratio of squared distances above which a row is not nearer to another center: if centers
// are more than twice as far apart as a row is from one of them, it follows from the triangle inequality. The
// margin covers rounding.
const farApart = 4 * (1 + 1e-6)

// pieceRows is the number of rows in one parallel piece.
const pieceRows = 256

// inPieces calls visit for consecutive ranges of rows, in parallel.
func (c *clustering) inPieces(visit func(from, to int)) {
	loop := linalg.Loop{Body: func(piece int) {
		visit(piece*pieceRows, min(c.n, (piece+1)*pieceRows))
	}}
	loop.Run((c.n + pieceRows - 1) / pieceRows)
}

// draw returns a row with probability proportional to distance, or -1 if all distances are zero.
func (c *clustering) draw(rng *rand.Rand) int {
	var total float64
	for _, v := range c.distance {
		total += v
	}
	left := total * rng.Float64()
	last := -1
	for i, v := range c.distance {
		if v > 0 {
			last = i
			if left < v {
				break
			}
			left -= v
		}
	}
	return last
}

// lloyd moves the centers to the means of their rows until the sum of squares converges.
func (c *clustering) lloyd() {
	before := math.Inf(1)
	for range maxIterations {
		sum := c.assign()
		if before-sum <= settled*sum {
			return
		}
		before = sum
		c.move()
	}
}

// nearDistance is the relative difference of distances below which vectorised distances cannot tell which
// center is nearer. It is far above their rounding errors.
const nearDistance = 1e-9

// assign finds the nearest center of every row, breaking ties by the lowest index, and returns the
// sum of squared distances. Vectorised distances select the centers that may be the nearest.
func (c *clustering) assign() (sum float64) {
	centers := len(c.z) / c.d
	c.columns = append(c.columns[:0], c.z...)
	linalg.Transpose(c.columns, c.z, centers, c.d)
	ones := make([]float64, c.d)
	for j := range ones {
		ones[j] = 1
	}
	c.inPieces(func(from, to int) {
		const together = 4 // rows
		distances := make([]float64, together*centers)
		for first := from; first < to; first += together {
			last := min(first+together, to)
			rows := c.x[first*c.d : last*c.d]
			vec.Distance.Rows(distances, centers, c.columns, centers, centers, rows, ones, 1)
			for i := first; i < last; i++ {
				c.nearest[i], c.distance[i] = c.choose(c.row(i), distances[(i-first)*centers:][:centers])
			}
		}
	})
	for _, s := range c.distance {
		sum += s
	}
	return sum
}

// choose returns the nearest center of a row and the squared distance, given approximate ones, [k].
func (c *clustering) choose(row, distances []float64) (at int, best float64) {
	best = math.Inf(1)
	limit := best
	for k, approximate := range distances {
		if !(approximate <= limit) {
			continue
		}
		if s := squaredDistance(row, c.center(k)); s < best {
			best, at = s, k
			limit = best * (1 + nearDistance)
		}
	}
	return at, best
}

// move sets each center to the mean of its rows. A center without rows moves to the row farthest
// from its own center.
func (c *clustering) move() {
	counts := make([]int, len(c.z)/c.d)
	clear(c.z)
	for i, k := range c.nearest {
		counts[k]++
		z := c.center(k)
		for j, v := range c.row(i) {
			z[j] += v
		}
	}
	for k, count := range counts {
		z := c.center(k)
		if count == 0 {
			far := farthest(c.distance)
			copy(z, c.row(far))
			c.distance[far] = 0
			continue
		}
		for j := range z {
			z[j] /= float64(count)
		}
	}
}

func farthest(distance []float64) int {
	at := 0
	for i, v := range distance {
		if v > distance[at] {
			at = i
		}
	}
	return at
}

// deviations returns the standard deviation of each input, or ones if every input is constant.
func (c *clustering) deviations() []float64 {
	sd := make([]float64, c.d)
	constant := true
	for j := range sd {
		var mean, squares float64
		for i := range c.n {
			mean += c.x[i*c.d+j] / float64(c.n)
		}
		for i := range c.n {
			t := c.x[i*c.d+j] - mean
			squares += t * t
		}
		sd[j] = math.Sqrt(squares / float64(c.n))
		constant = constant && sd[j] == 0
	}
	if constant {
		for j := range sd {
			sd[j] = 1
		}
	}
	return sd
}

func squaredDistance(a, b []float64) (sum float64) {
	b = b[:len(a)]
	for j, v := range a {
		t := v - b[j]
		sum += t * t
	}
	return sum
}
