package dgp

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/autodiff"
	"dgplab/models/linalg"
	"dgplab/models/linalg/vec"
)

// moments computes the moments of a layer from its own inducing outputs: the mean mu~ = m(f) + mu^T
// a, the residual prior variance, and the forms of the pairs within the layer, unless the inducing
// outputs are given. All three read the same kernel columns and write to the same gradient, so they
// are one tape operation that runs in tiles.
type moments struct {
	g              *graph
	l              int
	input, a, mu   *autodiff.Node
	mean, residual *autodiff.Node // [1][T_l][P], [1][1][P]
	residualVar    *residualVariance
	forms          *bilinear // nil if there are no forms
	linalg.Tiling
	sums             []float64 // gradients of mu, one sum per chain, [chains][T_l][M]
	dMean            []float64 // gradient of mean during backward
	da               []float64 // gradient of a, or nil if not needed
	beta             float64   // 0 if the mean overwrites da
	forward, reverse linalg.Loop
}

// recordMoments records the mean, the residual variance and the forms of layer l.
func (g *graph) recordMoments(l int, input *autodiff.Node) *moments {
	a, mu := g.a[l], g.post.layers[l].mu
	m := &moments{g: g, l: l, input: input, a: a, mu: mu, Tiling: linalg.NewTiling(a.Cols)}
	m.residualVar = g.newResidualVariance(l, a)
	m.residual = m.residualVar.out
	m.forward.Body, m.reverse.Body = m.evaluate, m.differentiate
	m.mean = g.tape.Output(1, mu.Rows, a.Cols, mu, a, input)
	outs := []*autodiff.Node{m.mean, m.residual}
	if !g.post.arch.GivenInducing {
		m.forms = g.newBilinear(g.post.group(l, l), a, a)
		outs = append(outs, m.forms.out)
	}
	g.tape.RecordAll(outs, func() error {
		m.forward.Run(m.Chains)
		g.addMeanFunction(l, general(m.mean.Value, mu.Rows, a.Cols), input)
		return nil
	}, m.backward)
	return m
}

// evaluate computes the tiles of a chain.
func (m *moments) evaluate(chain int) {
	rows, width := m.a.Rows, m.mu.Rows
	m.Each(chain, func(start, end int) {
		blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, general(m.mu.Value, width, rows),
			columnsOf(m.a.Value, rows, m.Points, start, end),
			0, columnsOf(m.mean.Value, width, m.Points, start, end))
		m.residualVar.evaluate(start, end)
		if m.forms != nil {
			m.forms.multiply(start, end)
		}
	})
}

func (m *moments) backward() {
	if m.sums == nil {
		m.sums = make([]float64, m.Chains*m.mu.Len())
	}
	m.prepare()
	m.reverse.Run(m.Chains)
	if m.forms != nil {
		m.forms.gather.Run(len(m.forms.group.pairs))
	}
	addTo(m.mu.Grad(), linalg.SumChains(m.sums, m.mu.Len()))
	m.g.meanFunctionBackward(m.l, general(m.dMean, m.mean.Rows, m.mean.Cols), m.input)
}

// prepare fetches the gradients that the tiles read and write.
func (m *moments) prepare() {
	m.da, m.beta = nil, 1
	switch {
	case m.forms != nil:
		m.forms.prepare()
		m.da = m.forms.du
	case m.a.Wanted():
		m.da, m.beta = m.a.GradBeta()
	}
	m.residualVar.prepare()
	m.dMean = m.mean.Grad()
}

// differentiate propagates the gradients of the tiles of a chain. The forms come first because they
// may overwrite gradients that the others add to.
func (m *moments) differentiate(chain int) {
	rows, width := m.a.Rows, m.mu.Rows
	muv := general(m.mu.Value, width, rows)
	sum := general(m.sums[chain*m.mu.Len():], width, rows)
	m.Each(chain, func(start, end int) {
		if m.forms != nil {
			m.forms.differentiate(chain, start, end)
		}
		d, beta := columnsOf(m.dMean, width, m.Points, start, end), 1.0
		if m.First(chain, start) {
			beta = 0
		}
		blas64.Gemm(blas.NoTrans, blas.Trans, 1, d,
			columnsOf(m.a.Value, rows, m.Points, start, end), beta, sum)
		if m.da != nil {
			blas64.Gemm(blas.Trans, blas.NoTrans, 1, muv, d, m.beta,
				columnsOf(m.da, rows, m.Points, start, end))
			m.residualVar.differentiate(m.da, 1, start, end)
		}
	})
}

// residualVariance is the residual prior variance of a layer given its inducing outputs, k(x, x) -
// |a_n|^2, [1][1][P].
type residualVariance struct {
	a, out *autodiff.Node
	prior  *autodiff.Node // k(x, x), [1][1][P], or [1][1][1] if it is the same for all points
	double []float64      // minus twice the gradient of out
}

func (g *graph) newResidualVariance(l int, a *autodiff.Node) *residualVariance {
	prior := g.diagonals[l]
	return &residualVariance{
		a:      a,
		prior:  prior,
		out:    g.tape.Output(1, 1, a.Cols, a, prior),
		double: make([]float64, a.Cols),
	}
}

// evaluate computes the points [start, end).
func (r *residualVariance) evaluate(start, end int) {
	row := r.out.Value[start:end]
	columnSquares(row, r.a.Value[start:], r.a.Cols, r.a.Rows)
	if r.prior.Len() > 1 {
		for n, variance := range r.prior.Value[start:end] {
			row[n] = variance - row[n]
		}
		return
	}
	variance := r.prior.Value[0]
	for n, v := range row {
		row[n] = variance - v
	}
}

// prepare propagates the gradient to the prior variance.
func (r *residualVariance) prepare() {
	if !r.out.Wanted() {
		return
	}
	var sum float64
	for n, v := range r.out.Grad() {
		sum += v
		r.double[n] = -2 * v
	}
	switch {
	case !r.prior.Wanted():
	case r.prior.Len() > 1:
		addTo(r.prior.Grad(), r.out.Grad())
	default:
		r.prior.Grad()[0] += sum
	}
}

// differentiate adds the gradient of the points [start, end) with respect to the kernel columns to da, or
// overwrites da if beta is 0.
func (r *residualVariance) differentiate(da []float64, beta float64, start, end int) {
	set := vec.AddMul
	if beta == 0 {
		set = vec.Mul
	}
	for at := start; at < r.a.Len(); at += r.a.Cols {
		set(da[at:at+end-start], r.a.Value[at:at+end-start], r.double[start:end])
	}
}

// recordResidual records the residual variance of layer l as a separate operation.
func (g *graph) recordResidual(l int, a *autodiff.Node) *autodiff.Node {
	r := g.newResidualVariance(l, a)
	var da []float64
	var beta float64
	forward := inTiles(a.Cols, r.evaluate)
	backward := inTiles(a.Cols, func(start, end int) { r.differentiate(da, beta, start, end) })
	return g.tape.Record(r.out, func() error {
		forward()
		return nil
	}, func() {
		r.prepare()
		da, beta = a.GradBeta()
		backward()
	})
}
