package ep

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"dgplab/models/linalg"
	"dgplab/models/train"
	"dgplab/models/view"
)

// Views implements family.Viewer. It returns the covariances of the inducing outputs of each GP,
// the outputs and hidden units along each input, a map of every GP over the inputs of its layer,
// the moment matching at some points, and the matrices.
func (m *Model) Views(seed uint64) (view.Views, error) {
	if err := m.refresh(); err != nil {
		return view.Views{}, err
	}
	functions, err := m.functions()
	matching, failed := m.momentMatching(seed)
	maps, failure := m.maps()
	return view.Views{
			Blocks:         m.blocks(),
			Functions:      functions,
			Matrices:       m.matrices(),
			MomentMatching: matching,
			Maps:           maps,
		},
		errors.Join(err, failed, failure)
}

// blocks returns the posterior covariance L C L^T of the inducing outputs of each GP.
func (m *Model) blocks() *view.Blocks {
	var parts []view.Part
	m.problem.eachGP(func(l, k int, g *gp) {
		parts = append(parts, view.Part{Group: l, Index: k, Size: g.inducing})
	})
	out, at := view.NewPool(parts, view.MaxCells), 0
	m.problem.eachGP(func(_, _ int, g *gp) {
		out.Enter(at, at, blas64.General{
			Rows:   g.inducing,
			Cols:   g.inducing,
			Stride: g.inducing,
			Data:   g.covariance(g.posterior),
		})
		at++
	})
	return out.Blocks()
}

// covariance returns the covariance of u in a state, [M][M].
func (g *gp) covariance(s *state) []float64 {
	n := g.inducing
	half := make([]float64, n*n)
	out := make([]float64, n*n)
	linalg.Gemm(false, false, n, n, n, 1, g.root.Value, s.c.Value, 0, half)
	linalg.Gemm(false, true, n, n, n, 1, half, g.root.Value, 0, out)
	return out
}

// lines returns points along each input, ordered by the shortest lengthscales of the first layer.
func (m *Model) lines() []view.Line {
	_, d := m.problem.data.X.Dims()
	lengthscales := slices.Repeat([]float64{math.Inf(1)}, d)
	for _, g := range m.problem.layers[0].gps {
		for k, l := range g.Lengthscales.Value {
			lengthscales[k] = min(lengthscales[k], l)
		}
	}
	return m.problem.data.Lines(lengthscales)
}

// functions returns the outputs and the hidden units along every input.
func (m *Model) functions() (*view.Functions, error) {
	var list []view.Functions
	for _, line := range m.lines() {
		f := line.Along(m.items())
		_, d := m.problem.data.X.Dims()
		p := m.predictor(len(line.Grid))
		train.Window(p.x.Value, mat.NewDense(len(line.Grid), d, line.Points), 0)
		if err := p.tape.Forward(); err != nil {
			return nil, m.WithStep(err)
		}
		at := 0
		for k := range p.layers {
			l := len(p.layers) - 1 - k
			noise := 0.0
			if k > 0 {
				noise = m.problem.layers[l].noise.Value[0]
			}
			for t := range p.layers[l].mean.Rows {
				item := &f.Items[at]
				item.Mean = slices.Clone(p.layers[l].mean.Row(t))
				for _, v := range p.layers[l].vr.Row(t) {
					item.SD = append(item.SD, math.Sqrt(max(v-noise, 0)))
				}
				at++
			}
		}
		list = append(list, f)
	}
	list[0].Others = list[1:]
	return &list[0], nil
}

// items returns the names of the outputs and hidden units, last layer first.
func (m *Model) items() (list []view.Function) {
	layers := m.problem.layers
	for k := range layers {
		l := len(layers) - 1 - k
		for t := range layers[l].gps {
			name := fmt.Sprintf("unit %d of layer %d", t+1, l+1)
			if k == 0 {
				name = "f"
				if len(layers[l].gps) > 1 {
					name = fmt.Sprintf("f %d", t+1)
				}
			}
			list = append(list, view.Function{Name: name})
		}
	}
	return list
}

// matrices returns the conditioning of K_uu and of I + t H for the cavity and the posterior, which
// have the condition numbers of the whitened covariances.
func (m *Model) matrices() *view.Matrices {
	out, rescues := &view.Matrices{}, m.problem.rescuesByMatrix()
	add := func(e view.Matrix) {
		e.Rescues = rescues[e.Name]
		delete(rescues, e.Name)
		out.Matrices = append(out.Matrices, e)
	}
	out.Effective = make([]view.Float, len(m.problem.layers))
	m.problem.eachGP(func(l, k int, g *gp) {
		n := g.inducing
		for _, entry := range []struct {
			name   string
			kind   view.MatrixKind
			root   []float64
			jitter float64
		}{
			{"K_uu", view.PriorMatrix, g.root.Value, m.problem.jitter},
			{"cavity", view.PosteriorMatrix, g.cavity.root.Value, 0},
			{"posterior", view.PosteriorMatrix, g.posterior.root.Value, 0},
		} {
			add(view.Matrix{Name: g.nameOf(entry.name), Kind: entry.kind, Layer: l, GP: k,
				Jitter:        view.Float(entry.jitter),
				Condition:     view.Float(linalg.CholeskyCondition(entry.root, n)),
				SmallestPivot: view.Float(linalg.SmallestPivot(entry.root, n))})
		}
		well := float64(n)
		for i := range n {
			well -= g.posterior.c.Value[i*n+i]
		}
		if m.problem.contracted && l < len(m.problem.layers)-1 {
			well = math.NaN() // the start contracted it regardless of the data
		}
		out.Effective[l] += view.Float(well / float64(len(m.problem.layers[l].gps)))
	})
	nan := view.Float(math.NaN())
	for _, matrix := range slices.Sorted(maps.Keys(rescues)) {
		add(view.Matrix{Name: matrix, Layer: -1, GP: -1, Condition: nan, SmallestPivot: nan, Jitter: nan})
	}
	return out
}

// InducingInputs implements family.InducingModel. It returns the inducing inputs of all GPs of the
// first layer.
func (m *Model) InducingInputs() *mat.Dense {
	var z []float64
	inputs := 0
	m.problem.eachGP(func(l, _ int, g *gp) {
		if l == 0 {
			z, inputs = append(z, g.Z.Value...), g.Z.Cols
		}
	})
	return mat.NewDense(len(z)/inputs, inputs, z)
}
