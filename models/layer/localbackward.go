package layer

import "dgplab/models/linalg/vec"

// localGradients is the workspace of a chain for the backward pass of a tile.
type localGradients struct {
	dRoot, dFactor, h square
	dAlpha, da, du    lanes // M
	dPairs, slopes    lanes // the larger of M(M-1)/2 and M
	dPoints           lanes // M
	dDiagonal         []float64
	double            []float64 // twice the gradient of the variances of a sample
	// pull and pullPoints hold weights of differences, summed over the outputs if these share
	// distances: M(M-1)/2 and S*M.
	pull, pullPoints lanes
	dIn              []float64 // receives the gradient of the inputs if no node does
}

func newLocalGradients(c *localConditional) *localGradients {
	w, m := c.tiles.Width, c.Inducing
	g := &localGradients{
		dRoot: newSquare(m, w), dFactor: newSquare(m, w), h: newSquare(m, w),
		dAlpha: newLanes(m, w), da: newLanes(m, w), du: newLanes(m, w),
		dPairs: newLanes(pair(m, 0), w), slopes: newLanes(max(m, pair(m, 0)), w), dPoints: newLanes(m, w),
		dDiagonal: make([]float64, w), double: make([]float64, w),
	}
	if c.isotropic() {
		g.pull = newLanes(pair(m, 0), w)
		g.pullPoints = newLanes(c.samples*m, w)
	}
	if !c.In.Wanted() {
		g.dIn = make([]float64, w)
	}
	return g
}

// backward computes the gradients of all outputs.
func (t *localTile) backward() {
	w := t.width()
	t.measure()
	clear(t.pull.data)
	clear(t.pullPoints.data)
	for o := range t.Outputs {
		t.divergenceBackward(o)
		fill(t.dDiagonal[:w], 0)
		for s := range t.samples {
			t.sampleBackward(o, s)
		}
		t.factoriseBackward(o)
		t.dVariance[o] += sumOf(t.dDiagonal[:w])
	}
	if t.isotropic() {
		t.pullPairs(t.pull.narrow(w), t.perUnit, nil)
		for s := range t.samples {
			t.pullSample(t.pullPoints.narrow(w).from(s*t.Inducing), s, t.perUnit, nil)
		}
	}
}

// divergenceBackward sets the gradients of P, C and alpha of output o to the gradients of the KL.
func (t *localTile) divergenceBackward(o int) {
	m, w := t.Inducing, t.width()
	_, factor, alpha := t.whitened(o)
	dFactor := t.dFactor.narrow(w)
	dAlpha := t.dAlpha.narrow(w)
	t.dRoot.narrow(w).clear()
	dFactor.clear()
	clear(dAlpha.block(m))
	d := t.kl.Grad()[t.start:t.end]
	addTimes(dAlpha, d, alpha, m)
	for i := range m {
		vec.AddOuter(dFactor.rest(i, 0), dFactor.stride, d, factor.rest(i, 0), factor.stride, i+1)
		diagonal := dFactor.at(i, i)
		for g, v := range factor.at(i, i) {
			diagonal[g] -= d[g] / v
		}
	}
}

// sampleBackward adds the gradients of the moments of sample s of output o.
func (t *localTile) sampleBackward(o, s int) {
	m, w, variance := t.Inducing, t.width(), t.Variance.Value[o]
	root, factor, alpha := t.whitened(o)
	a := t.a.narrow(w)
	u := t.u.narrow(w)
	da := t.da.narrow(w)
	du := t.du.narrow(w)
	points := t.points.narrow(w)
	dPoints := t.dPoints.narrow(w)
	slopes := t.slopes.narrow(w)
	t.scaledPoints(slopes, o, s)
	t.Form.CovarianceSlope(points.block(m), slopes.block(m), variance)
	t.project(o, points)
	dMean := t.sampleOf(t.mean.Grad(), o, s)
	dVar := t.sampleOf(t.vr.Grad(), o, s)
	vec.AddScaled(t.dDiagonal[:w], dVar, 1) // k(x, x) equals the variance
	addTimes(t.dAlpha.narrow(w), dMean, a, m)
	clear(da.block(m))
	clear(du.block(m))
	double := t.double[:w]
	vec.Scaled(double, dVar, 2)
	addTimes(du, double, u, m)
	vec.Scaled(double, dVar, -2)
	addTimes(da, double, a, m)
	addTimes(da, dMean, alpha, m)
	for i := range m {
		vec.AddProducts(da.row(i), factor.rest(i, 0), factor.stride, du.data, du.stride, i+1)
	}
	addOuter(t.dFactor.narrow(w), a, du)
	addOuter(t.dRoot.narrow(w), da, points)
	multiplyTrans(dPoints, root, da)
	t.kernelBackward(o, s, dPoints.block(m), points.block(m), variance)
}

// kernelBackward adds the gradients of the kernel parameters and distances, given the gradient dk
// of covariances k and the slopes of k. The covariances belong to the points of sample s, or to the
// pairs if s is negative.
func (t *localTile) kernelBackward(o, s int, dk, k []float64, variance float64) {
	t.dVariance[o] += vec.Dot(dk, k) / variance
	w := t.width()
	slopes := t.slopes.narrow(w)
	weights := slopes.data[:len(dk)]
	vec.Mul(weights, weights, dk)
	_, scales := t.kernelOf(o)
	dl := t.dLengthscales[o*len(scales) : (o+1)*len(scales)]
	if !t.isotropic() {
		if s < 0 {
			t.pullPairs(slopes, scales, dl)
		} else {
			t.pullSample(slopes, s, scales, dl)
		}
		return
	}
	all := t.pull.narrow(w)
	distances := t.distances.narrow(w)
	if s >= 0 {
		all = t.pullPoints.narrow(w).from(s * t.Inducing)
		distances = t.pointDistances.narrow(w).from(s * t.Inducing)
	}
	c := scales[0] * scales[0]
	vec.AddScaled(all.data[:len(dk)], weights, c)
	dl[0] += c * scales[0] * vec.Dot(weights, distances.data[:len(dk)])
}

// factoriseBackward propagates the gradients of P, C and alpha of output o to their inputs.
func (t *localTile) factoriseBackward(o int) {
	m, w := t.Inducing, t.width()
	root, _, _ := t.whitened(o)
	dRoot := t.dRoot.narrow(w)
	dFactor := t.dFactor.narrow(w)
	dAlpha := t.dAlpha.narrow(w)
	dDelta := t.of(t.Delta.Grad()).from(o * m)
	if t.Whiten {
		t.whitenedBackward(dFactor, dAlpha, dDelta, t.spreadOf(t.Spread.Grad(), o))
	} else {
		addOuter(dRoot, dAlpha, t.of(t.Delta.Value).from(o*m))
		for j := range m {
			vec.AddProducts(dDelta.row(j), root.rest(j, j), root.down(),
				dAlpha.from(j).data, dAlpha.stride, m-j)
		}
		t.spreadBackward(dRoot, dFactor, root, o)
	}

	variance := t.Variance.Value[o]
	pairs := t.pairs.narrow(w)
	dPairs := t.dPairs.narrow(w)
	invertBackward(dPairs, t.dDiagonal[:w], dRoot, root, t.h.narrow(w), t.row[:w])
	if m == 1 {
		return
	}
	n := pair(m, 0)
	slopes := t.slopes.narrow(w)
	t.scaledPairs(slopes, o)
	t.Form.CovarianceSlope(pairs.block(n), slopes.block(n), variance)
	t.kernelBackward(o, -1, dPairs.block(n), pairs.block(n), variance)
}

// whitenedBackward adds the gradients of C and alpha to the gradients of the whitened inputs.
func (t *localTile) whitenedBackward(dFactor square, dAlpha, dDelta, dSpread lanes) {
	for i := range t.Inducing {
		vec.AddScaled(dDelta.row(i), dAlpha.row(i), 1)
		if !t.Full {
			vec.AddScaled(dSpread.row(i), dFactor.at(i, i), 1)
			continue
		}
		for j := range i + 1 {
			vec.AddScaled(dSpread.row(packed(i, j)), dFactor.at(i, j), 1)
		}
	}
}

// spreadBackward propagates the gradient of C = P S to P and S.
func (t *localTile) spreadBackward(dRoot, dFactor, root square, o int) {
	m := t.Inducing
	spread := t.spreadOf(t.Spread.Value, o)
	dSpread := t.spreadOf(t.Spread.Grad(), o)
	for i := range m {
		for j := range i + 1 {
			d := dFactor.at(i, j)
			if !t.Full {
				vec.AddMul(dRoot.at(i, j), d, spread.row(j))
				vec.AddMul(dSpread.row(j), d, root.at(i, j))
				continue
			}
			for c := j; c <= i; c++ {
				vec.AddMul(dRoot.at(i, c), d, spread.row(packed(c, j)))
				vec.AddMul(dSpread.row(packed(c, j)), d, root.at(i, c))
			}
		}
	}
}

// pullPairs adds the gradients of the differences of inducing points, given their weights, to the
// gradients of both points and, unless dl is nil, to dl, the gradient of the lengthscales.
func (t *localTile) pullPairs(weights lanes, scales, dl []float64) {
	z := t.of(t.Z.Value)
	dz := t.of(t.Z.Grad())
	for i := range t.Inducing {
		for j := range i {
			for d, c := range scales {
				k, l := i*t.Inputs+d, j*t.Inputs+d
				second := vec.Pull(weights.row(pair(i, j)), z.row(k), z.row(l), dz.row(k), dz.row(l), c*c)
				if dl != nil {
					dl[d] += c * c * c * second
				}
			}
		}
	}
}

// pullSample is like pullPairs, but for the differences between inducing points and sample s of the
// points.
func (t *localTile) pullSample(weights lanes, s int, scales, dl []float64) {
	z := t.of(t.Z.Value)
	dz := t.of(t.Z.Grad())
	dx := t.dIn
	for d, c := range scales {
		x := t.sampleOf(t.In.Value, d, s)
		if t.In.Wanted() {
			dx = t.sampleOf(t.In.Grad(), d, s)
		}
		for i := range t.Inducing {
			k := i*t.Inputs + d
			second := vec.Pull(weights.row(i), z.row(k), x, dz.row(k), dx[:len(x)], c*c)
			if dl != nil {
				dl[d] += c * c * c * second
			}
		}
	}
}

// sumOf returns the sum of v.
func sumOf(v []float64) (total float64) {
	for _, x := range v {
		total += x
	}
	return total
}
