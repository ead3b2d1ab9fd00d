package dgp

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/autodiff"
	"dgplab/models/linalg"
)

// graph propagates B points with R samples each through the layers of a posterior. It is recorded
// once and replayed for every minibatch. Points are columns: column r*B+b is sample r of point b.
// Layer 1 and everything that depends only on it have B columns, because the inputs are not
// sampled.
type graph struct {
	post *posterior
	tape *autodiff.Tape
	b, r int

	x   *autodiff.Node   // inputs, [1][D_0][B]
	eps []*autodiff.Node // standard normal draws of the hidden layers, [1][T_l][R B]
	// drawing sets the draws, beside the operations that do not depend on them.
	drawing linalg.Background
	// epsInducing holds the draws of all inducing outputs, one [R][M] block per GP. It is nil
	// unless the inducing outputs are sampled.
	epsInducing *autodiff.Node

	columns   []*kernelColumns  // none if the inducing outputs are sampled
	diagonals []*autodiff.Node  // k_nn, or one entry if it is the same for all points
	residual  []*autodiff.Node  // k_nn - |a_n|^2
	mean      []*autodiff.Node  // mu~, or the mean given the sampled inducing outputs
	forms     []map[pair]vector // a_n^T S_ij a'_n, vectors over points
	chol      []*entries
	f         []*autodiff.Node // samples of the hidden layers, [1][T_l][R B]
	// inducing holds the whitened inducing outputs of each sample, laid out like epsInducing. It is
	// nil if all samples share them.
	inducing *autodiff.Node

	// outMean and outVar are the moments of the last layer given the samples below, [1][T_L][P].
	outMean, outVar *autodiff.Node
}

// newGraph records the propagation of b points with r samples on tape t. If t is not the tape of
// the posterior, the posterior must be replayed before t.
func newGraph(t *autodiff.Tape, post *posterior, b, r int) *graph {
	arch := post.arch
	if len(arch.Layers) == 1 && !arch.SampleInducing {
		r = 1 // nothing is sampled
	}
	g := startGraph(t, post, b, r)
	t.Section(partSamples.section(allLayers))
	if arch.SampleInducing {
		g.epsInducing = t.Constant(1, r, post.outputs())
		g.sampleInducing()
	}
	g.propagate()
	return g
}

// newGraphPerSample is like newGraph, but each sample has its own inducing outputs, set by
// setInducing.
func newGraphPerSample(t *autodiff.Tape, post *posterior, b, r int) *graph {
	g := startGraph(t, post, b, r)
	g.inducing = t.Constant(1, r, post.outputs())
	g.propagate()
	return g
}

// startGraph creates the inputs and draws of a graph.
func startGraph(t *autodiff.Tape, post *posterior, b, r int) *graph {
	arch := post.arch
	g := &graph{post: post, tape: t, b: b, r: r}
	g.x = t.Constant(1, arch.Layers[0].Inputs, b)
	for _, layer := range arch.Layers[:len(arch.Layers)-1] {
		g.eps = append(g.eps, t.Constant(1, layer.GPs, r*b))
	}
	return g
}

// propagate records all layers.
func (g *graph) propagate() {
	input, layers := g.x, g.post.arch.Layers
	for l := range layers {
		g.tape.Section(partKernels.section(l))
		g.diagonals = append(g.diagonals, g.post.layers[l].kernel.RecordDiagonal(g.tape, input))
		switch {
		case g.inducing != nil:
			g.sampledLayer(l, input)
		case g.post.arch.GivenInducing:
			g.givenLayer(l, input)
		default:
			g.marginalLayer(l, input)
		}
		if l < len(layers)-1 {
			input = g.f[l]
		}
	}
}

// marginalLayer records layer l with marginalised inducing outputs (Theorem 1).
func (g *graph) marginalLayer(l int, input *autodiff.Node) {
	g.tape.Section(partMarginals.section(l))
	layerMoments := g.recordMoments(l, input)
	g.columns = append(g.columns, layerMoments.kernelColumns)
	g.mean = append(g.mean, layerMoments.mean)
	g.residual = append(g.residual, layerMoments.residual)
	forms := map[pair]vector{}
	for lower := 0; lower <= l; lower++ {
		if group := g.post.group(l, lower); group != nil {
			node := layerMoments.forms.out
			if lower < l {
				node = g.bilinears(group, g.columns[l], g.columns[lower])
			}
			for s, p := range group.pairs {
				forms[p] = vector{node, s}
			}
		}
	}
	g.forms = append(g.forms, forms)
	g.cholesky(l, layerMoments.residual)
	g.tape.Section(partSamples.section(l))
	if l < len(g.post.arch.Layers)-1 {
		g.f = append(g.f, g.combine(l, g.mean[l], func(int) bool { return true }))
		return
	}
	g.outMean = g.mean[l]
	if l > 0 {
		g.outMean = g.combine(l, g.mean[l], func(k int) bool { return g.post.layer[k] < l })
	}
	g.outVar = g.conditionalVariance(l)
}

// combine records mean_i + sum_k C_ik eps_k for the GPs i of layer l, over the columns k selected
// by use: [1][T_l][R B].
func (g *graph) combine(l int, mean *autodiff.Node, use func(k int) bool) *autodiff.Node {
	p := g.post
	type product struct {
		out int
		c   vector
		eps vector
	}
	var products []product
	inputs := []*autodiff.Node{mean}
	for t, i := range p.members(l) {
		for _, k := range p.fill[i] {
			if use(k) {
				c, _ := g.cholEntry(i, k)
				inputs = append(inputs, c.node)
				products = append(products, product{t, c, vector{g.eps[p.layer[k]], p.position(k)}})
			}
		}
	}
	out := g.tape.Output(1, mean.Rows, g.r*g.b, inputs...)
	return g.tape.Record(out, func() error {
		g.drawing.Wait()
		for t := 0; t < out.Rows; t++ {
			repeat(out.Row(t), mean.Row(t))
		}
		for _, pr := range products {
			addProduct(out.Row(pr.out), pr.c.value(), pr.eps.value())
		}
		return nil
	}, func() {
		d := vector{out, 0}
		for t := 0; t < out.Rows; t++ {
			d.row = t
			addRepeats(vector{mean, t}.grad(), d.grad())
		}
		for _, pr := range products {
			d.row = pr.out
			addProduct(pr.c.grad(), d.grad(), pr.eps.value())
		}
	})
}

// conditionalVariance records the diagonal of Sigma^^l, [1][T_l][P], which consists of the squared
// norms of the rows of its Cholesky factor.
func (g *graph) conditionalVariance(l int) *autodiff.Node {
	p := g.post
	rows := g.chol[l].node
	out := g.tape.Output(1, p.widths[l], rows.Cols, rows)
	within := func(visit func(t int, c vector)) {
		for t, i := range p.members(l) {
			for _, k := range p.fill[i] {
				if p.layer[k] == l {
					c, _ := g.cholEntry(i, k)
					visit(t, c)
				}
			}
		}
	}
	return g.tape.Record(out, func() error {
		clear(out.Value)
		within(func(t int, c vector) { addProduct(out.Row(t), c.value(), c.value()) })
		return nil
	}, func() {
		within(func(t int, c vector) {
			for range 2 { // d(c^2) = 2 c dc
				addProduct(c.grad(), vector{out, t}.grad(), c.value())
			}
		})
	})
}

// addMeanFunction adds the mean function of layer l at input to dst, [T_l][P].
func (g *graph) addMeanFunction(l int, dst blas64.General, input *autodiff.Node) {
	switch m := g.post.arch.Layers[l].Mean; {
	case m.Identity:
		for t := 0; t < dst.Rows; t++ {
			addTiled(dst.Data[t*dst.Stride:t*dst.Stride+dst.Cols], input.Row(t))
		}
	case m.W != nil:
		w := general(m.W, input.Rows, dst.Rows)
		for start := 0; start < dst.Cols; start += input.Cols {
			part := blas64.General{
				Rows:   dst.Rows,
				Cols:   input.Cols,
				Stride: dst.Stride,
				Data:   dst.Data[start:],
			}
			blas64.Gemm(blas.Trans, blas.NoTrans, 1, w, general(input.Value, input.Rows, input.Cols), 1, part)
		}
	}
}

// meanFunctionBackward propagates the gradient d through the mean function to the input of layer l.
// Only sampled inputs have a gradient; they have as many columns as d.
func (g *graph) meanFunctionBackward(l int, d blas64.General, input *autodiff.Node) {
	m := g.post.arch.Layers[l].Mean
	if !input.Wanted() || m.zero() {
		return
	}
	if m.Identity {
		addTo(input.Grad(), d.Data)
		return
	}
	w := general(m.W, input.Rows, d.Rows)
	blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, w, d, 1, general(input.Grad(), input.Rows, input.Cols))
}

// placeOf returns the name of GP i in errors and rescue counts.
func (g *graph) placeOf(i int) string { return g.post.nameOf("S~", i) }

// repeat fills dst with copies of src.
func repeat(dst, src []float64) {
	for start := 0; start < len(dst); start += len(src) {
		copy(dst[start:], src)
	}
}

// addTiled adds src to every section of dst of the length of src.
func addTiled(dst, src []float64) {
	for start := 0; start < len(dst); start += len(src) {
		addTo(dst[start:start+len(src)], src)
	}
}

// addRepeats adds to dst the sum of the sections of src of the length of dst.
func addRepeats(dst, src []float64) {
	for start := 0; start < len(src); start += len(dst) {
		addTo(dst, src[start:start+len(dst)])
	}
}
