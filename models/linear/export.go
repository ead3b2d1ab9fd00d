package linear

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
	"dgplab/models/linalg"
)

// Posterior implements family.Posterior. For classes it is the Laplace approximation.
func (m *Model) Posterior(*mat.Dense) (out family.Arrays, err error) {
	mean, err := m.meanWeights()
	if err != nil {
		return out, m.WithStep(err)
	}
	functions := len(mean) / m.weights
	out.Add("weights_mean", "mean (for classes the mode) of the weights, the intercept last, "+
		"[latent functions, inputs]", slices.Clone(mean), functions, m.weights)
	list := m.problem.covariances()
	each := functions / len(list) // functions of a covariance
	size := each * m.weights
	if size > family.LargestCovariance {
		out.Missing = append(out.Missing, fmt.Sprintf(
			"the covariance of %d weights: at most %d are exported jointly", size, family.LargestCovariance))
		return out, nil
	}
	var data []float64
	for k, c := range list {
		if m.space != nil {
			c = m.space.covariance(c, m.problem.precisions()[k*each:(k+1)*each])
		}
		data = append(data, c...)
	}
	about := "covariance of the weights of each latent function; these are independent"
	if len(list) < functions {
		about = "joint covariance of the weights, latent function by latent function"
	}
	out.Add("weights_covariance", about, data, len(list), size, size)
	return out, nil
}

// covariances implements problem.
func (r *regression) covariances() (list [][]float64) {
	for k, o := range r.outputs {
		_, along := r.posterior(k)
		scaled := slices.Clone(o.vectors)
		for i, v := range along {
			for j := range o.d {
				scaled[i*o.d+j] *= v
			}
		}
		c := make([]float64, o.d*o.d)
		linalg.Gemm(true, false, o.d, o.d, o.d, 1, o.vectors, scaled, 0, c)
		list = append(list, c)
	}
	return list
}

// covariances implements problem.
func (c *classification) covariances() [][]float64 {
	size := c.l * c.d
	out := make([]float64, size*size)
	for i := range size {
		out[i*size+i] = 1
	}
	linalg.SolveLower(c.root, out, size, size, size)
	linalg.SolveLowerTrans(c.root, out, size, size, size)
	return [][]float64{out}
}

// covariance returns the covariance of all weights of latent functions with the given precisions,
// computed from small, the covariance of the reduced model. Weights orthogonal to the row space
// have their prior variance.
func (s *rowSpace) covariance(small, precisions []float64) []float64 {
	k, d := s.basis.Dims()
	basis := mat.DenseCopyOf(s.basis)
	if s.intercept != nil {
		basis = new(mat.Dense)
		basis.Augment(s.basis, mat.NewDense(k, 1, s.intercept))
		d++
	}
	outside := mat.NewDense(d, d, nil) // projection onto the orthogonal space
	outside.Mul(basis.T(), basis)
	outside.Apply(func(i, j int, v float64) float64 {
		if i == j {
			return 1 - v
		}
		return -v
	}, outside)
	functions := len(precisions)
	reduced := mat.NewDense(functions*(k+1), functions*(k+1), small)
	out := mat.NewDense(functions*d, functions*d, nil)
	var half, prior mat.Dense
	for a, alpha := range precisions {
		for b := range precisions {
			within := reduced.Slice(a*(k+1), a*(k+1)+k, b*(k+1), b*(k+1)+k)
			block := out.Slice(a*d, (a+1)*d, b*d, (b+1)*d).(*mat.Dense)
			half.Mul(basis.T(), within)
			block.Mul(&half, basis)
			if a == b {
				prior.Scale(1/alpha, outside)
				block.Add(block, &prior)
			}
		}
	}
	return out.RawMatrix().Data
}
