package kernel

import (
	"dgplab/models/autodiff"
	"dgplab/models/linalg"
)

// fused is the operation recorded by RecordKuf. It divides the points in the same way as the
// operations that use its result.
type fused struct {
	kernel                       Stationary
	z, x, lengthscales, variance *autodiff.Node
	out                          *autodiff.Node
	linalg.Tiling
	grad, dx          []float64  // gradients of out and x during backward; dx is nil if not needed
	sums              []gradient // of each chain
	forward, backward linalg.Loop
}

// gradient holds the gradients accumulated by one chain.
type gradient struct {
	Grad
	variance float64
	scratch  []float64 // D + backwardScratch(Width)
}

// RecordKuf records k(Z, X), [1][M][P], as one fused operation on the tape. z is [1][M][D], x is
// [1][D][P], lengthscales [1][1][D], variance [1][1][1].
func RecordKuf(t *autodiff.Tape, k Stationary, z, x, lengthscales, variance *autodiff.Node) *autodiff.Node {
	f := &fused{kernel: k, z: z, x: x, lengthscales: lengthscales, variance: variance}
	f.Tiling = linalg.NewTiling(x.Cols)
	f.out = t.Output(1, z.Rows, x.Cols, z, x, lengthscales, variance)
	f.sums = make([]gradient, f.Chains)
	for chain := range f.sums {
		f.sums[chain].scratch = make([]float64, z.Cols+backwardScratch(f.Width))
	}
	f.forward.Body, f.backward.Body = f.evaluate, f.differentiate
	return t.Record(f.out, func() error {
		f.forward.Run(f.Chains)
		return nil
	}, f.collect)
}

func (f *fused) evaluate(chain int) {
	scales := reciprocals(f.sums[chain].scratch, f.lengthscales.Value)
	f.Each(chain, func(start, end int) {
		f.kernel.kufTile(f.out.Value, f.z.Value, f.x.Value, scales, f.variance.Value[0],
			f.z.Rows, f.z.Cols, f.x.Cols, start, end)
	})
}

func (f *fused) differentiate(chain int) {
	sum := &f.sums[chain]
	scales := reciprocals(sum.scratch, f.lengthscales.Value)
	f.Each(chain, func(start, end int) {
		f.kernel.kufTileBackward(sum.Grad, f.z.Value, f.x.Value, f.lengthscales.Value, scales,
			f.variance.Value[0], f.out.Value, f.grad, sum.scratch[len(scales):],
			f.z.Rows, f.z.Cols, f.x.Cols, start, end)
	})
}

// collect runs the chains backward and adds their sums in a fixed order. Each point belongs to one
// chain, so all chains write to the same gradient of X.
func (f *fused) collect() {
	f.grad, f.dx = f.out.Grad(), nil
	if f.x.Wanted() {
		f.dx = f.x.Grad()
	}
	for chain := range f.sums {
		f.sums[chain].prepare(f)
	}
	f.backward.Run(f.Chains)
	for chain := range f.sums {
		sum := &f.sums[chain]
		if f.z.Wanted() {
			addTo(f.z.Grad(), sum.Z)
		}
		if f.lengthscales.Wanted() {
			addTo(f.lengthscales.Grad(), sum.Lengthscales)
		}
		if f.variance.Wanted() {
			f.variance.Grad()[0] += sum.variance
		}
	}
}

// prepare clears the sums of a chain.
func (g *gradient) prepare(f *fused) {
	g.X = f.dx
	if f.z.Wanted() {
		g.Z = cleared(g.Z, f.z.Len())
	}
	if f.lengthscales.Wanted() {
		g.Lengthscales = cleared(g.Lengthscales, f.lengthscales.Len())
	}
	g.variance = 0
	if f.variance.Wanted() {
		g.Variance = &g.variance
	}
}

// cleared returns n zeros, stored in v unless it is nil.
func cleared(v []float64, n int) []float64 {
	if v == nil {
		return make([]float64, n)
	}
	clear(v)
	return v
}

func addTo(dst, src []float64) {
	for i, v := range src {
		dst[i] += v
	}
}

// RecordKuu records k(Z, Z) + jitter I, [1][M][M].
func RecordKuu(
	t *autodiff.Tape, k Stationary, z, lengthscales, variance *autodiff.Node, jitter float64,
) *autodiff.Node {
	m, d := z.Rows, z.Cols
	out := t.Output(1, m, m, z, lengthscales, variance)
	scratch := make([]float64, 2*m*d+d+backwardScratch(Tile))
	return t.Record(out, func() error {
		k.Kuu(out.Value, z.Value, lengthscales.Value, variance.Value[0], scratch, m, d)
		for i := range m {
			out.Value[i*m+i] += jitter
		}
		return nil
	}, func() {
		var g Grad
		if z.Wanted() {
			g.Z = z.Grad()
		}
		if lengthscales.Wanted() {
			g.Lengthscales = lengthscales.Grad()
		}
		if variance.Wanted() {
			g.Variance = &variance.Grad()[0]
		}
		k.KuuBackward(g, z.Value, lengthscales.Value, variance.Value[0], jitter, out.Value,
			out.Grad(), scratch, m, d)
	})
}
