package dgp

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
	"dgplab/models/inducing"
	"dgplab/models/kernel"
	"dgplab/models/stats"
)

// start holds the initial parameters.
type start struct {
	z          []*mat.Dense // of each layer, [M_l, D_l]
	kernels    []kernelStart
	innerScale float64
}

// kernelStart holds the initial kernel parameters of a layer. A lengthscale of 0 stands for the
// square root of the number of inputs.
type kernelStart struct{ lengthscale, variance float64 }

// kernelStarts returns the initial kernel parameters of each layer.
func kernelStarts(v family.Values, layers int) ([]kernelStart, error) {
	lengthscales, err := family.Expand("lengthscale", v.Floats("lengthscale"), layers, "layers")
	if err != nil {
		return nil, err
	}
	variances, err := family.Expand("variance", v.Floats("variance"), layers, "layers")
	if err != nil {
		return nil, err
	}
	list := make([]kernelStart, layers)
	for l := range list {
		list[l] = kernelStart{lengthscales[l], variances[l]}
	}
	return list, nil
}

// inducingCounts returns M of each layer, at most n.
func inducingCounts(v family.Values, layers, n int) ([]int, error) {
	counts, err := family.Expand("inducing", v.Ints("inducing"), layers, "layers")
	for l := range counts {
		counts[l] = min(counts[l], n)
	}
	return counts, err
}

// newStart adds the layers to arch and returns their initial parameters.
//
// The inducing inputs of layer 1 come from k-means. Layers above start at the same points,
// propagated through the mean functions. A layer with a different M runs its own k-means on the
// training inputs x [N, D], propagated through the same mean functions.
func (m member) newStart(
	v family.Values, arch *Architecture, kernels []kernel.Kernel, x *mat.Dense, widths []int, seed uint64,
) (start, error) {
	s := start{innerScale: 1}
	n, inputs := x.Dims()
	counts, err := inducingCounts(v, len(widths), n)
	if err != nil {
		return s, err
	}
	s.kernels, err = kernelStarts(v, len(widths))
	if err != nil {
		return s, err
	}
	linear := true
	if !m.single {
		linear = v.Text("mean_function") == "linear"
	}
	if !m.single && !m.chained {
		s.innerScale = v.Float("inner_scale")
	}
	choose := func(l int) *mat.Dense {
		return inducing.KMeans(x, counts[l], stats.Stream(seed, "k-means", uint64(l)))
	}
	pushed := choose(0)
	for l, width := range widths {
		z := pushed
		if counts[l] != counts[0] {
			z = choose(l)
		}
		s.z = append(s.z, z)
		layer := Layer{Kernel: kernels[l], Inputs: inputs, GPs: width, M: counts[l]}
		if l < len(widths)-1 {
			mean := linearMap(x, width)
			if linear {
				layer.Mean = mean
			}
			pushed = mean.apply(pushed, width)
			x = mean.apply(x, width)
		}
		arch.Layers = append(arch.Layers, layer)
		inputs = width
	}
	return s, nil
}

// apply copies the initial parameters to the leaves.
func (s start) apply(p *posterior) error {
	for l, n := range p.layers {
		copy(n.z.Value, mat.DenseCopyOf(s.z[l]).RawMatrix().Data)
		lengthscale := s.kernels[l].lengthscale
		if lengthscale == 0 {
			lengthscale = math.Sqrt(float64(n.z.Cols))
		}
		n.kernel.Start(s.kernels[l].variance, func(int) float64 { return lengthscale })
	}
	if p.arch.GivenInducing {
		return nil
	}
	last := len(p.layers) - 1
	for i := range p.rows {
		scale := s.innerScale
		if p.layer[i] == last {
			scale = 1
		}
		block := p.factorSpan(i, i).view(p.qSqrt.Value)
		for k := range block.Rows {
			block.Data[k*block.Stride+k] = scale
		}
	}
	if !p.arch.Unwhitened {
		return nil
	}
	// The unwhitened prior has the factor L_K, which is computed here and then scaled.
	if err := p.tape.Forward(); err != nil {
		return err
	}
	for i := range p.rows {
		block := p.factorSpan(i, i).view(p.qSqrt.Value).Data
		scale := block[0]
		for k, v := range p.layers[p.layer[i]].root.Value {
			block[k] = scale * v
		}
	}
	return nil
}
