package dgp

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
)

// Posterior implements family.Posterior.
func (m *Model) Posterior(*mat.Dense) (out family.Arrays, err error) {
	if err := m.refresh(); err != nil {
		return out, err
	}
	p := m.post
	p.exportLayers(&out)
	for l, n := range p.layers {
		out.Add(fmt.Sprintf("layer.%d.inducing_mean", l),
			"mean of q(f_M) without the mean function, [GPs, inducing points]",
			p.lifted(l, n.mu.Value), len(p.members(l)), p.inducing[l])
	}
	size := p.outputs()
	if size > family.LargestCovariance {
		out.Missing = append(out.Missing, fmt.Sprintf(
			"the joint covariance of the %d inducing outputs: at most %d are exported jointly",
			size, family.LargestCovariance))
		p.exportOwnCovariances(&out)
		return out, nil
	}
	joint := make([]float64, size*size)
	p.eachCovariance(func(i, j int, s blas64.General) {
		for a := range s.Rows {
			for b, v := range s.Data[a*s.Stride : a*s.Stride+s.Cols] {
				joint[(p.starts[i]+a)*size+p.starts[j]+b] = v
				joint[(p.starts[j]+b)*size+p.starts[i]+a] = v
			}
		}
	})
	out.Add("inducing_covariance",
		"covariance of q(f_M) over the inducing outputs of all layers: layer by layer, GP by GP",
		joint, size, size)
	return out, nil
}

// exportOwnCovariances adds the covariances within each GP, layer by layer.
func (p *posterior) exportOwnCovariances(out *family.Arrays) {
	first := len(out.Tensors)
	for l, m := range p.inducing {
		gps := len(p.members(l))
		out.Add(fmt.Sprintf("layer.%d.inducing_covariance", l), "covariances of q(f_M) within each GP",
			make([]float64, gps*m*m), gps, m, m)
	}
	p.eachCovariance(func(i, j int, s blas64.General) {
		if i != j {
			return
		}
		own := out.Tensors[first+p.layer[i]].Data[p.position(i)*s.Rows*s.Cols:]
		for a := range s.Rows {
			copy(own[a*s.Cols:(a+1)*s.Cols], s.Data[a*s.Stride:a*s.Stride+s.Cols])
		}
	})
}

// Posterior implements family.Posterior.
func (m *Chains) Posterior(*mat.Dense) (out family.Arrays, err error) {
	if err := m.refresh(); err != nil {
		return out, err
	}
	p := m.post
	p.exportLayers(&out)
	draws := m.AllDraws()
	for l := range p.layers {
		first := p.starts[p.members(l)[0]]
		gps, size := len(p.members(l)), p.inducing[l]
		var lifted []float64
		for _, v := range draws {
			lifted = append(lifted, p.lifted(l, v[first:first+gps*size])...)
		}
		out.Add(fmt.Sprintf("layer.%d.inducing_draws", l),
			"kept draws of f_M without the mean function, [draws, GPs, inducing points]",
			lifted, len(draws), gps, size)
	}
	m.ExportChains(&out)
	return out, nil
}

// exportLayers adds the inducing inputs and the fixed mean function of each layer.
func (p *posterior) exportLayers(out *family.Arrays) {
	for l, n := range p.layers {
		out.Add(fmt.Sprintf("layer.%d.inducing_inputs", l), "inducing inputs Z",
			slices.Clone(n.z.Value), n.z.Rows, n.z.Cols)
		layer := p.arch.Layers[l]
		if layer.Mean.zero() {
			continue
		}
		identity := make([]float64, layer.Inputs*layer.Inputs)
		for i := range layer.Inputs {
			identity[i*layer.Inputs+i] = 1
		}
		out.Add(fmt.Sprintf("layer.%d.mean_function", l),
			"weights of the fixed linear mean function, [GPs, inputs]",
			meanAt(layer, identity, layer.Inputs), layer.GPs, layer.Inputs)
	}
}

// lifted returns L_K v for whitened inducing outputs v of the GPs of a layer, [T][M].
func (p *posterior) lifted(l int, v []float64) []float64 {
	m := p.inducing[l]
	out := slices.Clone(v)
	root := lower(p.layers[l].root.Value, m)
	for at := 0; at < len(out); at += m {
		blas64.Trmv(blas.NoTrans, root, blas64.Vector{N: m, Inc: 1, Data: out[at : at+m]})
	}
	return out
}
