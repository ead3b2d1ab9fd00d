package likelihood

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"dgplab/models/autodiff"
	"dgplab/models/stats"
)

// mixtureProblem is a recorded mixture with P=2 outputs, S=3 samples and B=5 points; the second
// target of point 1 is missing.
type mixtureProblem struct {
	tape                         *autodiff.Tape
	y, mean, vr, params, weights *autodiff.Node
	terms, objective             *autodiff.Node
	outputs, samples, points     int
	leaves                       map[string]*autodiff.Node
}

func newMixtureProblem(
	l Likelihood, form Form, classes bool, outputs, samples, points int,
) *mixtureProblem {
	rng := rand.New(rand.NewPCG(11, uint64(samples)))
	t := autodiff.NewTape()
	p := &mixtureProblem{tape: t, outputs: outputs, samples: samples, points: points,
		y: t.Constant(1, outputs, points), mean: t.Variable(1, outputs*l.Latents(), samples*points),
		vr: t.Variable(1, outputs*l.Latents(), samples*points), weights: t.Variable(1, 1, samples)}
	p.leaves = map[string]*autodiff.Node{"mean": p.mean, "variance": p.vr, "log-weights": p.weights}
	y, _, _ := problem(rng, outputs*points, classes)
	copy(p.y.Value, y)
	if k, ok := l.(Classes); ok {
		for i := range y {
			p.y.Value[i] = float64(rng.IntN(k.Latents()))
		}
	}
	_, mean, vr := problem(rng, p.mean.Len(), classes)
	copy(p.mean.Value, mean)
	copy(p.vr.Value, vr)
	if points > 1 {
		p.y.Value[(outputs-1)*points+1] = math.NaN()
	}
	p.params = NewParameters(t, l)
	if p.params != nil {
		p.leaves["parameters"] = p.params
	}
	for s := range p.weights.Value {
		p.weights.Value[s] = -rng.Float64()
	}
	p.terms = RecordMixture(t, l, form, p.y, p.mean, p.vr, p.params, p.weights, Rows{})
	direction := t.Constant(1, 1, points)
	for b := range direction.Value {
		direction.Value[b] = rng.NormFloat64()
	}
	p.objective = t.RowDots(p.terms, direction)
	return p
}

func (p *mixtureProblem) forward(t *testing.T) float64 {
	t.Helper()
	if err := p.tape.Forward(); err != nil {
		t.Fatal(err)
	}
	return p.objective.Value[0]
}

// mixtures runs a subtest for every likelihood and form.
func mixtures(t *testing.T, run func(t *testing.T, p *mixtureProblem, l Likelihood, form Form)) {
	for _, form := range []Form{ExpectedLog, LogExpected} {
		for _, l := range []Likelihood{Gaussian{Noise: 0.7}, NewBernoulli()} {
			t.Run(fmt.Sprintf("%T, form %d", l, form), func(t *testing.T) {
				run(t, newMixtureProblem(l, form, len(l.Parameters()) == 0, 2, 3, 5), l, form)
			})
		}
	}
}

func TestMixtureAgainstDefinition(t *testing.T) {
	mixtures(t, func(t *testing.T, p *mixtureProblem, l Likelihood, form Form) {
		p.forward(t)
		of := expectation(l.VariationalExpectations)
		if form == LogExpected {
			of = l.LogExpectation
		}
		for b := range p.points {
			var want float64
			for s := range p.samples {
				var log float64
				for o := range p.outputs {
					at := o*p.samples*p.points + s*p.points + b
					log += of.of(p.y.Value[o*p.points+b:][:1], p.mean.Value[at:at+1],
						p.vr.Value[at:at+1], Values(p.params), 0).terms[0]
				}
				w := math.Exp(p.weights.Value[s])
				if form == LogExpected {
					want += w * math.Exp(log)
				} else {
					want += w * log
				}
			}
			if form == LogExpected {
				want = math.Log(want)
			}
			close(t, "term", p.terms.Value[b], want, 1e-13)
		}
	})
}

// classesMixture is a mixture of three classes with a missing target.
func classesMixture(form Form) *mixtureProblem {
	return newMixtureProblem(RobustMax{3, 1e-3}, form, false, 1, 3, 5)
}

func TestMixtureOfClassesAgainstDefinition(t *testing.T) {
	p := classesMixture(LogExpected)
	p.forward(t)
	log := make([]float64, 3)
	for b := range p.points {
		var want float64
		for s := range p.samples {
			var mean, vr []float64
			for k := range 3 {
				mean = append(mean, p.mean.Row(k)[s*p.points+b])
				vr = append(vr, p.vr.Row(k)[s*p.points+b])
			}
			RobustMax{3, 1e-3}.LogProbabilities(log, mean, vr)
			if y := p.y.Value[b]; !math.IsNaN(y) {
				want += math.Exp(p.weights.Value[s] + log[int(y)])
			} else {
				want += math.Exp(p.weights.Value[s])
			}
		}
		close(t, "term", p.terms.Value[b], math.Log(want), 1e-13)
	}
}

func TestMixtureGradientsAgainstCentralDifferences(t *testing.T) {
	for _, form := range []Form{ExpectedLog, LogExpected} {
		t.Run(fmt.Sprintf("classes, form %d", form), func(t *testing.T) {
			classesMixture(form).checkGradients(t)
		})
	}
	mixtures(t, func(t *testing.T, p *mixtureProblem, _ Likelihood, _ Form) { p.checkGradients(t) })
}

// checkGradients compares all gradients with central differences.
func (p *mixtureProblem) checkGradients(t *testing.T) {
	p.forward(t)
	p.tape.Backward(p.objective)
	p.tape.Backward(p.objective) // must reset the gradients
	for name, leaf := range p.leaves {
		for i, v := range leaf.Value {
			const h = 1e-5
			got := leaf.Grad()[i]
			leaf.Value[i] = v + h
			up := p.forward(t)
			leaf.Value[i] = v - h
			down := p.forward(t)
			leaf.Value[i] = v
			close(t, fmt.Sprint(name, i), got, (up-down)/(2*h), 2e-8*math.Max(1, math.Abs(up)))
		}
	}
}

// For points with one sample, the terms must equal the terms of the likelihood. Samples of weight 0
// must not change the result.
func TestMixtureOfOne(t *testing.T) {
	p := newMixtureProblem(Gaussian{Noise: 0.5}, LogExpected, false, 1, 1, 7)
	p.weights.Value[0] = 0
	p.forward(t)
	want := expectation(Gaussian{}.LogExpectation).of(p.y.Value, p.mean.Value,
		p.vr.Value, p.params.Value, 0).terms
	for b, v := range p.terms.Value {
		close(t, "term", v, want[b], 1e-15)
	}
}

// For a target z standard deviations from every component, the term must equal the logarithm of the
// largest density, although the densities underflow.
func TestMixtureInTheTail(t *testing.T) {
	p := newMixtureProblem(Gaussian{Noise: 0.5}, LogExpected, false, 1, 3, 1)
	for s := range 3 {
		p.mean.Value[s] = float64(s)
		p.vr.Value[s] = 0.5
		p.weights.Value[s] = math.Log(1.0 / 3)
	}
	p.y.Value[0] = 1000
	p.forward(t)
	close(t, "term", p.terms.Value[0], stats.LogPDF(1000, 2, 1)+math.Log(1.0/3), 1e-14)
	p.tape.Backward(p.objective)
	for _, g := range append(p.mean.Grad(), p.vr.Grad()...) {
		if math.IsNaN(g) || math.IsInf(g, 0) {
			t.Errorf("gradient %v", g)
		}
	}
}

func TestMixtureIsDeterministicAndAllocatesNothing(t *testing.T) {
	run := func(processors int, build func() *mixtureProblem) []float64 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		p := build()
		step := func() {
			p.forward(t)
			p.tape.Backward(p.objective)
		}
		step()
		if a := testing.AllocsPerRun(20, step); a != 0 {
			t.Errorf("%v allocations a step on %d processors", a, processors)
		}
		results := append([]float64{p.objective.Value[0]}, p.vr.Grad()...)
		if p.params != nil {
			results = append(results, p.params.Grad()...)
		}
		return append(results, p.mean.Grad()...)
	}
	for name, build := range map[string]func() *mixtureProblem{
		"Gaussian": func() *mixtureProblem {
			return newMixtureProblem(Gaussian{Noise: 0.5}, LogExpected, false, 2, 32, 50)
		},
		"Bernoulli": func() *mixtureProblem {
			return newMixtureProblem(NewBernoulli(), ExpectedLog, true, 2, 32, 50)
		},
		"classes": func() *mixtureProblem {
			return newMixtureProblem(Argmax{3}, ExpectedLog, false, 1, 8, 20)
		},
	} {
		one := run(1, build)
		two := run(2, build)
		for i, v := range one {
			if v != two[i] {
				t.Fatalf("%s: number %d is %v on one processor, %v on two", name, i, v, two[i])
			}
		}
	}
}
