package probe

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/task"
	"dgplab/models/predictive"
)

// gaussians returns a matrix of standard normal numbers.
func gaussians(n, d int, seed uint64) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 1))
	m := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			m.Set(i, j, rng.NormFloat64())
		}
	}
	return m
}

// The tiled computation of distances agrees with the definition, even across tile edges.
func TestNearest(t *testing.T) {
	for _, size := range [][3]int{{1, 1, 1}, {3, 7, 2}, {nearRows + 1, nearColumns + 3, 3},
		{2, 2*nearColumns + 1, 5}} {
		x := gaussians(size[0], size[2], 1)
		z := gaussians(size[1], size[2], 2)
		z.SetRow(size[1]-1, x.RawRowView(size[0]-1)) // This training input is also in the test set.
		got, err := nearestDistances(context.Background(), x, z)
		if err != nil {
			t.Fatal(err)
		}
		for i := range size[0] {
			want := math.Inf(1)
			for j := range size[1] {
				want = math.Min(want, distance(x.RawRowView(i), z.RawRowView(j)))
			}
			if math.Abs(got[i]-want) > 1e-12 {
				t.Errorf("%v: distance %d is %v, want %v", size, i, got[i], want)
			}
		}
	}
	if got, err := nearestDistances(context.Background(), gaussians(2, 1, 1), nil); err != nil ||
		!math.IsNaN(got[1]) {
		t.Errorf("no training inputs: %v, %v", got, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := nearestDistances(ctx, gaussians(2, 1, 1),
		gaussians(2, 1, 1)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestNearCount(t *testing.T) {
	for _, c := range []struct{ test, n, want int }{
		{51630, 463715, 5199}, {4573, 41157, 41157}, {0, 5, 5}, {1 << 30, 2000, minNear}, {1 << 30, 7, 7},
	} {
		if got := nearCount(c.test, c.n); got != c.want {
			t.Errorf("%d test points and %d training inputs: %d, want %d", c.test, c.n, got, c.want)
		}
	}
}

// Class predictions have no moments.
func TestPredictionsOfClassesAreCopies(t *testing.T) {
	p := line(new(linear), 2, func(int) float64 { return 1 })
	p.Data.Test.Targets = mat.NewDense(2, 1, []float64{-1, 1})
	points := newPredictions(p.Data.Test, task.Binary, nil)
	classes := &predictive.Probit{
		S:       1,
		N:       2,
		Weights: []float64{1},
		Mean:    []float64{0, 1},
		Var:     []float64{0, 0},
	}
	if next := addPredictions(points, 0, classes, []float64{-1, 1}, unitsOf(p.Data.Scaling)); next != 2 {
		t.Errorf("the next point is %d", next)
	}
	classes.Mean[0] = 7
	if points.Probability[0] != 0.5 || points.Target[0] != -1 ||
		math.Abs(points.LogLik[0]-math.Log(0.5)) > 1e-15 {
		t.Errorf("predictions %+v", points)
	}
}

// BenchmarkNearest uses the size of the year data set: 51,630 test points and a sample of the training
// inputs.
func BenchmarkNearest(b *testing.B) {
	x := gaussians(51630, 90, 1)
	z := gaussians(nearCount(51630, 463715), 90, 2)
	for b.Loop() {
		if _, err := nearestDistances(context.Background(), x, z); err != nil {
			b.Fatal(err)
		}
	}
}
