package dgp

import (
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/autodiff"
	"dgplab/models/kernel"
	"dgplab/models/linalg"
)

// moments computes the kernel columns of a layer, whitens them, a = L_K^-1 k_M(x), and computes from them and
// the layer's own inducing outputs its moments: the mean mu~ = m(f) + mu^T a, the residual prior variance,
// and the forms of the pairs within the layer, unless the inducing outputs are given. All of this is one tape
// operation: it processes a tile of points completely while the tile is in the second-level cache.
type moments struct {
	g              *graph
	l              int
	input, mu      *autodiff.Node
	root           *autodiff.Node // L_K
	kernel         *kernel.Tiles
	mean, residual *autodiff.Node // [1][T_l][P], [1][1][P]
	*kernelColumns
	*layerOperands
	residualVar      *residualVariance
	forms            *quadratics // nil if there are no forms
	chains           []momentsChain
	dMean, dInput    []float64   // gradients of mean and of the input, if wanted, during backward
	dRoot            []float64   // gradient of L_K during backward, if wanted
	others           bool        // other operations have added to the gradient of a
	forward, reverse linalg.Loop // over chains
	gatherRoot       linalg.Loop // over bands of L_K
}

// momentsChain is the memory of one chain.
type momentsChain struct {
	columns   linalg.Transposed // kernel columns of a tile
	da, dMean linalg.Strips     // gradients of a tile of the kernel columns and of the mean
	dMu       []float64         // sum over tiles, [T_l][M]
	dRoot     []float64         // minus the gradient of L_K, a sum over tiles, [M][M]
}

// recordMoments records the kernel columns, the mean, the residual variance and the forms of layer l.
func (g *graph) recordMoments(l int, input *autodiff.Node) *moments {
	nodes := g.post.layers[l]
	m := &moments{g: g, l: l, input: input, mu: nodes.mu, root: nodes.root}
	m.layerOperands = &g.post.operands.layers[l]
	tiling := g.tiling(l, input.Cols)
	m.kernel = nodes.kernel.NewTiles(g.tape, nodes.z, input, tiling)
	inputs := append(m.kernel.Inputs(), m.root)
	m.kernelColumns = g.newKernelColumns(l, tiling, inputs)
	m.chains = make([]momentsChain, m.Chains)
	m.residualVar = g.newResidualVariance(l, inputs, m.Points)
	m.residual = m.residualVar.out
	m.forward.Body, m.reverse.Body, m.gatherRoot.Body = m.evaluate, m.differentiate, m.gatherRootBand
	inputs = append(inputs, m.mu, input)
	m.mean = g.tape.Output(1, m.mu.Rows, m.Points, inputs...)
	outs := []*autodiff.Node{m.mean, m.residual, m.gradNode}
	if !g.post.arch.GivenInducing {
		m.forms = g.newQuadratics(g.post.group(l, l), m)
		outs = append(outs, m.forms.out)
	}
	g.tape.RecordAll(outs, func() error {
		g.post.operands.prepare()
		m.forward.Run(m.Chains)
		return nil
	}, m.backward)
	return m
}

// evaluate computes the tiles of a chain.
func (m *moments) evaluate(chain int) {
	m.Each(chain, func(start, end int) {
		columns := &m.tiles[m.Index(start)]
		m.solver.Solve(columns, m.kernel.Evaluate(chain, start, end))
		m.means.MultiplyRows(m.mean.Value[start:], m.Points, columns)
		m.g.addMeanFunction(m.l, tileOf(m.mean.Value, m.mean, start, end),
			tileOf(m.input.Value, m.input, start, end))
		squares := m.residual.Value[start:end]
		columns.Dots(squares, columns, 0)
		m.residualVar.fromSquares(start, end)
		if m.forms != nil {
			m.forms.evaluate(m.tiles, start)
		}
	})
}

func (m *moments) backward() {
	m.prepare()
	m.reverse.Run(m.Chains)
	if m.forms != nil {
		m.forms.gather.Run(len(m.forms.group.pairs))
	}
	if m.kernel.Wanted() {
		m.kernel.Collect()
	}
	dMu := m.mu.Grad()
	for chain := range m.chains {
		addTo(dMu, m.chains[chain].dMu)
	}
	if m.root.Wanted() {
		m.dRoot = m.root.Grad()
		m.gatherRoot.Run(bandCount(m.root.Rows))
	}
	if m.l == 0 {
		m.g.announce()
	}
}

// tileOf views the columns [start, end) of the values or the gradient of a node.
func tileOf(data []float64, n *autodiff.Node, start, end int) blas64.General {
	return blas64.General{Rows: n.Rows, Cols: end - start, Stride: n.Cols, Data: data[start:]}
}

// gatherRootBand adds up the gradients of a band of the lower triangle of L_K.
func (m *moments) gatherRootBand(number int) {
	n := m.root.Rows
	height := bandRows(n)
	for i := number * height; i < min((number+1)*height, n); i++ {
		row := m.dRoot[i*n : i*n+i+1]
		for chain := range m.chains {
			addScaled(row, m.chains[chain].dRoot[i*n:i*n+i+1], -1)
		}
	}
}

// prepare fetches the gradients that the tiles read and write.
func (m *moments) prepare() {
	if m.kernel.Wanted() {
		m.kernel.Prepare()
	}
	m.g.post.operands.transpose()
	if m.forms != nil {
		m.forms.prepareBackward()
	}
	m.residualVar.prepare()
	m.dMean = m.mean.Grad()
	if m.input.Wanted() {
		m.dInput = m.input.Grad()
	}
	m.others = false
	if m.gradNode.Wanted() {
		_, beta := m.gradNode.GradBeta()
		m.others = beta != 0
	}
	for chain := range m.chains {
		sums := &m.chains[chain]
		if sums.dMu == nil {
			sums.dMu = make([]float64, m.mu.Len())
			sums.dRoot = make([]float64, m.root.Len())
		}
	}
}

// differentiate propagates the gradients of the tiles of a chain.
func (m *moments) differentiate(chain int) {
	memory := &m.chains[chain]
	m.Each(chain, func(start, end int) {
		columns := &m.tiles[m.Index(start)]
		beta := 1.0
		if m.First(chain, start) {
			beta = 0
		}
		memory.columns.Set(columns)
		if m.forms != nil {
			m.forms.addGradient(chain, &memory.columns, start, beta)
		}
		memory.dMean.Resize(m.mu.Rows, end-start)
		memory.dMean.Pack(m.dMean[start:], m.Points)
		memory.columns.Product(&memory.dMean, beta, memory.dMu)
		if m.gradNode.Wanted() {
			m.pull(chain, columns, start, end, beta)
		}
		if m.dInput != nil {
			m.g.meanFunctionBackward(m.l, tileOf(m.dMean, m.mean, start, end),
				tileOf(m.dInput, m.input, start, end))
		}
	})
}

// pull computes the gradient of the whitened kernel columns of a tile, da, and from it the gradients of the
// kernel columns, W = L_K^-T da, and of L_K, the lower triangle of -W a^T.
func (m *moments) pull(chain int, columns *linalg.Strips, start, end int, beta float64) {
	memory := &m.chains[chain]
	da := &memory.da
	m.meansTrans.Multiply(da, &memory.dMean)
	da.AddScaled(columns, 1, m.residualVar.double[start:], m.Points)
	if m.forms != nil {
		m.forms.pull(da, start, end)
	}
	if m.others {
		da.Add(&m.grads[m.Index(start)])
	}
	m.reversed.Solve(da, da)
	if m.root.Wanted() {
		memory.columns.LowerProduct(da, beta, memory.dRoot)
	}
	if m.kernel.Wanted() {
		m.kernel.Differentiate(chain, da, start, end)
	}
}

// residualVariance is the residual prior variance of a layer given its inducing outputs, k(x, x) -
// |a_n|^2, [1][1][P].
type residualVariance struct {
	out    *autodiff.Node
	prior  *autodiff.Node // k(x, x), [1][1][P], or [1][1][1] if it is the same for all points
	double []float64      // minus twice the gradient of out
}

// newResidualVariance returns the residual variance of layer l at some points. Its kernel columns depend on
// the inputs.
func (g *graph) newResidualVariance(l int, inputs []*autodiff.Node, points int) *residualVariance {
	prior := g.diagonals[l]
	return &residualVariance{
		prior:  prior,
		out:    g.tape.Output(1, 1, points, append(inputs, prior)...),
		double: make([]float64, points),
	}
}

// fromSquares computes the points [start, end), for which out holds |a_n|^2.
func (r *residualVariance) fromSquares(start, end int) {
	row := r.out.Value[start:end]
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
