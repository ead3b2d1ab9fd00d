package deep

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/autodiff"
	"dgplab/models/family"
	"dgplab/models/layer"
)

// exportSeed is the seed of the samples that serve as inputs of inference functions.
const exportSeed = 0

// Posterior implements family.Posterior. For layers with inference functions, it returns the
// parameters of these functions and their outputs at X.
func (m *Model) Posterior(X *mat.Dense) (out family.Arrays, err error) {
	if err := m.refresh(); err != nil {
		return out, err
	}
	st := m.stack()
	for l, current := range st.layers {
		if w := current.Prior().MeanW; w != nil {
			transposed := mat.DenseCopyOf(mat.NewDense(w.Rows, w.Cols, w.Value).T())
			out.Add(fmt.Sprintf("layer.%d.mean_function", l),
				"weights of the linear mean function, [GPs, inputs]",
				transposed.RawMatrix().Data, w.Cols, w.Rows)
		}
		switch current := current.(type) {
		case *layer.Global:
			addShared(&out, l, current)
		case *layer.Local:
			for _, p := range current.InferenceParameters() {
				out.Add(fmt.Sprintf("layer.%d.%s", l, p.Name), "parameters of the inference functions",
					slices.Clone(p.Node.Value), p.Node.Rows, p.Node.Cols)
			}
		}
	}
	m.addStack(&out)
	return out, m.addInferred(&out, X)
}

// addShared adds q over the inducing outputs that all points share.
func addShared(out *family.Arrays, l int, g *layer.Global) {
	n := g.Inducing()
	outputs := g.Outputs()
	z := g.InducingInputs()
	var mean, cov []float64
	for t := range outputs {
		mean = append(mean, g.Mean(t)...)
		cov = append(cov, g.Covariance(t)...)
	}
	prefix := fmt.Sprintf("layer.%d.inducing_", l)
	out.Add(prefix+"inputs", "inducing inputs Z, followed by a second set if there is one",
		z, n, len(z)/n)
	out.Add(prefix+"mean", "mean of q(f_M) with the mean function, [GPs, inducing points]", mean, outputs, n)
	out.Add(prefix+"covariance", "covariances of q(f_M) within each GP; the GPs are independent",
		cov, outputs, n, n)
}

// addStack adds the parameters that belong to no single layer.
func (m *Model) addStack(out *family.Arrays) {
	st := m.stack()
	if r := st.trend; r != nil {
		out.Add("trend", "weights of a linear trend that is added to the outputs, the intercept last",
			slices.Clone(r.weights), r.outputs, r.inputs+1)
	}
	if e := st.encoder; e != nil {
		e.net.Each(func(name string, n *autodiff.Node) {
			out.Add("encoder."+name, "parameters of the encoder, which computes q of the latent variables",
				slices.Clone(n.Value), n.Rows, n.Cols)
		})
	}
	if q := m.quadrature(); q != nil {
		out.Add("quadrature_weights", "weights of the mixture, one for each learned point",
			slices.Clone(q.Weights), len(q.Weights))
		for l, points := range st.quadrature.points {
			out.Add(fmt.Sprintf("layer.%d.quadrature_points", l),
				"learned points that replace standard normal draws, [points, GPs]",
				slices.Clone(points.Value), points.Rows, points.Cols)
		}
	}
}

// addInferred adds the inducing points that inference functions compute at X, and q over their
// outputs. The inputs of layers above the first come from one sample of the layers below.
func (m *Model) addInferred(out *family.Arrays, X *mat.Dense) error {
	st := m.stack()
	if _, ok := st.layers[0].(inferenceLayer); !ok {
		return nil
	}
	n, _ := X.Dims()
	p := st.record(autodiff.NewTape(), n, 1, nil)
	p.load(X, 0, exportSeed)
	if err := p.tape.Forward(); err != nil {
		return m.WithStep(err)
	}
	for l, current := range st.layers {
		q := p.moments[l].Inferred
		d := p.seen[l].Rows
		inducing := q.Z.Rows / d
		outputs := current.Outputs()
		var z, mean, cov []float64
		for b := range n {
			for k := range q.Z.Rows {
				z = append(z, q.Z.Row(k)[b])
			}
			for t := range outputs {
				own, err := current.(inferenceLayer).InducingOutputs(q, t, b)
				if err != nil {
					return m.WithStep(err)
				}
				mean = append(mean, own.Mean...)
				cov = append(cov, own.Covariance()...)
			}
		}
		prefix := fmt.Sprintf("layer.%d.inferred_", l)
		out.Add(prefix+"inputs", "inducing inputs of each point, [points, inducing points, inputs]",
			z, n, inducing, d)
		out.Add(prefix+"mean", "mean of q over their outputs, [points, GPs, inducing points]",
			mean, n, outputs, inducing)
		out.Add(prefix+"covariance", "covariances of q over their outputs within each GP",
			cov, n, outputs, inducing, inducing)
	}
	return nil
}
