package inducing

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func stream() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

// normals returns n rows of d standard normal numbers.
func normals(n, d int) []float64 {
	rng := rand.New(rand.NewPCG(uint64(n), uint64(d)))
	x := make([]float64, n*d)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

// Well-separated groups get one center each, at their mean.
func TestCentersOfSeparateGroups(t *testing.T) {
	centers := [][2]float64{{0, 0}, {50, 0}, {0, 50}, {50, 50}, {200, 0}}
	noise := normals(500, 2)
	var x []float64
	sums := make([][2]float64, len(centers))
	for i := range 500 {
		g := i % len(centers)
		for j := range 2 {
			v := centers[g][j] + noise[i*2+j]
			x = append(x, v)
			sums[g][j] += v / 100
		}
	}
	got := Centers(x, 500, 2, len(centers), stream())
	if got.Jittered != 0 || len(got.Z) != 2*len(centers) {
		t.Fatalf("%d numbers, %d jittered", len(got.Z), got.Jittered)
	}
	for g, mean := range sums {
		best := math.Inf(1)
		for k := range centers {
			best = min(best, squaredDistance(got.Z[2*k:2*k+2], mean[:]))
		}
		if best > 1e-20 {
			t.Errorf("group %d has no center at its mean; the nearest is %v away", g, math.Sqrt(best))
		}
	}
}

// plain is clustering without shortcuts: every row is compared with every center.
type plain struct{ *clustering }

func (c plain) assign(centers int) (sum float64) {
	for i := range c.n {
		best, at := math.Inf(1), 0
		for k := range centers {
			if s := squaredDistance(c.row(i), c.center(k)); s < best {
				best, at = s, k
			}
		}
		c.nearest[i], c.distance[i] = at, best
		sum += best
	}
	return sum
}

// Seeds, assignments and the sum of distances must have the bits of comparisons of every row with every
// center, also with many equal distances.
func TestShortcutsDoNotChangeAnything(t *testing.T) {
	for _, shape := range [][3]int{{700, 1, 30}, {900, 3, 50}, {1000, 8, 130}, {300, 60, 9}, {20, 2, 30}} {
		for _, grid := range []float64{0, 0.5} {
			n, d, m := shape[0], shape[1], shape[2]
			x := normals(n, d)
			for i := range x {
				if grid > 0 {
					x[i] = grid * math.Round(x[i]/grid)
				}
			}
			c := &clustering{x: x, n: n, d: d}
			c.seed(m, stream())
			slow := plain{&clustering{x: x, n: n, d: d, nearest: make([]int, n),
				distance: slices.Repeat([]float64{math.Inf(1)}, n)}}
			rng := stream()
			next := rng.IntN(n)
			for k := 0; k < m && next >= 0; k++ {
				slow.z = append(slow.z, slow.row(next)...)
				slow.assign(k + 1)
				next = slow.draw(rng)
			}
			if !slices.Equal(c.z, slow.z) || !slices.Equal(c.distance, slow.distance) {
				t.Fatalf("%v, grid %v: other seeds or distances", shape, grid)
			}
			for range 5 {
				if got, want := c.assign(), slow.assign(len(slow.z)/d); got != want ||
					!slices.Equal(c.nearest, slow.nearest) || !slices.Equal(c.distance, slow.distance) {
					t.Fatalf("%v, grid %v: other assignments", shape, grid)
				}
				c.move()
				slow.move()
			}
		}
	}
}

func TestDeterministic(t *testing.T) {
	x := normals(5000, 3)
	a := Centers(x, 5000, 3, 20, stream())
	b := Centers(x, 5000, 3, 20, stream())
	if !slices.Equal(a.Z, b.Z) {
		t.Error("equal streams give different centers")
	}
	if c := Centers(x, 5000, 3, 20, rand.New(rand.NewPCG(3, 4))); slices.Equal(a.Z, c.Z) {
		t.Error("different streams give equal centers")
	}
}

// Lloyd's iterations reduce the sum of squares of the k-means++ start, which is well below the
// total sum of squares.
func TestEachStageReducesSumOfSquares(t *testing.T) {
	x := normals(1000, 4)
	c := &clustering{x: x, n: 1000, d: 4}
	c.seed(30, stream())
	start := c.assign()
	c.lloyd()
	if end := c.assign(); !(end < 0.9*start) {
		t.Errorf("sum of squares %v at the start, %v at the end", start, end)
	}
	total := 0.0
	for _, v := range x {
		total += v * v
	}
	if !(start < 0.6*total) {
		t.Errorf("k-means++ leaves %v of %v", start, total)
	}
}

func TestFewDistinctRows(t *testing.T) {
	for name, c := range map[string]struct {
		x             []float64
		n, d, m, want int // want is the number of distinct rows
	}{
		"more centers than rows":  {[]float64{0, 0, 1, 1, 5, 0}, 3, 2, 10, 3},
		"as many centers as rows": {[]float64{0, 3, 1, 9}, 4, 1, 4, 4},
		"repeated rows":           {[]float64{1, 2, 1, 2, 1, 2, 7, 2}, 4, 2, 3, 2},
		"all rows equal":          {[]float64{4, 4, 4}, 3, 1, 5, 1},
		"one row":                 {[]float64{4, 5}, 1, 2, 2, 1},
	} {
		got := Centers(c.x, c.n, c.d, c.m, stream())
		if len(got.Z) != c.m*c.d || got.Jittered != c.m-c.want {
			t.Errorf("%s: %d rows, %d jittered; want %d and %d",
				name, len(got.Z)/c.d, got.Jittered, c.m, c.m-c.want)
		}
		for a := range c.m {
			nearest := math.Inf(1)
			for i := range c.n {
				nearest = min(nearest, squaredDistance(got.Z[a*c.d:(a+1)*c.d], c.x[i*c.d:(i+1)*c.d]))
			}
			if !(nearest < 0.1) {
				t.Errorf("%s: center %d is %v away from any row", name, a, math.Sqrt(nearest))
			}
			for b := range a {
				if squaredDistance(got.Z[a*c.d:(a+1)*c.d], got.Z[b*c.d:(b+1)*c.d]) == 0 {
					t.Errorf("%s: centers %d and %d coincide", name, a, b)
				}
			}
		}
	}
}

func TestConstantInputStaysConstant(t *testing.T) {
	got := Centers([]float64{1, 3, 2, 3}, 2, 2, 6, stream())
	for k := range 6 {
		if got.Z[2*k+1] != 3 {
			t.Errorf("center %d has %v, want 3", k, got.Z[2*k+1])
		}
	}
}

// KMeans of a matrix equals Centers of its rows, even for a slice of a wider matrix.
func TestKMeansMatchesCenters(t *testing.T) {
	wide := mat.NewDense(100, 5, normals(100, 5))
	part := wide.Slice(10, 90, 1, 4).(*mat.Dense)
	rows := mat.DenseCopyOf(part).RawMatrix().Data
	got := KMeans(part, 7, stream())
	want := Centers(rows, 80, 3, 7, stream())
	if r, c := got.Dims(); r != 7 || c != 3 || !slices.Equal(got.RawMatrix().Data, want.Z) {
		t.Errorf("%d x %d result differs from Centers", r, c)
	}
}

func TestThin(t *testing.T) {
	x := make([]float64, 100)
	for i := range x {
		x[i] = float64(i)
	}
	got := thin(x, 50, 2, 20, stream())
	if len(got) != 40 {
		t.Fatalf("%d numbers", len(got))
	}
	for i := 0; i < 40; i += 2 {
		if got[i+1] != got[i]+1 || int(got[i])%2 != 0 || (i > 0 && got[i] <= got[i-2]) {
			t.Errorf("rows %v", got)
			break
		}
	}
}

func TestEmptyClusterMoves(t *testing.T) {
	c := &clustering{
		x:        []float64{0, 1, 10},
		n:        3,
		d:        1,
		z:        []float64{0.5, 100},
		nearest:  make([]int, 3),
		distance: make([]float64, 3),
	}
	c.lloyd()
	if !slices.Equal(c.z, []float64{0.5, 10}) {
		t.Errorf("centers %v", c.z)
	}
}

func TestPanics(t *testing.T) {
	for _, c := range [][4]int{{0, 0, 1, 1}, {2, 1, 2, 0}, {3, 2, 2, 1}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v was accepted", c)
				}
			}()
			Centers(make([]float64, c[0]), c[1], c[2], c[3], stream())
		}()
	}
}

func BenchmarkCenters(b *testing.B) {
	for _, c := range [][3]int{{40000, 9, 128}, {200000, 8, 1024}, {20000, 500, 128}} {
		b.Run(fmt.Sprintf("%dx%d/%d", c[0], c[1], c[2]), func(b *testing.B) {
			x := normals(c[0], c[1])
			for b.Loop() {
				Centers(x, c[0], c[1], c[2], stream())
			}
		})
	}
}
