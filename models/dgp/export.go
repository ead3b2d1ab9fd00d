package dgp

import (
	"fmt"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/family"
)

// largestCovariance is the largest number of inducing outputs whose joint covariance, 128 MB, is
// exported.
const largestCovariance = 4000

// Posterior implements family.Posterior.
func (m *Model) Posterior() ([]family.Tensor, error) {
	if err := m.refresh(); err != nil {
		return nil, err
	}
	p := m.post
	list := p.inducingInputs()
	for l, n := range p.layers {
		list = append(list,
			p.lifted(fmt.Sprintf("layer.%d.inducing_mean", l), l, [][]float64{n.mu.Value}, 0))
	}
	size := p.outputs()
	if size > largestCovariance {
		return append(list, p.ownCovariances()...), nil
	}
	joint := family.Tensor{
		Name: "inducing_covariance", Shape: []int{size, size}, Data: make([]float64, size*size),
	}
	p.eachCovariance(func(i, j int, s blas64.General) {
		for a := range s.Rows {
			for b, v := range s.Data[a*s.Stride : a*s.Stride+s.Cols] {
				joint.Data[(p.starts[i]+a)*size+p.starts[j]+b] = v
				joint.Data[(p.starts[j]+b)*size+p.starts[i]+a] = v
			}
		}
	})
	return append(list, joint), nil
}

// ownCovariances returns the covariances within each GP, layer by layer.
func (p *posterior) ownCovariances() (list []family.Tensor) {
	for l, m := range p.inducing {
		gps := len(p.members(l))
		list = append(list, family.Tensor{Name: fmt.Sprintf("layer.%d.inducing_covariance", l),
			Shape: []int{gps, m, m}, Data: make([]float64, gps*m*m)})
	}
	p.eachCovariance(func(i, j int, s blas64.General) {
		if i != j {
			return
		}
		own := list[p.layer[i]].Data[p.position(i)*s.Rows*s.Cols:]
		for a := range s.Rows {
			copy(own[a*s.Cols:(a+1)*s.Cols], s.Data[a*s.Stride:a*s.Stride+s.Cols])
		}
	})
	return list
}

// Posterior implements family.Posterior.
func (m *Chains) Posterior() ([]family.Tensor, error) {
	if err := m.refresh(); err != nil {
		return nil, err
	}
	p := m.post
	list := p.inducingInputs()
	var draws [][]float64
	chain := family.Tensor{Name: "draws_chain"}
	for c := range m.Chains() {
		for _, v := range m.Draws(c) {
			draws = append(draws, v)
			chain.Data = append(chain.Data, float64(c))
		}
	}
	chain.Shape = []int{len(draws)}
	for l := range p.layers {
		a := p.lifted(fmt.Sprintf("layer.%d.inducing_draws", l), l, draws, p.starts[p.members(l)[0]])
		a.Shape = append([]int{len(draws)}, a.Shape...)
		list = append(list, a)
	}
	return append(list, chain), nil
}

// inducingInputs returns the inducing inputs of each layer, [M][D].
func (p *posterior) inducingInputs() (list []family.Tensor) {
	for l, n := range p.layers {
		list = append(list, family.Tensor{
			Name:  fmt.Sprintf("layer.%d.inducing_inputs", l),
			Shape: []int{n.z.Rows, n.z.Cols},
			Data:  append([]float64(nil), n.z.Value...),
		})
	}
	return list
}

// lifted returns L_K v for vectors v of whitened inducing outputs of the GPs of a layer, which begin
// at from. The shape is the one for a single vector, [T][M].
func (p *posterior) lifted(name string, l int, vectors [][]float64, from int) family.Tensor {
	gps, m := len(p.members(l)), p.inducing[l]
	a := family.Tensor{Name: name, Shape: []int{gps, m}}
	for _, v := range vectors {
		a.Data = append(a.Data, v[from:from+gps*m]...)
	}
	root := lower(p.layers[l].root.Value, m)
	for at := 0; at < len(a.Data); at += m {
		blas64.Trmv(blas.NoTrans, root, blas64.Vector{N: m, Inc: 1, Data: a.Data[at : at+m]})
	}
	return a
}
