package ep

import (
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/task"
	"dgplab/models/autodiff"
	"dgplab/models/family"
	"dgplab/models/familytest"
	"dgplab/models/infer"
	"dgplab/models/oracletest"
	"dgplab/models/param"
)

// goldenStep is the expected step of one point in a stochastic EP case.
type goldenStep struct {
	T1, T2 any
	LogZ   float64   `json:"log_z"`
	NewM   []float64 `json:"new_m"`
	NewV   any       `json:"new_V"`
	NewT1  []float64 `json:"new_factor_T1"`
	NewT2  any       `json:"new_factor_T2"`
	PostM  []float64 `json:"posterior_m"`
	PostV  any       `json:"posterior_V"`
	CavM   []float64 `json:"cavity_m"`
	CavV   any       `json:"cavity_V"`
}

// TestStochasticOracles checks the cavity, the matched moments, the new factor and the damped
// update of each point.
func TestStochasticOracles(t *testing.T) {
	for _, c := range oracletest.Cases(t, "sep") {
		t.Run(c.Name, func(t *testing.T) {
			var g struct {
				Config struct {
					N            int
					Beta, Jitter float64
					Likelihood   string
				}
				Data struct {
					X [][]float64
					Y []float64
				}
				Params struct {
					goldenGP
					NoiseVar *float64 `json:"noise_var"`
				}
				Expect struct{ Steps []goldenStep }
			}
			oracletest.Decode(t, c.Text, &g)
			tape := autodiff.NewTape()
			d := len(g.Data.X[0])
			m := len(g.Params.Z)
			one := newGP(tape, "a GP", g.Config.N, m, d, g.Config.Jitter)
			copy(one.Z.Value, slices.Concat(g.Params.Z...))
			copy(one.Lengthscales.Value, g.Params.Lengthscale)
			one.Variance.Value[0] = g.Params.Variance
			h := tape.Variable(1, m, 1)
			hh := tape.Variable(1, m, m)
			one.setFactor(tape, h, hh)
			one.posterior.complete(tape)
			only := &layer{gps: []*gp{one}}
			data := family.Data{
				X: mat.NewDense(len(g.Data.Y), d, slices.Concat(g.Data.X...)),
				Y: mat.NewDense(len(g.Data.Y), 1, g.Data.Y),
			}
			if g.Params.NoiseVar != nil {
				only.noise = tape.Variable(1, 1, 1)
				only.noise.Value[0] = *g.Params.NoiseVar
			} else {
				data.Task = task.Binary
			}
			if err := tape.Forward(); err != nil {
				t.Fatal(err)
			}
			// h = L^T T1 and H = L^T T2 L.
			l := mat.NewDense(m, m, one.root.Value)
			mat.NewDense(m, 1, h.Value).Mul(l.T(), mat.NewDense(m, 1, g.Params.T1))
			var product mat.Dense
			product.Mul(l.T(), mat.NewDense(m, m, slices.Concat(g.Params.T2...)))
			mat.NewDense(m, m, hh.Value).Mul(&product, l)

			s := &stack{tape: tape, inputs: d, layers: []*layer{only}}
			like, err := data.Likelihood(nil, 1)
			if err != nil {
				t.Fatal(err)
			}
			p, err := newProblem(newEnergy(s, like, g.Config.N, 1, 1), nil,
				[]param.Array{{Name: "h", Data: h.Value}, {Name: "H", Data: hh.Value}}, data, 1)
			if err != nil {
				t.Fatal(err)
			}
			if err := tape.Forward(); err != nil {
				t.Fatal(err)
			}
			method := newStochastic(p, like, infer.NewAdam(p.Set.Size(), infer.Schedule{}),
				plan{points: 1, passSteps: 1, damping: g.Config.Beta}, 1)
			site := method.sites[0]
			for n, want := range g.Expect.Steps {
				before := slices.Concat(h.Value, hh.Value)
				if _, err := method.sweep(n, []int{n}); err != nil {
					t.Fatal(err)
				}
				value(t, "log Z", method.logZ.Value, []float64{want.LogZ})
				check := func(what string, v []float64, c []float64, wantM []float64, wantV any) {
					one.cavity.a.Value, one.cavity.c.Value = v, c
					m, cov := one.cavity.moments()
					value(t, what+" mean", m, wantM)
					value(t, what+" covariance", cov, oracletest.Flatten(wantV))
				}
				check("cavity", slices.Clone(site.cavity.a.Value),
					slices.Clone(site.cavity.c.Value), want.CavM, want.CavV)
				newA, newC := tilted(site, before)
				check("new", newA, newC, want.NewM, want.NewV)
				t1, t2 := naturalOf(l, h.Value, hh.Value)
				value(t, "T1", t1, oracletest.Flatten(want.T1))
				value(t, "T2", t2, oracletest.Flatten(want.T2))
				if err := tape.Forward(); err != nil {
					t.Fatal(err)
				}
				m, v := one.posterior.moments()
				value(t, "posterior mean", m, want.PostM)
				value(t, "posterior covariance", v, oracletest.Flatten(want.PostV))
			}
		})
	}
}

// tilted returns the moments of the cavity times the factor of the last point, given the factor
// before it: the cavity's precision is I + (N-1) H.
func tilted(s *site, before []float64) (a, c []float64) {
	m := s.g.inducing
	precision := mat.NewDense(m, m, nil)
	first := mat.NewDense(m, 1, nil)
	for i := range m {
		first.Set(i, 0, float64(s.g.copies)*before[i]+s.first[i])
		for j := range m {
			precision.Set(i, j, float64(s.g.copies)*before[m+i*m+j]+s.step[i*m+j])
		}
		precision.Set(i, i, 1+precision.At(i, i))
	}
	var covariance, mean mat.Dense
	if err := covariance.Inverse(precision); err != nil {
		panic(err)
	}
	mean.Mul(&covariance, first)
	return mean.RawMatrix().Data, covariance.RawMatrix().Data
}

// naturalOf returns T1 = L^-T h and T2 = L^-T H L^-1.
func naturalOf(l *mat.Dense, h, hh []float64) (t1, t2 []float64) {
	m := len(h)
	var inverse, a, b mat.Dense
	if err := inverse.Inverse(l); err != nil {
		panic(err)
	}
	a.Mul(inverse.T(), mat.NewDense(m, 1, h))
	var half mat.Dense
	half.Mul(inverse.T(), mat.NewDense(m, m, hh))
	b.Mul(&half, &inverse)
	return a.RawMatrix().Data, b.RawMatrix().Data
}

// With one layer and Gaussian noise, the factor of a point does not depend on the other points.
// Passes with step size 1/N then converge to the mean of the factors, so late passes change little.
func TestPassesConverge(t *testing.T) {
	data := familytest.Wave(60, 1)
	m := newTestModel(t, familytest.NewSetting("sep", "layers", "1", "points", "60", "hyper_steps", "0"),
		data)
	first := familytest.Steps(t, m, 1).Objective
	var before, after float64
	for range 12 {
		before, after = after, familytest.Steps(t, m, 1).Objective
	}
	if !(after > first) || after-before > 0.05*(after-first) {
		t.Errorf("energies %v, ... %v, %v", first, before, after)
	}
}

// Steps without a valid posterior are halved or skipped, and counted.
func TestInvalidFactorSteps(t *testing.T) {
	m := newTestModel(t, familytest.NewSetting("sep", "layers", "1"), familytest.Wave(40, 1))
	s := m.method.sites[0]
	if err := m.problem.tape.Forward(); err != nil {
		t.Fatal(err)
	}
	before := slices.Clone(s.g.hh.Value)
	n, size := float64(s.g.copies), s.g.inducing
	for i := range size {
		s.step[i*size+i] = -100/n - s.g.hh.Value[i*size+i]
	}
	halvings, change := s.applyStep(1)
	if halvings == 0 || halvings == maxHalvings || change == 0 {
		t.Errorf("%d halvings, change %v", halvings, change)
	}
	if err := m.problem.tape.Forward(); err != nil || m.problem.tape.Rescues() > 0 {
		t.Errorf("%v, %d rescues", err, m.problem.tape.Rescues())
	}
	if slices.Equal(before, s.g.hh.Value) {
		t.Error("the factor did not change")
	}
	clear(s.step)
	halvings, change = s.applyStep(1)
	if halvings != 0 || change != 0 {
		t.Errorf("%d halvings, change %v of no step", halvings, change)
	}
	before = slices.Clone(s.g.hh.Value)
	for i := range size {
		s.step[i*size+i] = -1e12
	}
	halvings, change = s.applyStep(1)
	if halvings != maxHalvings || change != 0 || !slices.Equal(before, s.g.hh.Value) {
		t.Errorf("%d halvings, change %v of a step that is far too long", halvings, change)
	}
}

// A target whose square overflows stops a pass and leaves the model unchanged.
func TestInfiniteEnergy(t *testing.T) {
	data := familytest.Wave(20, 1)
	data.Y.Set(9, 0, 1e200)
	m := newTestModel(t, familytest.NewSetting("sep", "layers", "2", "points", "20"), data)
	familytest.Unchanged(t, "a failed pass", m, func() {
		_, err := m.Step(t.Context())
		if err == nil || !strings.Contains(err.Error(), "the EP energy is not finite") {
			t.Error(err)
		}
	})
}

// A damping of 0 stands for 1/N.
func TestDamping(t *testing.T) {
	for text, want := range map[string]float64{"0": 1. / 40, "0.3": 0.3} {
		m := newTestModel(t, familytest.NewSetting("sep", "damping", text), familytest.Wave(40, 1))
		if got := m.method.plan.damping; got != want {
			t.Errorf("damping %s is %v, want %v", text, got, want)
		}
	}
}
