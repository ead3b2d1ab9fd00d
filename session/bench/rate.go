package bench

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/models/linalg"
	"dgplab/models/linalg/vec"
)

// peakShapes are the shapes of the products of the peak measurement: large squares, and the products of
// M x M matrices with the columns of a batch.
var peakShapes = []family.Shape{
	{Rows: 1024, Inner: 1024, Cols: 1024},
	{Rows: 512, Inner: 512, Cols: 512},
	{Rows: 2048, Inner: 256, Cols: 2048},
	{Rows: 256, Inner: 256, Cols: 4096},
}

const (
	minProducts = 3
	peakSeconds = 1   // for all shapes, or the time per cell, if that is shorter
	rateSeconds = 0.1 // for one shape of a floor
	// maxFLOPs limits the operations of products whose rate is measured for a floor. Larger products are as
	// fast, but are interrupted by other processes.
	maxFLOPs = 2e7
)

// peak measures the rate of products of several shapes and returns the best rate with its shape. It stops
// when ctx is done; the rate is 0 if nothing has been measured by then.
func (m *meter) peak(ctx context.Context, seconds float64) (best Rate, shape family.Shape) {
	for _, s := range m.shapes {
		if ctx.Err() != nil {
			break
		}
		if rate := m.product(ctx, s, seconds/float64(len(m.shapes))); rate > best {
			best, shape = rate, s
		}
	}
	return best, shape
}

// product returns the best rate of products of a shape: of one product on all cores, or of one product per
// core. It stops when ctx is done, and returns 0 if it has measured nothing by then.
func (m *meter) product(ctx context.Context, s family.Shape, seconds float64) Rate {
	cores := runtime.GOMAXPROCS(0)
	stream := rand.New(rand.NewPCG(seed, 0))
	a := make([][]float64, cores)
	b := make([][]float64, cores)
	c := make([][]float64, cores)
	for core := range cores {
		a[core] = normals(stream, s.Rows*s.Inner)
		b[core] = normals(stream, s.Inner*s.Cols)
		c[core] = make([]float64, s.Rows*s.Cols)
	}
	multiply := func(core int) {
		linalg.Gemm(false, false, s.Rows, s.Cols, s.Inner, 1, a[core], b[core], 0, c[core])
	}
	flops := flopsOf(s)
	one := m.rate(ctx, seconds/2, flops, func() { multiply(0) })
	if cores == 1 {
		return one
	}
	loop := linalg.Loop{Body: multiply}
	return max(one, m.rate(ctx, seconds/2, float64(cores)*flops, func() { loop.Run(cores) }))
}

func flopsOf(s family.Shape) float64 { return 2 * float64(s.Rows) * float64(s.Inner) * float64(s.Cols) }

// within halves the longest side of a shape until a product has at most maxFLOPs operations.
func within(s family.Shape) family.Shape {
	for flopsOf(s) > maxFLOPs {
		switch longest := max(s.Rows, s.Inner, s.Cols); longest {
		case s.Cols:
			s.Cols /= 2
		case s.Rows:
			s.Rows /= 2
		default:
			s.Inner /= 2
		}
	}
	return s
}

// elementwise returns the rate of multiply-adds of arrays in the first-level caches, on all cores.
func (m *meter) elementwise(ctx context.Context, seconds float64) Rate {
	const length, repeats = 1024, 64
	cores := runtime.GOMAXPROCS(0)
	stream := rand.New(rand.NewPCG(seed, 0))
	var arrays [][3][]float64
	for range cores {
		arrays = append(arrays,
			[3][]float64{normals(stream, length), normals(stream, length), normals(stream, length)})
	}
	loop := linalg.Loop{Body: func(core int) {
		for range repeats {
			vec.AddMul(arrays[core][0], arrays[core][1], arrays[core][2])
		}
	}}
	return m.rate(ctx, seconds, float64(cores*2*length*repeats), func() { loop.Run(cores) })
}

// rate calls run repeatedly and returns the rate of the fastest call, of flops operations. Calls that are
// short compared to the clock are timed together.
func (m *meter) rate(ctx context.Context, seconds, flops float64, run func()) Rate {
	const shortest = 1e5 // operations of calls that are timed together
	calls := 1 + int(shortest/flops)
	if ctx.Err() != nil {
		return 0
	}
	run() // Warm up caches, workers and the clock rate.
	var best float64
	start := m.now()
	for n, last := 0, start; ctx.Err() == nil &&
		(n < minProducts || last.Sub(start).Seconds() < seconds); n++ {
		for range calls {
			run()
		}
		now := m.now()
		if took := now.Sub(last).Seconds(); took > 0 {
			best = max(best, float64(calls)*flops/took)
		}
		last = now
	}
	return Rate(best)
}

// normals returns standard normal numbers.
func normals(stream *rand.Rand, count int) []float64 {
	list := make([]float64, count)
	for i := range list {
		list[i] = stream.NormFloat64()
	}
	return list
}

// floor returns the shortest possible time of a step in seconds: its operations at the rates that this
// machine reaches for products of their shape and for elementwise operations. It is NaN if the operations
// are unknown or if ctx is done.
func (m *meter) floor(ctx context.Context, size models.Size) float64 {
	if size.StepFLOPs == 0 {
		return math.NaN()
	}
	elementwise := size.Elementwise
	var products float64 // in seconds
	if size.Shape == (family.Shape{}) {
		elementwise = size.StepFLOPs
	} else {
		products = (size.StepFLOPs - elementwise) / float64(m.rateOf(ctx, size.Shape))
	}
	if elementwise == 0 {
		return products
	}
	return products + elementwise/float64(m.rateOf(ctx, family.Shape{}))
}

// rateOf returns the rate of products of a shape, or of elementwise operations for the zero shape. It
// measures each rate once. The rate is NaN if ctx was done before.
func (m *meter) rateOf(ctx context.Context, shape family.Shape) Rate {
	if m.rates[shape] == 0 {
		rate := Rate(math.NaN())
		if ctx.Err() == nil && shape == (family.Shape{}) {
			rate = m.elementwise(ctx, rateSeconds)
		} else if ctx.Err() == nil {
			rate = m.product(ctx, within(shape), rateSeconds)
		}
		m.rates[shape] = rate
	}
	return m.rates[shape]
}
