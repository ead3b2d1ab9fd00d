package kernel

import "dgplab/models/autodiff"

// RecordKuf records k(Z, X), [1][M][P], as one fused operation on the tape. z is
// [1][M][D], x is [1][D][P], lengthscales [1][1][D], variance [1][1][1].
func RecordKuf(t *autodiff.Tape, k Kernel, z, x, lengthscales, variance *autodiff.Node) *autodiff.Node {
	m, d, points := z.Rows, z.Cols, x.Cols
	out := t.Output(1, m, points, z, x, lengthscales, variance)
	scratch := make([]float64, Tile)
	return t.Record(out, func() error {
		k.Kuf(out.Value, z.Value, x.Value, lengthscales.Value, variance.Value[0], m, d, points)
		return nil
	}, func() {
		g := gradients(z, lengthscales, variance)
		if x.Wanted() {
			g.X = x.Grad()
		}
		k.KufBackward(g, z.Value, x.Value, lengthscales.Value, variance.Value[0], out.Value, out.Grad(), scratch, m, d, points)
	})
}

// RecordKuu records k(Z, Z) + jitter I, [1][M][M].
func RecordKuu(t *autodiff.Tape, k Kernel, z, lengthscales, variance *autodiff.Node, jitter float64) *autodiff.Node {
	m, d := z.Rows, z.Cols
	out := t.Output(1, m, m, z, lengthscales, variance)
	scratch := make([]float64, m)
	return t.Record(out, func() error {
		k.Kuu(out.Value, z.Value, lengthscales.Value, variance.Value[0], m, d)
		for i := range m {
			out.Value[i*m+i] += jitter
		}
		return nil
	}, func() {
		g := gradients(z, lengthscales, variance)
		k.KuuBackward(g, z.Value, lengthscales.Value, variance.Value[0], out.Value, out.Grad(), scratch, m, d)
	})
}

// gradients returns where the gradients of those of the nodes go that want one.
func gradients(z, lengthscales, variance *autodiff.Node) Grad {
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
	return g
}
