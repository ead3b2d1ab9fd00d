package dgp

import (
	"maps"
	"math"
	"slices"

	"dgplab/models/family"
	"dgplab/models/linalg"
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

// Health implements family.Health. Its matrices are K_MM of every layer; S_M of
// every GP, whitened; S~ of every GP, at points spread over the training inputs;
// and, where the posterior couples GPs, the whole S_M, whitened.
func (m *Model) Health() (*family.HealthReport, error) {
	if err := m.refresh(); err != nil {
		return nil, err
	}
	g, err := m.probed(healthSeed)
	if err != nil {
		return nil, err
	}
	p := m.bound.post
	h := checkup{post: p, rescues: m.bound.tape.RescuesByPlace(), report: &family.HealthReport{}}
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
	h.report.KLByLayer, h.report.Effective = p.klByLayer(), p.effective()
	m.times.report(h.report, len(p.layers))
	return h.report, nil
}

// probed returns a graph that has been replayed at the probe, points spread over
// the training inputs. Rescues are counted on a tape of its own.
func (m *Model) probed(seed uint64) (*graph, error) {
	n, _ := m.data.X.Dims()
	g := m.predictor(min(n, samplePoints), sampleDraws)
	m.load(g, m.probe, 0, seed)
	return g, m.at(g.tape.Forward())
}

// checkup collects a report.
type checkup struct {
	post    *posterior
	rescues map[string]int // by place; what has an entry is taken out
	report  *family.HealthReport
}

// add enters a matrix with the rescues that training has counted there.
func (h *checkup) add(e family.MatrixHealth) {
	e.Rescues = h.rescues[e.Name]
	delete(h.rescues, e.Name)
	h.report.Matrices = append(h.report.Matrices, e)
}

// prior enters K_MM of layer l.
func (h *checkup) prior(l int) {
	nodes, size := h.post.layers[l], h.post.arch.M
	root, variance, jitter := nodes.root.Value, nodes.variance.Value[0], h.post.arch.Jitter
	// The diagonal of L_K L_K^T is that of the kernel, its variance, and all jitter.
	if beyond := sumSquares(root)/float64(size) - variance - jitter; beyond > leastRescue*variance {
		jitter += beyond
	}
	h.add(family.MatrixHealth{
		Name: kuuPlace(l), Kind: family.PriorMatrix, Layer: l, GP: -1, Jitter: jitter,
		Condition: linalg.CholeskyCondition(root, size), SmallestPivot: smallestPivot(root, size),
	})
}

// posterior enters the whitened covariance of the inducing outputs of GP i given
// those of the GPs before it, which is that of the GP alone where none is coupled.
func (h *checkup) posterior(i int) {
	p, size := h.post, h.post.arch.M
	l := p.factor.At(p.blockOf(i, i))
	h.add(family.MatrixHealth{
		Name: p.nameOf("S_M", i), Kind: family.PosteriorMatrix, Layer: p.layer[i], GP: p.position(i),
		Condition: linalg.CholeskyCondition(l, size), SmallestPivot: smallestPivot(l, size),
	})
}

// joint enters the whole whitened S_M, unless no GPs are coupled.
func (h *checkup) joint() {
	p := h.post
	if p.NumBlocks() == p.NumGPs() {
		return
	}
	e := family.MatrixHealth{Name: "S_M", Kind: family.PosteriorMatrix, Layer: -1, GP: -1, SmallestPivot: math.Inf(1)}
	for i := range p.rows {
		e.SmallestPivot = min(e.SmallestPivot, smallestPivot(p.factor.At(p.blockOf(i, i)), p.arch.M))
	}
	dim := p.NumGPs() * p.arch.M
	e.Condition = linalg.Norm1(dim, p.timesCovariance) * linalg.Norm1(dim, p.solveCovariance)
	h.add(e)
}

// elsewhere enters the places of rescues that are no matrices.
func (h *checkup) elsewhere() {
	nan := math.NaN()
	for _, place := range slices.Sorted(maps.Keys(h.rescues)) {
		h.add(family.MatrixHealth{Name: place, Layer: -1, GP: -1, Condition: nan, SmallestPivot: nan, Jitter: nan})
	}
}

// smallestPivot returns the least square of the diagonal of l, [n][n].
func smallestPivot(l []float64, n int) float64 {
	least := math.Inf(1)
	for k := 0; k < n*n; k += n + 1 {
		least = min(least, l[k]*l[k])
	}
	return least
}

// klByLayer splits the divergence from the prior by the chain rule over layers.
func (p *posterior) klByLayer() []float64 {
	kl := make([]float64, len(p.layers))
	for i, l := range p.layer {
		kl[l] += p.klOf(i)
	}
	return kl
}

// effective returns the mean of M - tr(S_ii), whitened, over the GPs of each
// layer; see family.HealthReport.
func (p *posterior) effective() []float64 {
	out := make([]float64, len(p.layers))
	for i, row := range p.rows {
		well := float64(p.arch.M)
		for _, j := range row {
			well -= sumSquares(p.factor.At(p.blockOf(i, j)))
		}
		out[p.layer[i]] += well / float64(p.widths[p.layer[i]])
	}
	return out
}
