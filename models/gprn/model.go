package gprn

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
	"dgplab/models/kernel"
	"dgplab/models/predictive"
	"dgplab/models/stats"
	"dgplab/models/train"
)

// Model trains a mean-field network. It implements family.Model, family.Viewer and
// family.Annotator.
type Model struct {
	*train.Model
	network *network
	em      *em
	notes   []string
}

// buildMeanField returns a model whose posterior is the prior.
func buildMeanField(v family.Values, given family.Data, seed uint64) (family.Model, error) {
	b, err := newBuilder(v, given, seed)
	if err != nil {
		return nil, err
	}
	m, err := newNetwork(b.data, v.Int("latents"), v.Float("noise_variance"), b.latents, b.weight)
	if err != nil {
		return nil, err
	}
	model := &Model{network: m, notes: b.notes}
	model.em = newEM(m, newStarts(v.Int("restarts"), seed, fmt.Sprintf("%d sweeps", startSweeps)),
		v.Int("hyper_every"), v.Int("hyper_steps"), v.Int("history"), v.Float("ftol"))
	model.Model, err = train.New(meanFieldObjective, m, model.em)
	if err != nil {
		return nil, err
	}
	return model, model.WithStep(m.refresh())
}

// builder holds the data and priors from which both families are built.
type builder struct {
	given   family.Data
	data    *data
	latents []*prior // of each latent function, or one for all
	weight  *prior
	notes   []string
}

// newBuilder selects the training data, all or a subset, and creates the priors.
func newBuilder(v family.Values, given family.Data, seed uint64) (*builder, error) {
	b := &builder{given: given}
	x, y := given.X, given.Y
	n, d := x.Dims()
	if points := v.Int("points"); points > 0 && points < n {
		x, y = subset(x, y, points, seed)
		b.notes = append(b.notes,
			fmt.Sprintf("points=%d: training on a random subset of %d of the %d training points",
				points, points, n))
	}
	b.data = newData(x, y)
	b.data.inputs.Columns = given.Columns
	var err error
	b.latents, err = b.priors(v, "latent", d, v.Bool("learn_latent_variance"))
	if err != nil {
		return nil, err
	}
	weights, err := b.priors(v, "weight", d, true)
	if err != nil {
		return nil, err
	}
	b.weight = weights[0]
	return b, nil
}

// priors returns the prior of the latent or the weight functions, or a prior for each latent function if
// their kernels differ.
func (b *builder) priors(v family.Values, name string, d int, learned bool) (list []*prior, err error) {
	k, err := b.given.Kernel(v, name+"_kernel")
	if err != nil {
		return nil, err
	}
	if !v.Bool("ard") {
		d = 1
	}
	scales, err := family.Expand(name+"_lengthscale", v.Floats(name+"_lengthscale"), d, "lengthscales")
	if err != nil {
		return nil, err
	}
	build := func(k kernel.Kernel) *prior {
		return newPrior(name, k, b.data, v.Float("jitter"), v.Float(name+"_variance"), scales, learned)
	}
	if k.Fits(1) {
		return []*prior{build(k)}, nil
	}
	latents := v.Int("latents")
	if err := family.CheckKernels(name+"_kernel", []kernel.Kernel{k}, []int{latents}); err != nil {
		return nil, err
	}
	for j := range latents {
		p := build(k.Of(j))
		p.label(j, latents)
		list = append(list, p)
	}
	return list, nil
}

// subset returns a random subset of the rows of x and y, in their original order.
func subset(x, y *mat.Dense, points int, seed uint64) (*mat.Dense, *mat.Dense) {
	n, d := x.Dims()
	_, p := y.Dims()
	taken := make([]bool, n)
	for _, row := range stats.Stream(seed, "points", 0).Perm(n)[:points] {
		taken[row] = true
	}
	someX := mat.NewDense(points, d, nil)
	someY := mat.NewDense(points, p, nil)
	at := 0
	for row, take := range taken {
		if take {
			someX.SetRow(at, x.RawRowView(row))
			someY.SetRow(at, y.RawRowView(row))
			at++
		}
	}
	return someX, someY
}

// Step implements family.Model.
func (m *Model) Step(ctx context.Context) (family.Report, error) {
	r, err := m.Model.Step(ctx)
	r.Phase = m.em.phase
	return r, err
}

// Restored implements family.Model.
func (m *Model) Restored() error {
	if err := m.Model.Restored(); err != nil {
		return err
	}
	return m.WithStep(m.network.refresh())
}

// Predict implements family.Model. It returns a mixture of the given number of Gaussians with
// correlated outputs, with exact moments.
func (m *Model) Predict(X *mat.Dense, samples int, seed uint64) (predictive.Predictive, error) {
	c, err := m.network.predict(rows(X))
	if err != nil {
		return nil, m.WithStep(err)
	}
	from := mixture{p: m.network.p, q: m.network.q, noise: m.network.noise[0], components: []*moments{c}}
	return from.draw(samples, seed), nil
}

// rows returns the entries of x [n, D] as a contiguous slice, [n][D].
func rows(x *mat.Dense) []float64 {
	return mat.DenseCopyOf(x).RawMatrix().Data
}

// Notes implements family.Annotator.
func (m *Model) Notes() []string { return appendNote(m.notes, m.em.starts.note(m.StepsDone())) }

// appendNote appends a note to notes unless the note is empty.
func appendNote(notes []string, more string) []string {
	if more == "" {
		return notes
	}
	return append(slices.Clip(notes), more)
}

// Hyper implements family.Model.
func (m *Model) Hyper() []family.Quantity {
	return quantities(m.network.noise[0], m.network.priors...)
}

// quantities returns the noise and the kernel parameters of the priors.
func quantities(noise float64, priors ...*prior) []family.Quantity {
	list := []family.Quantity{{Name: "likelihood.variance", Value: []float64{noise}}}
	for _, p := range priors {
		for _, q := range p.kernel.Quantities() {
			list = append(list, family.Quantity{Name: p.prefix() + q.Name,
				Value: append([]float64(nil), q.Node.Value...)})
		}
	}
	return list
}
