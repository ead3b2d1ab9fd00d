package dgp

import (
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/autodiff"
	"dgplab/models/linalg"
	"dgplab/models/linalg/vec"
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
	// differentiated is called, unless it is nil, when the gradients of the kernel columns of all layers have
	// been computed.
	differentiated func()
	rescues        *rescues
	// shards is the number of graphs, this one included, among which the points of a minibatch are
	// divided.
	shards int
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

// announce calls differentiated.
func (g *graph) announce() {
	if g.differentiated != nil {
		g.differentiated()
	}
}

// rescues counts rescues on a tape. It may be used by parallel loops.
type rescues struct {
	sync.Mutex
	tape *autodiff.Tape
}

func (r *rescues) add(matrix string, count int) {
	r.Lock()
	defer r.Unlock()
	r.tape.CountRescues(matrix, count)
}

// newGraph records the propagation of b points with r samples on tape t. If t is not the tape of
// the posterior, the posterior must be replayed before t.
func newGraph(t *autodiff.Tape, post *posterior, b, r int) *graph {
	arch := post.arch
	g := startGraph(t, post, b, arch.draws(r))
	t.Section(partSamples.section(allLayers))
	if arch.SampleInducing {
		g.epsInducing = t.Constant(1, r, post.outputs())
		g.sampleInducing()
	}
	g.propagate()
	return g
}

// draws returns the number of samples of each point, of which r are wanted.
func (a *Architecture) draws(r int) int {
	if len(a.Layers) == 1 && !a.SampleInducing {
		return 1 // nothing is sampled
	}
	return r
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
	g := &graph{post: post, tape: t, b: b, r: r, rescues: &rescues{tape: t}, shards: 1}
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
	forward := g.newPointwise(out.Cols, mean.Cols, func(start, end int) error {
		for t := range out.Rows {
			copy(vector{out, t}.values(start, end), vector{mean, t}.values(start, end))
		}
		for _, pr := range products {
			vec.AddMul(vector{out, pr.out}.values(start, end),
				pr.c.values(start, end), pr.eps.values(start, end))
		}
		return nil
	})
	backward := g.newPointwise(out.Cols, mean.Cols, func(start, end int) error {
		for t := range out.Rows {
			addTo(vector{mean, t}.grads(start, end), vector{out, t}.grads(start, end))
		}
		for _, pr := range products {
			vec.AddMul(pr.c.grads(start, end),
				vector{out, pr.out}.grads(start, end), pr.eps.values(start, end))
		}
		return nil
	})
	return g.tape.Record(out, func() error {
		g.drawing.Wait()
		return forward.run()
	}, func() {
		claim(inputs)
		backward.run()
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
	forward := g.newPointwise(out.Cols, out.Cols, func(start, end int) error {
		for t := range out.Rows {
			clear(vector{out, t}.values(start, end))
		}
		within(func(t int, c vector) {
			vec.AddMul(vector{out, t}.values(start, end), c.values(start, end), c.values(start, end))
		})
		return nil
	})
	backward := g.newPointwise(out.Cols, out.Cols, func(start, end int) error {
		within(func(t int, c vector) {
			for range 2 { // d(c^2) = 2 c dc
				vec.AddMul(c.grads(start, end), vector{out, t}.grads(start, end), c.values(start, end))
			}
		})
		return nil
	})
	return g.tape.Record(out, forward.run, func() {
		claim([]*autodiff.Node{rows, out})
		backward.run()
	})
}

// addMeanFunction adds the mean function of layer l at the points input, [D_l][n], to dst, [T_l][n].
func (g *graph) addMeanFunction(l int, dst, input blas64.General) {
	m := g.post.arch.Layers[l].Mean
	switch {
	case m.Identity:
		addRows(dst, input)
	case m.W != nil:
		w := general(m.W, input.Rows, dst.Rows)
		blas64.Gemm(blas.Trans, blas.NoTrans, 1, w, input, 1, dst)
	}
}

// meanFunctionBackward propagates the gradient d, [T_l][n], through the mean function of layer l to the
// gradient of its input, [D_l][n].
func (g *graph) meanFunctionBackward(l int, d, dInput blas64.General) {
	m := g.post.arch.Layers[l].Mean
	switch {
	case m.Identity:
		addRows(dInput, d)
	case m.W != nil:
		w := general(m.W, dInput.Rows, d.Rows)
		blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, w, d, 1, dInput)
	}
}

// addRows adds src to dst, which has the same shape.
func addRows(dst, src blas64.General) {
	for t := range dst.Rows {
		addTo(dst.Data[t*dst.Stride:t*dst.Stride+dst.Cols], src.Data[t*src.Stride:t*src.Stride+src.Cols])
	}
}

// matrixOf returns the name of GP i in errors and rescue counts.
func (g *graph) matrixOf(i int) string { return g.post.nameOf("S~", i) }

// repeat fills dst with copies of src.
func repeat(dst, src []float64) {
	for start := 0; start < len(dst); start += len(src) {
		copy(dst[start:], src)
	}
}

// addRepeats adds to dst the sum of the sections of src of the length of dst.
func addRepeats(dst, src []float64) {
	for start := 0; start < len(src); start += len(dst) {
		addTo(dst, src[start:start+len(dst)])
	}
}
