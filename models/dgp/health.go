package dgp

import (
	"maps"
	"math"
	"slices"

	"dgplab/models/linalg"
	"dgplab/models/number"
	"dgplab/models/view"
)

const (
	// healthSeed is that of the draws behind the covariances of points: always the
	// same, so that reports differ by the parameters alone.
	healthSeed = 0
	// leastRescue is well below the first rung of the jitter ladder, 1e-6 of the
	// mean diagonal, and well above rounding: what a factor has more than its matrix
	// is jitter when it exceeds this share.
	leastRescue = 1e-8
)

// Views implements family.Viewer. The matrices are K_MM of every layer; S_M of
// every GP, whitened; S~ of every GP, at points spread over the training inputs;
// and, where the posterior couples GPs, the whole S_M, whitened.
func (m *Model) Views(seed uint64) (view.Views, error) {
	return m.views(seed, func() *view.Blocks { return m.post.covariance(view.MaxCells) }, m.matrices)
}

// matrices measures the present state; the posterior must be fresh.
func (m *Model) matrices() (*view.Matrices, error) {
	g, err := m.probed(healthSeed)
	if err != nil {
		return nil, err
	}
	p := m.post
	h := checkup{post: p, rescues: m.problem.tape.RescuesByPlace(), report: &view.Matrices{}}
	for l := range p.layers {
		h.prior(l)
		for _, i := range p.members(l) {
			h.posterior(i)
		}
		if m.arch.SampleInducing {
			h.sampledResidual(g, l)
			continue
		}
		for _, i := range p.members(l) {
			h.marginal(g, i)
		}
	}
	h.joint()
	h.elsewhere()
	h.report.KLByLayer = p.klByLayer()
	h.report.Effective = p.effective(m.contracted)
	m.times.report(h.report, len(p.layers))
	return h.report, nil
}

// checkup collects a report.
type checkup struct {
	post    *posterior
	rescues map[string]int // by place; what has an entry is taken out
	report  *view.Matrices
}

// add enters a matrix with the rescues that training has counted there.
func (h *checkup) add(e view.Matrix) {
	e.Rescues = h.rescues[e.Name]
	delete(h.rescues, e.Name)
	h.report.Matrices = append(h.report.Matrices, e)
}

// prior enters K_MM of layer l.
func (h *checkup) prior(l int) {
	nodes, size := h.post.layers[l], h.post.inducing[l]
	root, variance, jitter := nodes.root.Value, nodes.variance.Value[0], h.post.arch.Jitter
	// The diagonal of L_K L_K^T is that of the kernel, its variance, and all jitter.
	if beyond := sumSquares(root)/float64(size) - variance - jitter; beyond > leastRescue*variance {
		jitter += beyond
	}
	h.add(view.Matrix{
		Name: kuuPlace(l), Kind: view.PriorMatrix, Layer: l, GP: -1, Jitter: number.Float(jitter),
		Condition: conditionOf(root, size), SmallestPivot: number.Float(linalg.SmallestPivot(root, size)),
	})
}

// posterior enters the whitened covariance of the inducing outputs of GP i given
// those of the GPs before it, which is that of the GP alone where none is coupled.
func (h *checkup) posterior(i int) {
	p, size := h.post, h.post.points(i)
	l := p.factorOf(i, i).Data
	h.add(view.Matrix{
		Name: p.nameOf("S_M", i), Kind: view.PosteriorMatrix, Layer: p.layer[i], GP: p.position(i),
		Condition: conditionOf(l, size), SmallestPivot: number.Float(linalg.SmallestPivot(l, size)),
	})
}

// joint enters the whole whitened S_M, unless no GPs are coupled.
func (h *checkup) joint() {
	p := h.post
	if p.NumBlocks() == p.NumGPs() {
		return
	}
	e := view.Matrix{
		Name:          "S_M",
		Kind:          view.PosteriorMatrix,
		Layer:         -1,
		GP:            -1,
		SmallestPivot: number.Float(math.Inf(1)),
	}
	for i := range p.rows {
		e.SmallestPivot = min(e.SmallestPivot,
			number.Float(linalg.SmallestPivot(p.factorOf(i, i).Data, p.points(i))))
	}
	dim := p.outputs()
	e.Condition = number.Float(linalg.Norm1(dim, p.timesCovariance) * linalg.Norm1(dim, p.solveCovariance))
	h.add(e)
}

// elsewhere enters the places of rescues that are no matrices.
func (h *checkup) elsewhere() {
	nan := number.Float(math.NaN())
	for _, place := range slices.Sorted(maps.Keys(h.rescues)) {
		h.add(view.Matrix{Name: place, Layer: -1, GP: -1, Condition: nan, SmallestPivot: nan, Jitter: nan})
	}
}

// conditionOf estimates that of the matrix with factor l, [n][n].
func conditionOf(l []float64, n int) number.Float {
	return number.Float(linalg.CholeskyCondition(l, n))
}

// klByLayer splits the divergence from the prior by the chain rule over layers.
func (p *posterior) klByLayer() []number.Float {
	kl := make([]number.Float, len(p.layers))
	for i, l := range p.layer {
		kl[l] += number.Float(p.klOf(i))
	}
	return kl
}

// effective returns the mean of M - tr(S_ii), whitened, over the GPs of each
// layer; see view.Matrices. It is not known of hidden layers that start contracted: that
// they are narrower than the prior is nothing that the data have said.
func (p *posterior) effective(contracted bool) []number.Float {
	out := make([]number.Float, len(p.layers))
	for l := range out[:len(out)-1] {
		if contracted {
			out[l] = number.Float(math.NaN())
		}
	}
	for i, row := range p.rows {
		well := float64(p.points(i))
		for _, j := range row {
			well -= sumSquares(p.factorOf(i, j).Data)
		}
		out[p.layer[i]] += number.Float(well / float64(p.widths[p.layer[i]]))
	}
	return out
}
