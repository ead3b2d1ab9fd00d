package layer

import "dgplab/models/linalg/vec"

// localTile processes the columns [start, end) of a localConditional, for all samples.
type localTile struct {
	*localConditional
	*localChain
	start, end int
}

// localScratch is the workspace of a chain for both directions; rows are as wide as the widest tile.
type localScratch struct {
	distances       lanes // of pairs of inducing points, unscaled: M(M-1)/2
	pointDistances  lanes // of points and inducing points, unscaled: S*M
	pairs           lanes // covariances of pairs
	points, a, u    lanes // of one sample: M
	rows            lanes // M+1
	row             []float64
	scales, perUnit []float64 // reciprocals of lengthscales, ones: D
}

func newLocalScratch(c *localConditional) *localScratch {
	w, m := c.tiles.Width, c.Inducing
	s := &localScratch{
		pairs: newLanes(pair(m, 0), w), points: newLanes(m, w), a: newLanes(m, w), u: newLanes(m, w),
		rows: newLanes(m+1, w), row: make([]float64, w),
		scales: make([]float64, c.Inputs), perUnit: make([]float64, c.Inputs),
	}
	fill(s.perUnit, 1)
	if c.isotropic() {
		s.distances = newLanes(pair(m, 0), w)
		s.pointDistances = newLanes(c.samples*m, w)
	}
	return s
}

func (t *localTile) width() int { return t.end - t.start }

// of returns the columns of the tile of data with rows of G numbers.
func (t *localTile) of(data []float64) lanes {
	return lanes{data: data[t.start:], stride: t.columns, width: t.width()}
}

// sampleOf returns the columns of the tile for sample s in row r of data with rows of P numbers.
func (t *localTile) sampleOf(data []float64, r, s int) []float64 {
	return data[(r*t.samples+s)*t.columns+t.start:][:t.width()]
}

// whitened returns the stored P, C and alpha of output o.
func (t *localTile) whitened(o int) (root, factor square, alpha lanes) {
	m := t.Inducing
	at := o * m * m * t.columns
	return square{t.of(t.root[at:]), m}, square{t.of(t.factor[at:]), m}, t.of(t.alpha[o*m*t.columns:])
}

// forward computes all outputs.
func (t *localTile) forward() error {
	clear(t.kl.Value[t.start:t.end])
	t.measure()
	for o := range t.Outputs {
		if err := t.factorise(o); err != nil {
			return err
		}
		t.divergence(o)
		for s := range t.samples {
			t.sample(o, s)
		}
	}
	return nil
}

// measure computes the distances shared by all outputs, if the kernels are isotropic.
func (t *localTile) measure() {
	if !t.isotropic() {
		return
	}
	t.distancesOfPairs(t.distances.narrow(t.width()), vec.Distance, t.perUnit, 1)
	points := t.pointDistances.narrow(t.width())
	for s := range t.samples {
		t.distancesOfPoints(points.from(s*t.Inducing), s, vec.Distance, t.perUnit, 1)
	}
}

// distancesOfPairs sets dst to form applied to the squared distances between inducing points.
func (t *localTile) distancesOfPairs(dst lanes, form vec.Form, scales []float64, variance float64) {
	z := t.of(t.Z.Value)
	for i := range t.Inducing {
		for j := range i {
			form.Between(dst.row(pair(i, j)), z.from(i*t.Inputs).data, t.columns, z.from(j*t.Inputs).data,
				t.columns, scales, variance)
		}
	}
}

// distancesOfPoints sets dst to form applied to the squared distances between sample s of the
// points and their inducing points.
func (t *localTile) distancesOfPoints(dst lanes, s int, form vec.Form, scales []float64, variance float64) {
	z, x := t.of(t.Z.Value), t.In.Value[s*t.columns+t.start:]
	for i := range t.Inducing {
		form.Between(dst.row(i), z.from(i*t.Inputs).data, t.columns, x, t.In.Cols, scales, variance)
	}
}

// kernelOf returns the variance and the reciprocals of the lengthscales of output o, one per input
// or a single one.
func (t *localTile) kernelOf(o int) (variance float64, scales []float64) {
	for d, l := range t.Lengthscales.Row(o) {
		t.scales[d] = 1 / l
	}
	return t.Variance.Value[o], t.scales[:t.Lengthscales.Cols]
}

// scaledPairs sets dst to the squared scaled distances of the pairs for output o.
func (t *localTile) scaledPairs(dst lanes, o int) {
	_, scales := t.kernelOf(o)
	if t.isotropic() {
		n := pair(t.Inducing, 0)
		vec.Scaled(dst.block(n), t.distances.narrow(t.width()).block(n), scales[0]*scales[0])
		return
	}
	t.distancesOfPairs(dst, vec.Distance, scales, 1)
}

// scaledPoints sets dst to the squared scaled distances between the points of sample s and their
// inducing points for output o.
func (t *localTile) scaledPoints(dst lanes, o, s int) {
	_, scales := t.kernelOf(o)
	if t.isotropic() {
		from := t.pointDistances.narrow(t.width()).from(s * t.Inducing)
		vec.Scaled(dst.block(t.Inducing), from.block(t.Inducing), scales[0]*scales[0])
		return
	}
	t.distancesOfPoints(dst, s, vec.Distance, scales, 1)
}

// factorise computes P, C and alpha of output o.
func (t *localTile) factorise(o int) error {
	m, w := t.Inducing, t.width()
	variance := t.Variance.Value[o]
	pairs := t.pairs.narrow(w)
	t.scaledPairs(pairs, o)
	t.Form.Covariance(pairs.block(pair(m, 0)), variance)
	root, factor, alpha := t.whitened(o)
	if !invert(root, pairs, variance+t.Jitter, t.rows.narrow(w)) {
		rescues, err := rescue(root, pairs, variance+t.Jitter, t.Matrix)
		t.rescues += rescues
		if err != nil {
			return err
		}
	}
	delta := t.of(t.Delta.Value).from(o * m)
	spread := t.spreadOf(t.Spread.Value, o)
	if t.Whiten {
		t.copyWhitened(factor, alpha, delta, spread)
		return nil
	}
	multiply(alpha, root, delta)
	for i := range m {
		for j := range i + 1 {
			row := factor.at(i, j)
			if !t.Full {
				vec.Mul(row, root.at(i, j), spread.row(j))
				continue
			}
			vec.Mul(row, root.at(i, j), spread.row(packed(j, j)))
			for c := j + 1; c <= i; c++ {
				vec.AddMul(row, root.at(i, c), spread.row(packed(c, j)))
			}
		}
	}
	return nil
}

// copyWhitened sets C and alpha to the given values for whitened inducing outputs.
func (t *localTile) copyWhitened(factor square, alpha, delta, spread lanes) {
	for i := range t.Inducing {
		copy(alpha.row(i), delta.row(i))
		for j := range i + 1 {
			row := factor.at(i, j)
			switch {
			case t.Full:
				copy(row, spread.row(packed(i, j)))
			case i == j:
				copy(row, spread.row(i))
			default:
				clear(row)
			}
		}
	}
}

// spreadOf returns the standard deviations or the packed factor of output o.
func (t *localTile) spreadOf(data []float64, o int) lanes {
	return t.of(data).from(o * t.Spread.Rows / t.Outputs)
}

// divergence adds the KL of output o.
func (t *localTile) divergence(o int) {
	m := t.Inducing
	_, factor, alpha := t.whitened(o)
	kl, row := t.kl.Value[t.start:t.end], t.row[:t.width()]
	fill(row, -float64(m))
	vec.AddProducts(row, alpha.data, alpha.stride, alpha.data, alpha.stride, m)
	for i := range m {
		vec.AddProducts(row, factor.rest(i, 0), factor.stride, factor.rest(i, 0), factor.stride, i+1)
	}
	vec.AddScaled(kl, row, 0.5)
	for i := range m {
		vec.Log(row, factor.at(i, i))
		vec.AddScaled(kl, row, -1)
	}
}

// project computes a and u of points, given their covariances, for output o.
func (t *localTile) project(o int, points lanes) {
	a := t.a.narrow(t.width())
	u := t.u.narrow(t.width())
	root, factor, _ := t.whitened(o)
	multiply(a, root, points)
	multiplyTrans(u, factor, a)
}

// sample computes the moments of sample s of output o.
func (t *localTile) sample(o, s int) {
	m, w := t.Inducing, t.width()
	variance := t.Variance.Value[o]
	points := t.points.narrow(w)
	t.scaledPoints(points, o, s)
	t.Form.Covariance(points.block(m), variance)
	t.project(o, points)
	a := t.a.narrow(w)
	u := t.u.narrow(w)
	row := t.row[:w]
	_, _, alpha := t.whitened(o)
	vec.SumProducts(t.sampleOf(t.mean.Value, o, s), a.data, a.stride, alpha.data, alpha.stride, m)
	vr := t.sampleOf(t.vr.Value, o, s)
	vec.SumProducts(vr, u.data, u.stride, u.data, u.stride, m)
	vec.SumProducts(row, a.data, a.stride, a.data, a.stride, m)
	for p, v := range row {
		vr[p] += variance - v
	}
}
