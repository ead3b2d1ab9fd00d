package dgp

import (
	"context"
	"fmt"
	"testing"

	"dgplab/models/autodiff"
	"dgplab/models/oracletest"
	"dgplab/models/sampling"
	"dgplab/models/train"
)

// givenDGP is an oracle case of the potential energy of the inducing outputs.
type givenDGP struct {
	modelCase
	V        []float64     `json:"v"`
	U        float64       `json:"U"`
	LogLik   float64       `json:"log_lik"`
	LogPrior float64       `json:"log_prior"`
	Terms    [][]float64   `json:"log_lik_terms"`
	LastMean [][][]float64 `json:"last_mean"`
	LastVar  [][]float64   `json:"last_var"`
	Grad     struct {
		gradient
		V []float64 `json:"v"`
	} `json:"grad"`
}

// setOutputs copies stacked inducing outputs to the leaves of a posterior.
func setOutputs(p *posterior, v []float64) {
	for l, n := range p.layers {
		copy(n.qMu.Value, v[p.starts[p.first[l]]:])
	}
}

// outputGradient returns the gradient of the log joint density with respect to the inducing
// outputs.
func outputGradient(p *posterior) (all []float64) {
	for _, n := range p.layers {
		all = append(all, n.qMu.Grad()...)
	}
	return all
}

// negated returns -v.
func negated(v []float64) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = -x
	}
	return out
}

// onOneTape returns the log joint of the case with all values set, on the tape of all parameters.
func (c *givenDGP) onOneTape(t *testing.T) *Evaluation {
	t.Helper()
	arch := c.architecture(t)
	arch.GivenInducing = true
	e := c.evaluation(t, arch)
	setOutputs(e.bound.post, c.V)
	return e
}

// onTwoTapes returns the log joint on a separate tape with only the inducing outputs as variables.
func (c *givenDGP) onTwoTapes(t *testing.T) *bound {
	t.Helper()
	whole := c.onOneTape(t).bound
	if err := whole.tape.Forward(); err != nil {
		t.Fatal(err)
	}
	tape := autodiff.NewTape()
	post := whole.post.withFreeOutputs(tape)
	g := newBound(tape, post, whole.b, whole.r)
	setOutputs(post, c.V)
	copy(g.x.Value, whole.x.Value)
	copy(g.y.Value, whole.y.Value)
	g.numData = whole.numData
	for l, eps := range g.eps {
		copy(eps.Value, whole.eps[l].Value)
	}
	return g
}

// givenCase checks the potential energy, its terms and its gradients.
func givenCase(t *testing.T, raw []byte) {
	var c givenDGP
	oracletest.Decode(t, raw, &c)
	e := c.onOneTape(t)
	terms, err := e.Run()
	if err != nil {
		t.Fatal(err)
	}
	e.Differentiate()
	g := e.bound
	value := func(name string, got, want []float64) {
		t.Helper()
		oracletest.Close(t, name, got, want, oracletest.ValueTolerance)
	}
	value("U", []float64{-terms.ELBO}, []float64{c.U})
	value("log_lik", []float64{terms.ExpectedLogLik}, []float64{c.LogLik})
	value("log_prior", []float64{-terms.KL}, []float64{c.LogPrior})
	value("log_lik_terms", terms.PerPoint, flat(c.Terms))
	value("last_mean", g.outMean.Value, flat(flat(c.LastMean)))
	value("last_var", g.outVar.Value, flat(c.LastVar))
	gradient := func(name string, ascent, want []float64) {
		t.Helper()
		oracletest.Close(t, "grad."+name, negated(ascent), want, oracletest.GradientTolerance)
	}
	gradient("v", outputGradient(g.post), c.Grad.V)
	for l, w := range c.Grad.Layers {
		own := e.LayerGradient(l)
		name := fmt.Sprintf("layers[%d].", l)
		gradient(name+"kernel_variance", own.Variance, []float64{w.Variance})
		gradient(name+"kernel_lengthscales", own.Lengthscales, w.Lengthscales)
		gradient(name+"Z", own.Z, flat(w.Z))
	}
	gradient("likelihood_variance", e.NoiseGradient(), []float64{*c.Grad.LikelihoodVariance})

	alone := c.onTwoTapes(t)
	if err := alone.tape.Forward(); err != nil {
		t.Fatal(err)
	}
	alone.tape.Backward(alone.value)
	value("U on its own tape", []float64{-alone.value.Value[0]}, []float64{c.U})
	gradient("v on its own tape", outputGradient(alone.post), c.Grad.V)
}

// givenPath is an oracle case of an SGHMC trajectory of a deep GP.
type givenPath struct {
	Config struct {
		N             float64 `json:"N"`
		Epsilon, Beta float64
		BurnIn        int `json:"burn_in_steps"`
	} `json:"config"`
	Data   givenDGP `json:"data"`
	Random struct {
		Z   [][]float64       `json:"z"`
		Eps [][][][][]float64 `json:"eps"`
	} `json:"random"`
	Params struct {
		U []float64 `json:"u"`
	} `json:"params"`
	Expect struct {
		Steps []struct {
			U   float64   `json:"U"`
			D   []float64 `json:"d"`
			Tau []float64 `json:"tau"`
			G   []float64 `json:"g"`
			G2  []float64 `json:"g2"`
			P   []float64 `json:"p"`
			Out []float64 `json:"u"`
		} `json:"steps"`
	} `json:"expect"`
}

// givenProblem is the log joint of a case as a problem for the sampler, with the draws of the case.
type givenProblem struct {
	*bound
	train.Leaves
	eps [][][][][]float64
}

func (p *givenProblem) Draw(step uint64) {
	fillEps(p.eps[step], len(p.bound.eps), func(l int) []float64 { return p.bound.eps[l].Value })
}

func (p *givenProblem) Evaluate(dFree []float64) (float64, error) {
	return p.EvaluateTape(p.tape, p.value, dFree)
}

// givenPathCase compares a chain with the trajectory, step by step.
func givenPathCase(t *testing.T, raw []byte) {
	var c givenPath
	oracletest.Decode(t, raw, &c)
	c.Data.NTotal, c.Data.Eps, c.Data.V = c.Config.N, c.Random.Eps[0], c.Params.U
	p := &givenProblem{bound: c.Data.onTwoTapes(t), eps: c.Random.Eps}
	p.post.addOutputs(&p.Leaves)
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	options := sampling.SGHMCOptions{
		StepSize: c.Config.Epsilon,
		Friction: c.Config.Beta,
		Points:   int(c.Config.N),
		BurnIn:   c.Config.BurnIn,
	}
	s := sampling.NewSGHMC(len(c.Params.U), options, func(normals, _ []float64, step uint64) {
		copy(normals, c.Random.Z[step])
	})
	state := map[string][]float64{}
	for _, a := range s.State() {
		state[a.Name] = a.Data
	}
	for k, want := range c.Expect.Steps {
		move, err := s.Step(context.Background(), p, uint64(k))
		if err != nil {
			t.Fatal(err)
		}
		d := negated(outputGradient(p.post))
		for i := range d {
			d[i] /= c.Config.N
		}
		check := func(name string, got, want []float64) {
			t.Helper()
			oracletest.Close(t, fmt.Sprintf("steps[%d].%s", k, name), got, want, oracletest.ValueTolerance)
		}
		check("U", []float64{-move.Objective}, []float64{want.U})
		check("d", d, want.D)
		check("tau", state["sghmc.horizon"], want.Tau)
		check("g", state["sghmc.mean"], want.G)
		check("g2", state["sghmc.square"], want.G2)
		check("p", state["sghmc.momentum"], want.P)
		check("u", p.Set.Free, want.Out)
	}
}
