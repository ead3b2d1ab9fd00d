package deep

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"dgplab/models/autodiff"
	"dgplab/models/kernel"
	"dgplab/models/layer"
	"dgplab/models/linalg/vec"
	"dgplab/models/stats"
	"dgplab/models/train"
	"dgplab/models/view"
)

const (
	samplePoints  = 256 // training inputs for the statistics of a layer
	sampleDraws   = 8   // samples per input, unless these are learned
	curveDraws    = 4   // functions drawn along an input
	curvePoints   = 48  // grid of these functions
	shownInputs   = 24  // inputs with displayed inducing points
	checkedInputs = 8   // inputs with checked matrices
)

// Views implements family.Viewer.
func (m *Model) Views(seed uint64) (view.Views, error) {
	var v view.Views
	if err := m.refresh(); err != nil {
		return v, err
	}
	probe := train.Spread(m.problem.data.X, samplePoints)
	n, _ := probe.Dims()
	p, err := m.replay(n, sampleDraws, func(p *pass) { p.load(probe, 0, seed) })
	if err != nil {
		return v, fmt.Errorf("cannot sample the layers: %w", err)
	}
	v.Blocks = m.blocks()
	v.Units = m.units(p, seed)
	v.Matrices = m.matrices(p)
	v.Quadrature = m.quadrature()
	v.Functions = m.parts()
	var failed error
	v.Amortization, err = m.amortization(p)
	if err != nil {
		failed = fmt.Errorf("cannot compute the inducing points of inputs: %w", err)
	} else if v.Amortization != nil {
		v.Blocks = v.Amortization.Blocks(0)
	}
	v.Prior, err = m.drawPrior(m.problem.data.HoldCategories(probe), seed)
	if err != nil {
		failed = errors.Join(failed, fmt.Errorf("cannot draw from the prior: %w", err))
	}
	return v, errors.Join(failed, m.drawCurves(v.Units, seed))
}

// sharedLayer is implemented by layers with inducing outputs shared by all points. Inducing returns
// their number n per GP, and Covariance returns the covariance [n][n] of q for GP t.
type sharedLayer interface {
	Inducing() int
	Covariance(t int) []float64
}

// blocks returns the covariances of shared inducing outputs, one block per GP, because the GPs are
// independent. It is nil if a layer has no shared inducing outputs.
func (m *Model) blocks() *view.Blocks {
	var parts []view.Part
	var layers []sharedLayer
	for l, current := range m.stack().layers {
		g, ok := current.(sharedLayer)
		if !ok {
			return nil
		}
		layers = append(layers, g)
		for t := range current.Outputs() {
			parts = append(parts, view.Part{Group: l, Index: t, Size: g.Inducing()})
		}
	}
	out := view.NewPool(parts, view.MaxCells)
	for i, p := range parts {
		s := layers[p.Group].Covariance(p.Index)
		out.Enter(i, i, blas64.General{Rows: p.Size, Cols: p.Size, Stride: p.Size, Data: s})
	}
	return out.Blocks()
}

// parts returns the GPs of the first layer, without mean functions and trend, and the terms of their
// kernels. Latent variables are held at their prior mean, 0. It returns nil unless the kernels are sums
// and the inducing outputs are shared by all points.
func (m *Model) parts() *view.Functions {
	g, shared := m.stack().layers[0].(*layer.Global)
	if !shared || g.Kernels.Terms() == nil {
		return nil
	}
	columns := func(x *mat.Dense) []float64 {
		n, d := x.Dims()
		out := make([]float64, g.Config.Inputs*n)
		train.Window(out[:d*n], x, 0)
		return out
	}
	data := m.problem.data
	return data.Parts(g.Kernels, columns(data.X), func(k *kernel.Covariance, l view.Line) *view.Functions {
		n := len(l.Grid)
		in := columns(mat.NewDense(n, len(l.Points)/n, l.Points))
		mean := make([]float64, n*g.Outputs())
		variance := make([]float64, n*g.Outputs())
		for t := range g.Outputs() {
			own, spread := g.Part(k, t, in)
			for i := range n {
				mean[i*g.Outputs()+t] = own[i]
				variance[i*g.Outputs()+t] = spread[i]
			}
		}
		f := l.Functions(mean, variance)
		f.OfFirstLayer(len(m.stack().layers))
		return f
	})
}

// replay evaluates a pass at n points after load has filled it.
func (m *Model) replay(n, samples int, load func(p *pass)) (*pass, error) {
	if q := m.stack().quadrature; q != nil {
		samples = q.logits.Cols
	}
	p := m.predictor(n, samples)
	load(p)
	return p, m.WithStep(p.tape.Forward())
}

// units summarises the samples of each layer.
func (m *Model) units(p *pass, seed uint64) []view.Units {
	layers := make([]view.Units, len(p.moments))
	for l, moments := range p.moments {
		outputs := moments.Mean.Rows
		f := p.samples(l, seed)
		gps := m.stack().layers[l].Prior()
		if _, lengthscales, variance, is := gps.Kernels.Simple(); is {
			layers[l].Lengthscales = columnMeans(lengthscales)
			layers[l].Variance = view.Float(columnMeans(variance)[0])
		} else {
			var total float64
			for t := range outputs {
				total += gps.Kernels.Scale(t, p.in[l].Value)
			}
			layers[l].Variance = view.Float(total / float64(outputs))
		}
		mean := repeated(gps.Mean(p.in[l].Value), outputs, len(f)/outputs)
		if trend := m.stack().trend; trend != nil && l == len(p.moments)-1 {
			trend.add(mean, p.x.Value)
		}
		layers[l].Describe(f, mean, outputs)
	}
	return layers
}

// samples returns samples of layer l, [T_l][P]. Samples of the last layer are drawn from its
// moments.
func (p *pass) samples(l int, seed uint64) []float64 {
	if l+1 < len(p.in) {
		return p.in[l+1].Value
	}
	last := p.last()
	f := make([]float64, last.Mean.Len())
	stats.Normals(f, stats.Stream(seed, "last layer", 0))
	for k := range f {
		f[k] = last.Mean.Value[k] + math.Sqrt(max(last.Var.Value[k], 0))*f[k]
	}
	return f
}

// columnMeans returns the means over rows, which average the kernels of the outputs.
func columnMeans(n *autodiff.Node) []float64 {
	out := make([]float64, n.Cols)
	for r := range n.Rows {
		vec.AddScaled(out, n.Row(r), 1/float64(n.Rows))
	}
	return out
}

// repeated returns rows of numbers, each repeated until it has the given length.
func repeated(v []float64, rows, points int) []float64 {
	width := len(v) / rows
	out := make([]float64, 0, rows*points)
	for r := range rows {
		for range points / width {
			out = append(out, v[r*width:(r+1)*width]...)
		}
	}
	return out
}

// drawCurves draws functions through all layers along the first numeric input, if any. Points are
// independent given their inducing points, so each curve uses one draw per layer for all points of
// the grid. With quadrature these are the first learned points.
func (m *Model) drawCurves(layers []view.Units, seed uint64) error {
	data := m.problem.data
	numbers := data.Numbers()
	if len(numbers) == 0 {
		return nil
	}
	line := data.Over(numbers[0], curvePoints, 0)
	x := mat.NewDense(curvePoints, len(line.Points)/curvePoints, line.Points)
	p, err := m.replay(curvePoints, curveDraws, func(p *pass) {
		p.load(x, 0, seed)
		p.shareDraws(seed)
	})
	if err != nil {
		return fmt.Errorf("cannot draw curves: %w", err)
	}
	last := stats.Stream(seed, "curves", uint64(len(layers)))
	for l := range layers {
		layers[l].Input, layers[l].Grid = line.Input, line.Grid
		for t := range layers[l].Units {
			for c := range min(curveDraws, p.s) {
				layers[l].Units[t].Curves = append(layers[l].Units[t].Curves,
					p.curve(l, t, c, last.NormFloat64()))
			}
		}
	}
	return nil
}

// shareDraws replaces the draws of a pass by one draw for all points, per output and sample.
func (p *pass) shareDraws(seed uint64) {
	for l, eps := range p.eps {
		stream := stats.Stream(seed, "curves", uint64(l))
		for start := 0; start < eps.Len(); start += p.b {
			e := stream.NormFloat64()
			for b := range p.b {
				eps.Value[start+b] = e
			}
		}
	}
}

// curve returns sample c of output t of layer l at all points. For the last layer it is e standard
// deviations from the mean.
func (p *pass) curve(l, t, c int, e float64) []float64 {
	if l+1 < len(p.in) {
		return slices.Clone(p.in[l+1].Row(t)[c*p.b : (c+1)*p.b])
	}
	last := p.last()
	at := c * p.b % last.Mean.Cols
	out := slices.Clone(last.Mean.Row(t)[at : at+p.b])
	for b, v := range last.Var.Row(t)[at : at+p.b] {
		out[b] += e * math.Sqrt(max(v, 0))
	}
	return out
}

// quadrature returns the learned points and weights, or nil without quadrature.
func (m *Model) quadrature() *view.Quadrature {
	q := m.stack().quadrature
	if q == nil {
		return nil
	}
	out := &view.Quadrature{}
	for _, lw := range q.logWeights.Value {
		out.Weights = append(out.Weights, math.Exp(lw))
	}
	for _, points := range q.points {
		var own view.QuadratureLayer
		for t := range points.Cols {
			own.Points = append(own.Points,
				mat.Col(nil, t, mat.NewDense(points.Rows, points.Cols, points.Value)))
		}
		out.Layers = append(out.Layers, own)
	}
	return out
}

// checkedLayer is implemented by layers that report the conditioning of their matrices.
type checkedLayer interface {
	Matrices(q *layer.Inferred, columns []int) []layer.Matrix
}

// matrices returns the conditioning of the matrices of all layers.
func (m *Model) matrices(p *pass) *view.Matrices {
	out := &view.Matrices{}
	rescues := m.stack().tape.RescuesByMatrix()
	add := func(e view.Matrix) {
		e.Rescues = rescues[e.Name]
		delete(rescues, e.Name)
		out.Matrices = append(out.Matrices, e)
	}
	for l, current := range m.stack().layers {
		if current, ok := current.(checkedLayer); ok {
			for _, e := range current.Matrices(p.moments[l].Inferred, p.spreadColumns(checkedInputs)) {
				add(view.Matrix{Name: e.Name, Kind: view.PriorMatrix, Layer: l, GP: -1,
					Condition:     view.Float(e.Condition),
					SmallestPivot: view.Float(e.SmallestPivot), Jitter: view.Float(e.Jitter)})
			}
		}
		kl := p.moments[l].KL
		var sum float64
		for _, v := range kl.Value {
			sum += v
		}
		out.KLByLayer = append(out.KLByLayer, view.Float(m.config.Beta*sum/float64(kl.Cols)))
	}
	for l := range m.stack().layers {
		if name := varianceOf(l); rescues[name] > 0 {
			nan := view.Float(math.NaN())
			add(view.Matrix{
				Name:          name,
				Kind:          view.NoMatrix,
				Layer:         l,
				GP:            -1,
				Condition:     nan,
				SmallestPivot: nan,
				Jitter:        nan,
			})
		}
	}
	return out
}

// spreadColumns returns the columns of evenly spaced points, at most limit of them.
func (p *pass) spreadColumns(limit int) []int {
	count := min(p.b, limit)
	columns := make([]int, count)
	for i := range columns {
		columns[i] = i * p.b / count
	}
	return columns
}

// InducingInputs implements family.InducingModel. It returns nil if inference functions compute
// inducing inputs per point.
func (m *Model) InducingInputs() *mat.Dense {
	g, ok := m.stack().layers[0].(*layer.Global)
	if !ok {
		return nil
	}
	z := mat.NewDense(g.Z.Rows, g.Z.Cols, slices.Clone(g.Z.Value))
	return mat.DenseCopyOf(z.Slice(0, g.Z.Rows, 0, m.stack().inputs))
}
