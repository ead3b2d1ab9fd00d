package dgp

import (
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/linalg"
	"dgplab/models/view"
)

const (
	// healthSeed is the seed of the draws from which the covariances of points are computed. It is
	// fixed, so reports depend only on the parameters.
	healthSeed = 0
	// minExcess is the smallest relative excess of L L^T over its matrix that counts as jitter. It
	// is well below the first rung of the jitter ladder, 1e-6 of the mean diagonal, and well above
	// rounding errors.
	minExcess = 1e-8
)

// Views implements family.Viewer. The matrices are K_MM of every layer; S_M of every GP, whitened;
// S~ of every GP, at points spread over the training inputs; and, if the posterior couples GPs, the
// whole S_M, whitened.
func (m *Model) Views(seed uint64) (view.Views, error) {
	return m.views(seed, func() *view.Blocks { return m.post.covariance(view.MaxCells) }, m.matrices)
}

// matrices returns the conditioning of the current matrices. The posterior must be up to date.
func (m *Model) matrices() (*view.Matrices, error) {
	g, err := m.probeGraph(healthSeed)
	if err != nil {
		return nil, err
	}
	p := m.post
	h := matrixReport{post: p, rescues: m.problem.tape.RescuesByMatrix(), report: &view.Matrices{}}
	for l := range p.layers {
		h.addPrior(l)
		for _, i := range p.members(l) {
			h.addPosterior(i)
		}
		if m.arch.SampleInducing {
			h.addResidual(g, l)
			continue
		}
		for _, i := range p.members(l) {
			h.addMarginal(g, i)
		}
	}
	h.addJoint()
	h.addRescues()
	h.report.KLByLayer = p.klByLayer()
	h.report.Effective = p.effective(m.contracted)
	m.times.report(h.report, len(p.layers))
	return h.report, nil
}

// matrixReport collects the entries of a report.
type matrixReport struct {
	post    *posterior
	rescues map[string]int // by matrix; entries are removed once reported
	report  *view.Matrices
}

// add appends a matrix with its number of rescues in training.
func (h *matrixReport) add(e view.Matrix) {
	e.Rescues = h.rescues[e.Name]
	delete(h.rescues, e.Name)
	h.report.Matrices = append(h.report.Matrices, e)
}

// addPrior adds K_MM of layer l.
func (h *matrixReport) addPrior(l int) {
	nodes, size := h.post.layers[l], h.post.inducing[l]
	inputs := mat.DenseCopyOf(mat.NewDense(nodes.z.Rows, nodes.z.Cols, nodes.z.Value).T()).RawMatrix().Data
	root, jitter := nodes.root.Value, h.post.arch.Jitter
	variance := nodes.kernel.Scale(0, inputs)
	// The diagonal of L_K L_K^T is the kernel variance plus all jitter.
	if beyond := sumSquares(root)/float64(size) - variance - jitter; beyond > minExcess*variance {
		jitter += beyond
	}
	h.add(view.Matrix{
		Name: kuuName(l), Kind: view.PriorMatrix, Layer: l, GP: -1, Jitter: view.Float(jitter),
		Condition: conditionOf(root, size), SmallestPivot: view.Float(linalg.SmallestPivot(root, size)),
	})
}

// addPosterior adds the whitened covariance of the inducing outputs of GP i, conditional on the GPs
// before it. If no GPs are coupled, this is simply the covariance of GP i.
func (h *matrixReport) addPosterior(i int) {
	p, size := h.post, h.post.points(i)
	l := p.factorOf(i, i).Data
	h.add(view.Matrix{
		Name: p.nameOf("S_M", i), Kind: view.PosteriorMatrix, Layer: p.layer[i], GP: p.position(i),
		Condition: conditionOf(l, size), SmallestPivot: view.Float(linalg.SmallestPivot(l, size)),
	})
}

// addJoint adds the whole whitened S_M if any GPs are coupled.
func (h *matrixReport) addJoint() {
	p := h.post
	if p.NumBlocks() == p.NumGPs() {
		return
	}
	e := view.Matrix{
		Name:          "S_M",
		Kind:          view.PosteriorMatrix,
		Layer:         -1,
		GP:            -1,
		SmallestPivot: view.Float(math.Inf(1)),
	}
	for i := range p.rows {
		e.SmallestPivot = min(e.SmallestPivot,
			view.Float(linalg.SmallestPivot(p.factorOf(i, i).Data, p.points(i))))
	}
	dim := p.outputs()
	e.Condition = view.Float(linalg.Norm1(dim, p.timesCovariance) * linalg.Norm1(dim, p.solveCovariance))
	h.add(e)
}

// addRescues adds the rescues that belong to none of the matrices.
func (h *matrixReport) addRescues() {
	nan := view.Float(math.NaN())
	for _, matrix := range slices.Sorted(maps.Keys(h.rescues)) {
		h.add(view.Matrix{Name: matrix, Layer: -1, GP: -1, Condition: nan, SmallestPivot: nan, Jitter: nan})
	}
}

// conditionOf estimates the condition number of the matrix with factor l, [n][n].
func conditionOf(l []float64, n int) view.Float {
	return view.Float(linalg.CholeskyCondition(l, n))
}

// klByLayer splits the KL divergence from the prior by the chain rule over layers.
func (p *posterior) klByLayer() []view.Float {
	kl := make([]view.Float, len(p.layers))
	for i, l := range p.layer {
		kl[l] += view.Float(p.klOf(i))
	}
	return kl
}

// effective returns the mean of M - tr(S_ii), whitened, over the GPs of each layer; see
// view.Matrices. It is NaN for hidden layers with a contracted start: their posterior is narrower
// than the prior regardless of the data.
func (p *posterior) effective(contracted bool) []view.Float {
	out := make([]view.Float, len(p.layers))
	for l := range out[:len(out)-1] {
		if contracted {
			out[l] = view.Float(math.NaN())
		}
	}
	for i, row := range p.rows {
		well := float64(p.points(i))
		for _, j := range row {
			well -= sumSquares(p.factorOf(i, j).Data)
		}
		out[p.layer[i]] += view.Float(well / float64(p.widths[p.layer[i]]))
	}
	return out
}
