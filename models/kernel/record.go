package kernel

import (
	"dgplab/models/autodiff"
	"dgplab/models/linalg"
)

// pieces is the number of parts into which the inducing inputs are divided for parallel execution.
// It is fixed, so the order of summation does not depend on the number of processors.
const pieces = 4

// fused is the operation recorded by RecordKuf.
type fused struct {
	kernel                       Stationary
	z, x, lengthscales, variance *autodiff.Node
	out                          *autodiff.Node
	grad                         []float64        // gradient of out during backward
	parts                        [pieces]gradient // of each piece
	forward, backward            linalg.Loop
}

// gradient holds the gradients accumulated by one piece.
type gradient struct {
	Grad
	variance float64
	scratch  []float64 // Tile + D
}

// RecordKuf records k(Z, X), [1][M][P], as one fused operation on the tape. z is [1][M][D], x is
// [1][D][P], lengthscales [1][1][D], variance [1][1][1].
func RecordKuf(t *autodiff.Tape, k Stationary, z, x, lengthscales, variance *autodiff.Node) *autodiff.Node {
	f := &fused{kernel: k, z: z, x: x, lengthscales: lengthscales, variance: variance}
	f.out = t.Output(1, z.Rows, x.Cols, z, x, lengthscales, variance)
	for p := range f.parts {
		f.parts[p].scratch = make([]float64, Tile+z.Cols)
	}
	f.forward.Body, f.backward.Body = f.evaluate, f.differentiate
	return t.Record(f.out, func() error {
		f.forward.Run(pieces)
		return nil
	}, f.collect)
}

// rows returns the range of inducing inputs of a piece.
func (f *fused) rows(piece int) (from, to int) {
	m := f.z.Rows
	return piece * m / pieces, (piece + 1) * m / pieces
}

func (f *fused) evaluate(piece int) {
	from, to := f.rows(piece)
	d, points := f.z.Cols, f.x.Cols
	f.kernel.Kuf(f.out.Value[from*points:to*points], f.z.Value[from*d:to*d], f.x.Value,
		f.lengthscales.Value, f.variance.Value[0], f.parts[piece].scratch, to-from, d, points)
}

func (f *fused) differentiate(piece int) {
	from, to := f.rows(piece)
	d, points := f.z.Cols, f.x.Cols
	g := &f.parts[piece]
	grad := g.Grad
	if grad.Z != nil {
		grad.Z = grad.Z[from*d : to*d]
	}
	f.kernel.KufBackward(grad, f.z.Value[from*d:to*d], f.x.Value, f.lengthscales.Value, f.variance.Value[0],
		f.out.Value[from*points:to*points], f.grad[from*points:to*points], g.scratch, to-from, d, points)
}

// collect runs the pieces backward and adds their results in a fixed order.
func (f *fused) collect() {
	f.grad = f.out.Grad()
	for p := range f.parts {
		f.parts[p].prepare(f)
	}
	f.backward.Run(pieces)
	for p := range f.parts {
		g := &f.parts[p]
		if f.x.Wanted() {
			addTo(f.x.Grad(), g.X)
		}
		if f.lengthscales.Wanted() {
			addTo(f.lengthscales.Grad(), g.Lengthscales)
		}
		if f.variance.Wanted() {
			f.variance.Grad()[0] += g.variance
		}
	}
}

// prepare clears the sums of a piece. Each row of Z belongs to one piece, so all pieces write to
// the same gradient of Z.
func (g *gradient) prepare(f *fused) {
	if f.z.Wanted() {
		g.Z = f.z.Grad()
	}
	if f.x.Wanted() {
		g.X = cleared(g.X, f.x.Len())
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
	scratch := make([]float64, 2*m*d+Tile+d)
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
