package dgp

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/task"
	"dgplab/models/autodiff"
	"dgplab/models/family"
	"dgplab/models/inducing"
	"dgplab/models/infer"
	"dgplab/models/kernel"
	"dgplab/models/random"
	"dgplab/models/train"
)

// build returns a model at its starting point (methods.md, section 1): inducing
// inputs of layer 1 by k-means, those above pushed through the mean functions;
// means at zero; the factor of S_M at inner_scale times its prior in hidden
// layers and at its prior in the last.
func (m member) build(v family.Values, data family.Data, seed uint64) (*Model, error) {
	n, d := data.X.Dims()
	_, p := data.Y.Dims()
	widths, err := m.widths(v, p)
	if err != nil {
		return nil, err
	}
	pattern, err := m.patternFor(v, widths)
	if err != nil {
		return nil, err
	}
	kind, err := kernel.Parse(v.Text("kernel"))
	if err != nil {
		return nil, err
	}
	arch := &Architecture{
		M: min(v.Int("inducing"), n), Pattern: pattern, Jitter: v.Float("jitter"),
		Unwhitened: !v.Bool("whiten"), SampleInducing: m.sampled,
	}
	if data.Task == task.Binary {
		arch.Likelihood = Bernoulli
	}
	start, err := newStart(v, m, arch, kind, data.X, d, widths, seed)
	if err != nil {
		return nil, err
	}
	post := newPosterior(autodiff.NewTape(), arch)
	if err := start.apply(post); err != nil {
		return nil, err
	}
	model := &Model{arch: arch, parametersOnly: post.tape.Mark(), predictors: map[[2]int]*graph{}, probe: probe(data.X)}
	samples := 1
	if !m.single {
		samples = v.Int("samples")
	}
	natural := none
	if m.natgrad != none && v.Text("optimizer") == "natgrad" {
		natural = m.natgrad
	}
	if model.problem, err = newProblem(newBound(post, min(v.Int("batch"), n), samples), data, seed, natural); err != nil {
		return nil, err
	}
	if asked := v.Int("inducing"); arch.M < asked {
		model.notes = append(model.notes, fmt.Sprintf("inducing=%d is more than the %d training points; %d are used", asked, n, arch.M))
	}
	model.Model, err = train.New(objective, model.problem, method(v, model.problem))
	return model, err
}

// method returns what moves the parameters of a problem.
func method(v family.Values, p *problem) infer.Method {
	adam := infer.NewAdam(p.set.Size(), infer.Staircase{
		Rate: v.Float("learning_rate"), Decay: v.Float("decay_rate"), Every: v.Int("decay_steps")})
	if p.natural == nil {
		return adam
	}
	n, k := p.Gaussians()
	return infer.NewNaturalAndAdam(n, k, v.Float("natgrad_step"), adam)
}

// start is where the parameters begin.
type start struct {
	z          []*mat.Dense // of each layer, [M, D_l]
	kernels    []kernelStart
	noise      float64
	innerScale float64
}

// kernelStart is where the parameters of a layer's kernel begin.
type kernelStart struct{ lengthscale, variance float64 }

// kernelStarts returns that of each layer.
func kernelStarts(v family.Values, layers int) ([]kernelStart, error) {
	lengthscales, err := family.Each("lengthscale", v.Floats("lengthscale"), layers, "layers")
	if err != nil {
		return nil, err
	}
	variances, err := family.Each("variance", v.Floats("variance"), layers, "layers")
	if err != nil {
		return nil, err
	}
	list := make([]kernelStart, layers)
	for l := range list {
		list[l] = kernelStart{lengthscales[l], variances[l]}
	}
	return list, nil
}

// newStart fills in the layers of arch and returns where their parameters begin.
func newStart(v family.Values, m member, arch *Architecture, kind kernel.Kind, x *mat.Dense, d int, widths []int, seed uint64) (start, error) {
	kernels, err := kernelStarts(v, len(widths))
	s := start{kernels: kernels, noise: v.Float("noise_variance"), innerScale: 1}
	linear := true
	if !m.single {
		linear, s.innerScale = v.Text("mean_function") == "linear", v.Float("inner_scale")
	}
	z := inducing.KMeans(x, arch.M, random.Stream(seed, "k-means", 0))
	inputs := d
	for l, width := range widths {
		s.z = append(s.z, z)
		layer := Layer{Kernel: kernel.Kernel{Kind: kind}, Inputs: inputs, GPs: width}
		if l < len(widths)-1 {
			mean := linearMap(x, width)
			if linear {
				layer.Mean = mean
			}
			z, x = mean.apply(z, width), mean.apply(x, width)
		}
		arch.Layers = append(arch.Layers, layer)
		inputs = width
	}
	return s, err
}

// apply writes the start into the leaves.
func (s start) apply(p *posterior) error {
	m := p.arch.M
	for l, n := range p.layers {
		copy(n.z.Value, mat.DenseCopyOf(s.z[l]).RawMatrix().Data)
		for d := range n.lengthscales.Value {
			n.lengthscales.Value[d] = s.kernels[l].lengthscale
		}
		n.variance.Value[0] = s.kernels[l].variance
	}
	p.noise.Value[0] = s.noise
	last := len(p.layers) - 1
	for i := range p.rows {
		scale := s.innerScale
		if p.layer[i] == last {
			scale = 1
		}
		block := p.qSqrt.At(p.blockOf(i, i))
		for k := 0; k < m; k++ {
			block[k*m+k] = scale
		}
	}
	if !p.arch.Unwhitened {
		return nil
	}
	// The prior's factor is L_K, which is computed here to be scaled.
	if err := p.tape.Forward(); err != nil {
		return err
	}
	for i := range p.rows {
		block := p.qSqrt.At(p.blockOf(i, i))
		scale := block[0]
		for k, v := range p.layers[p.layer[i]].root.Value {
			block[k] = scale * v
		}
	}
	return nil
}

// probe returns training inputs, evenly spaced, for the sample diagnostics.
func probe(x *mat.Dense) *mat.Dense {
	n, d := x.Dims()
	count := min(n, samplePoints)
	out := mat.NewDense(count, d, nil)
	for i := 0; i < count; i++ {
		out.SetRow(i, x.RawRowView(i*n/count))
	}
	return out
}
