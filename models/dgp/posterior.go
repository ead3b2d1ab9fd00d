package dgp

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/autodiff"
	"dgplab/models/kernel"
	"dgplab/models/likelihood"
)

// posterior holds the parameters and all values that depend only on them: the Cholesky factors of
// K_MM and the used blocks of S_M.
type posterior struct {
	arch *Architecture
	*structure
	tape   *autodiff.Tape
	layers []layerNodes
	// qSqrt is the parameter of L_S, stored as the matrices of structure.factors. factor is its
	// whitened form. Both are nil if the inducing outputs are given.
	qSqrt, factor *autodiff.Node
	// pairs holds the used blocks of S_M, stored as structure.covariances.
	pairs    *autodiff.Node
	operands *operands
	// observation holds the parameters of the likelihood, [1][1][Q], or is nil if it has none.
	observation *autodiff.Node
	work        workspace
}

// layerNodes holds the leaves of one layer and the nodes computed from them.
type layerNodes struct {
	z      *autodiff.Node // [1][M][D]
	kernel *kernel.Covariance
	qMu    *autodiff.Node // [1][T_l][M], a leaf
	root   *autodiff.Node // lower Cholesky factor of K_MM, [1][M][M]
	mu     *autodiff.Node // whitened qMu
}

func newPosterior(t *autodiff.Tape, arch *Architecture) *posterior {
	p := &posterior{
		arch:      arch,
		structure: newStructure(arch.Pattern, arch.inducing(), arch.FullCov),
		tape:      t,
	}
	var kuus []*autodiff.Node
	var matrices []string
	for l, layer := range arch.Layers {
		n := layerNodes{
			z:      t.Variable(1, layer.M, layer.Inputs),
			kernel: kernel.NewCovariance(t, layer.Kernel, 1, true),
			qMu:    t.Variable(1, layer.GPs, layer.M),
		}
		t.Section(partKernels.section(l))
		kuus = append(kuus, n.kernel.RecordKuu(t, n.z, arch.Jitter))
		matrices = append(matrices, kuuName(l))
		p.layers = append(p.layers, n)
	}
	t.Section(partFactors.section(allLayers))
	for l, root := range t.Choleskys(kuus, matrices) {
		n := &p.layers[l]
		n.root, n.mu = root, n.qMu
		if arch.Unwhitened {
			n.mu = p.whitenMean(root, n.qMu)
		}
	}
	p.observation = likelihood.NewParameters(t, arch.Likelihood)
	if arch.GivenInducing {
		p.operands = newOperands(p)
		return p
	}
	p.qSqrt = t.Variable(1, 1, p.factors.size())
	p.factor = p.qSqrt
	t.Section(partBlocks.section(allLayers))
	if arch.Unwhitened {
		p.factor = p.whitenFactor()
	}
	if !arch.SampleInducing {
		var targets []pair
		for _, g := range p.groups {
			targets = append(targets, g.pairs...)
		}
		p.pairs = p.recordBlocks(targets)
	}
	p.operands = newOperands(p)
	return p
}

// on returns a copy of the posterior for graphs on tape t. It has the nodes returned by replace.
func (p *posterior) on(t *autodiff.Tape, replace func(*autodiff.Node) *autodiff.Node) *posterior {
	out := *p
	out.tape = t
	out.layers = slices.Clone(p.layers)
	for l, n := range p.layers {
		out.layers[l] = layerNodes{
			z: replace(n.z), kernel: n.kernel.With(replace), qMu: n.qMu,
			root: replace(n.root), mu: replace(n.mu),
		}
	}
	if p.pairs != nil {
		out.pairs = replace(p.pairs)
	}
	if p.observation != nil {
		out.observation = replace(p.observation)
	}
	return &out
}

// pairGradients returns the gradients of the blocks of S_M of a group, [pairs][M_i][M_j], for an operation
// that overwrites them. Nothing clears them: every graph has exactly one such operation for each group.
func (p *posterior) pairGradients(group *pairGroup) []float64 {
	grad, _ := p.pairs.GradBeta()
	return p.groupBlocks(group, grad)
}

// kuuName returns the name of K_MM of layer l in errors and rescue counts.
func kuuName(l int) string { return fmt.Sprintf("K_MM of layer %d", l+1) }

// nameOf returns the name of a matrix of GP i.
func (p *posterior) nameOf(matrix string, i int) string {
	return fmt.Sprintf("%s of layer %d, GP %d", matrix, p.layer[i]+1, p.position(i)+1)
}

// factorOf returns a view of block (i, j) of L_S, whitened, [M_i][M_j].
func (p *posterior) factorOf(i, j int) blas64.General { return p.factorSpan(i, j).view(p.factor.Value) }

// whitenMean records mu L_K^-T: L_K^-1 times the mean of each GP.
func (p *posterior) whitenMean(root, qMu *autodiff.Node) *autodiff.Node {
	m, rows := qMu.Cols, qMu.Rows
	out := p.tape.Output(1, rows, m, qMu, root)
	p.work.reserve(rows * m)
	return p.tape.Record(out, func() error {
		copy(out.Value, qMu.Value)
		blas64.Trsm(blas.Right, blas.Trans, 1, lower(root.Value, m), general(out.Value, rows, m))
		return nil
	}, func() {
		g := general(p.work.buffer(0, rows*m), rows, m)
		copy(g.Data, out.Grad())
		blas64.Trsm(blas.Right, blas.NoTrans, 1, lower(root.Value, m), g)
		addTo(qMu.Grad(), g.Data)
		blas64.Gemm(blas.Trans, blas.NoTrans, -1, g, general(out.Value, rows, m), 1, square(root.Grad(), m))
	})
}

// whitenFactor records L_K^-1 times every block of L_S, with the L_K of its row.
func (p *posterior) whitenFactor() *autodiff.Node {
	inputs := []*autodiff.Node{p.qSqrt}
	var roots []*autodiff.Node // the root of each block
	for i, row := range p.rows {
		root := p.layers[p.layer[i]].root
		inputs = append(inputs, root)
		for range row {
			roots = append(roots, root)
		}
	}
	out := p.tape.Output(1, 1, p.factors.size(), inputs...)
	p.work.reserve(p.factors.largest())
	return p.tape.Record(out, func() error {
		copy(out.Value, p.qSqrt.Value)
		for b, root := range roots {
			blas64.Trsm(blas.Left, blas.NoTrans, 1, lower(root.Value, root.Rows),
				p.factors[b].view(out.Value))
		}
		return nil
	}, func() {
		grad := out.Grad()
		raw := p.qSqrt.Grad()
		for b, root := range roots {
			at, m := p.factors[b], root.Rows
			g := general(p.work.buffer(0, at.rows*at.cols), at.rows, at.cols)
			copy(g.Data, at.view(grad).Data)
			blas64.Trsm(blas.Left, blas.Trans, 1, lower(root.Value, m), g)
			addTo(at.view(raw).Data, g.Data)
			blas64.Gemm(blas.NoTrans, blas.Trans, -1, g, at.view(out.Value), 1, square(root.Grad(), m))
		}
	})
}
