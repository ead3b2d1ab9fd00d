package ep

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"dgplab/models/autodiff"
	"dgplab/models/stats"
	"dgplab/models/train"
	"dgplab/models/view"
)

const (
	// matchedPoints is the number of training inputs for the comparison of moments with samples,
	// and matchedSamples is the number of samples of each.
	matchedPoints, matchedSamples = 8, 256
)

// momentMatching returns the moments of some points in every layer, computed by moment matching and
// by sampling.
func (m *Model) momentMatching(seed uint64) (*view.MomentMatching, error) {
	x := m.problem.data.X
	probe := train.Spread(x, matchedPoints)
	n, _ := x.Dims()
	points, _ := probe.Dims()
	p := m.predictor(points)
	train.Window(p.x.Value, probe, 0)
	if err := p.tape.Forward(); err != nil {
		return nil, m.WithStep(err)
	}
	out := &view.MomentMatching{Total: n, Samples: matchedSamples}
	m.problem.eachGP(func(l, k int, g *gp) { out.GPs = append(out.GPs, g.factorStrength(l, k)) })
	samples, err := m.samples(p.x.Value, points, seed)
	if err != nil {
		return nil, m.WithStep(err)
	}
	for b := range points {
		point := view.MatchedPoint{Row: b * n / points}
		m.problem.eachGP(func(l, k int, _ *gp) {
			at := p.layers[l]
			drawn := samples[l][(k*points+b)*matchedSamples:][:matchedSamples]
			mean, sd := stat.PopMeanStdDev(drawn, nil)
			point.Moments = append(point.Moments, view.MatchedMoments{
				Mean: view.Float(at.mean.Row(k)[b]), SD: view.Float(math.Sqrt(max(at.vr.Row(k)[b], 0))),
				SampleMean: view.Float(mean), SampleSD: view.Float(sd)})
		})
		out.Points = append(out.Points, point)
	}
	return out, nil
}

// factorStrength summarises the strength of the factor of a GP.
func (g *gp) factorStrength(l, k int) view.MatchedGP {
	n := g.inducing
	posterior := g.covariance(g.posterior)
	cavity := g.covariance(g.cavity)
	widest := 0.0
	for i := range n {
		widest = max(widest, math.Sqrt(cavity[i*n+i]/posterior[i*n+i]))
	}
	strengths := g.strengths(posterior)
	slices.Sort(strengths)
	return view.MatchedGP{Layer: l, GP: k, Strength: view.NewSpread(strengths), Widest: view.Float(widest)}
}

// strengths returns the relative reduction of the prior variance of each inducing output, given its
// posterior covariance.
func (g *gp) strengths(posterior []float64) []float64 {
	n := g.inducing
	list := make([]float64, n)
	for i := range list {
		var prior float64
		for _, v := range g.root.Value[i*n : i*n+i+1] {
			prior += v * v
		}
		list[i] = 1 - posterior[i*n+i]/prior
	}
	return list
}

// samples draws the outputs of each layer at points x, [D][n], under the posterior: [T][n][S] for
// each layer, including the noise of hidden layers.
func (m *Model) samples(x []float64, n int, seed uint64) (layers [][]float64, err error) {
	in := make([]float64, len(x)*matchedSamples)
	for i, v := range x {
		for s := range matchedSamples {
			in[i*matchedSamples+s] = v
		}
	}
	for l, current := range m.problem.layers {
		columns := n * matchedSamples
		t := autodiff.NewTape()
		at := t.Constant(1, len(in)/columns, columns)
		copy(at.Value, in)
		f := current.propagate(t, moments{mean: at}, func(g *gp) *state { return g.posterior }, true)
		if err := t.Forward(); err != nil {
			return nil, err
		}
		noise := 0.0
		if l < len(m.problem.layers)-1 {
			noise = current.noise.Value[0]
		}
		drawn := make([]float64, len(f.mean.Value))
		stats.Normals(drawn, stats.Stream(seed, "passage", uint64(l)))
		for i, e := range drawn {
			drawn[i] = f.mean.Value[i] + math.Sqrt(max(f.vr.Value[i], 0)+noise)*e
		}
		layers = append(layers, drawn)
		in = drawn
	}
	return layers, nil
}
