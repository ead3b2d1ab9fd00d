package kernel

import (
	"dgplab/models/autodiff"
	"dgplab/models/linalg"
	"dgplab/models/linalg/vec"
)

// stationaryTiles computes k(Z, X), [M][P], for a stationary kernel and its gradient, one tile of points at a
// time. Tiles of different chains may run in parallel.
type stationaryTiles struct {
	kernel                       Stationary
	z, x, lengthscales, variance *autodiff.Node
	linalg.Tiling
	dx   []float64  // gradient of x during backward; nil if not needed
	sums []gradient // of each chain
}

// gradient holds the gradients accumulated by one chain.
type gradient struct {
	Grad
	variance float64
	scales   []float64 // [D]
	scratch  []float64 // backwardScratch(Width)

	// Memory for a tile in strips.
	distances linalg.Strips
	weights   []float64 // [M][Width]
}

// newStationaryTiles returns the covariances of z [1][M][D] and x [1][D][P] with lengthscales [1][1][D] and
// variance [1][1][1].
func newStationaryTiles(
	k Stationary, z, x, lengthscales, variance *autodiff.Node, tiling linalg.Tiling,
) *stationaryTiles {
	s := &stationaryTiles{kernel: k, z: z, x: x, lengthscales: lengthscales, variance: variance}
	s.Tiling = tiling
	s.sums = make([]gradient, s.Chains)
	for chain := range s.sums {
		s.sums[chain].scales = make([]float64, z.Cols)
		s.sums[chain].scratch = make([]float64, backwardScratch(s.Width))
	}
	return s
}

// inputs lists the nodes on which the covariances depend.
func (s *stationaryTiles) inputs() []*autodiff.Node {
	return []*autodiff.Node{s.z, s.x, s.lengthscales, s.variance}
}

// evaluate sets values to the covariances of the points [start, end).
func (s *stationaryTiles) evaluate(chain int, values *linalg.Strips, start, end int) {
	scales := reciprocals(s.sums[chain].scales, s.lengthscales.Value)
	values.Resize(s.z.Rows, end-start)
	for j := range values.Count() {
		elements, width, columns := values.Elements(j)
		vec.Distance.Rows(elements, width, s.x.Value[start+j*width:], s.x.Cols, columns, s.z.Value, scales, 1)
		s.kernel.Form().Covariance(elements, s.variance.Value[0])
	}
}

// differentiate adds the gradient of the points [start, end), given their covariances and the gradient dk of
// these, which it overwrites.
func (s *stationaryTiles) differentiate(chain int, values, dk *linalg.Strips, start, end int) {
	sum := &s.sums[chain]
	scales := reciprocals(sum.scales, s.lengthscales.Value)
	dk.ClearPadding() // It is part of the sums.
	sum.distances.Resize(dk.Rows, dk.Cols)
	var dVariance float64
	for j := range values.Count() {
		k, width, columns := values.Elements(j)
		d, _, _ := dk.Elements(j)
		if s.kernel == RBF { // Its weights do not depend on distances.
			dVariance += s.kernel.weights(d, k, d)
			continue
		}
		w, _, _ := sum.distances.Elements(j)
		vec.Distance.Rows(w, width, s.x.Value[start+j*width:], s.x.Cols, columns, s.z.Value, scales, 1)
		dVariance += s.kernel.weights(w, k, d)
		copy(d, w)
	}
	if sum.Variance != nil {
		*sum.Variance += dVariance / s.variance.Value[0]
	}
	n := end - start
	weights := sum.weights[:s.z.Rows*n]
	dk.Unpack(weights, n)
	for m := 0; m < s.z.Rows; m += 4 {
		rows := min(4, s.z.Rows-m)
		sum.addRows(weights[m*n:(m+rows)*n], s.z.Value, s.x.Value, s.lengthscales.Value,
			sum.scratch[:8], m, rows, s.x.Cols, start, end)
	}
}

// prepare clears the gradients of all chains. Each point belongs to one chain, so all chains write to the
// same gradient of x.
func (s *stationaryTiles) prepare() {
	s.dx = nil
	if s.x.Wanted() {
		s.dx = s.x.Grad()
	}
	for chain := range s.sums {
		s.sums[chain].prepare(s)
	}
}

// collect adds the gradients of the chains in a fixed order.
func (s *stationaryTiles) collect() {
	for chain := range s.sums {
		sum := &s.sums[chain]
		if s.z.Wanted() {
			addTo(s.z.Grad(), sum.Z)
		}
		if s.lengthscales.Wanted() {
			addTo(s.lengthscales.Grad(), sum.Lengthscales)
		}
		if s.variance.Wanted() {
			s.variance.Grad()[0] += sum.variance
		}
	}
}

// prepare clears the sums of a chain.
func (g *gradient) prepare(s *stationaryTiles) {
	g.X = s.dx
	if s.z.Wanted() {
		g.Z = cleared(g.Z, s.z.Len())
	}
	if s.lengthscales.Wanted() {
		g.Lengthscales = cleared(g.Lengthscales, s.lengthscales.Len())
	}
	g.variance = 0
	if s.variance.Wanted() {
		g.Variance = &g.variance
	}
}

// RecordKuf records k(Z, X), [1][M][P], as one fused operation on the tape. z is [1][M][D], x is
// [1][D][P], lengthscales [1][1][D], variance [1][1][1]. It divides the points in the same way as the
// operations that use its result.
func RecordKuf(t *autodiff.Tape, k Stationary, z, x, lengthscales, variance *autodiff.Node) *autodiff.Node {
	s := newStationaryTiles(k, z, x, lengthscales, variance, linalg.NewTiling(x.Cols))
	out := t.Output(1, z.Rows, x.Cols, s.inputs()...)
	scales := make([]float64, z.Cols)
	forward := linalg.Loop{Body: func(chain int) {
		s.Each(chain, func(start, end int) {
			k.kufTile(out.Value, z.Value, x.Value, scales, variance.Value[0],
				z.Rows, z.Cols, x.Cols, start, end)
		})
	}}
	var grad []float64
	backward := linalg.Loop{Body: func(chain int) {
		sum := &s.sums[chain]
		s.Each(chain, func(start, end int) {
			k.kufTileBackward(sum.Grad, z.Value, x.Value, lengthscales.Value, scales, variance.Value[0],
				out.Value, grad, sum.scratch, z.Rows, z.Cols, x.Cols, start, end)
		})
	}}
	return t.Record(out, func() error {
		reciprocals(scales, lengthscales.Value)
		forward.Run(s.Chains)
		return nil
	}, func() {
		grad = out.Grad()
		s.prepare()
		backward.Run(s.Chains)
		s.collect()
	})
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
