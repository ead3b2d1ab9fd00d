package kittest

import (
	"fmt"
	"math"
	"math/rand/v2"

	"dgplab/datasets/task"
	"dgplab/models"
	"dgplab/models/family"
	"dgplab/models/view"
	"dgplab/session"
	"dgplab/session/rundir"
)

// Evidence is the objective of a model with a closed-form marginal likelihood.
var Evidence = family.Objective{Name: "log marginal likelihood", Kind: family.Evidence}

// OfFamily returns the configuration of a family with a seed.
func OfFamily(name string, seed uint64) rundir.Config {
	return rundir.Config{Dataset: "mountaincar", Split: "interpolation:0", Family: name, Seed: seed}
}

// Boston returns the configuration of a run on the data set boston.
func Boston(family string, split int, set models.Values) rundir.Config {
	values := models.Values{"layers": "2", "inducing": "64"}
	for k, v := range set {
		values[k] = v
	}
	return rundir.Config{
		Dataset: "boston",
		Family:  family,
		Split:   fmt.Sprintf("standard:%d", split),
		Set:     values,
	}
}

// ViewRun returns a run with views at a step.
func ViewRun(v view.Views, step int) *session.Snapshot {
	s := Training(OfFamily("star", 0), step)
	s.ObjectiveIs = family.Objective{Name: "amortized objective", Kind: family.Surrogate, Noisy: true}
	s.Diagnostics = &rundir.Diagnostics{Step: step - step%100, Views: v}
	return s
}

// FitRun returns a run with a fit along a number of inputs.
func FitRun(inputs int, shift float64) *session.Snapshot {
	s := ViewRun(view.Views{Fit: Fit(inputs, shift)}, 1240)
	s.Data.D = inputs
	s.Hyper = []models.Quantity{{Name: "likelihood.variance", Value: []float64{0.1}},
		{Name: "layer.0.kernel.lengthscales", Value: []float64{0.5, 2, 8}[:inputs]},
		{Name: "layer.1.kernel.lengthscales",
			Value: []float64{1, 1, 1}[:inputs]}}
	return s
}

// ExactRun returns a run of a model without blocks or layers but with functions.
func ExactRun(name string, step int) *session.Snapshot {
	s := Training(OfFamily(name, 0), step)
	s.ObjectiveIs = Evidence
	f := &view.Functions{
		Grid:  []float64{-1, 0, 1},
		Items: []view.Function{{Name: "f", Mean: []float64{0, 1, 0}, SD: []float64{0.3, 0.1, 0.3}}},
	}
	s.Diagnostics = &rundir.Diagnostics{Step: step, Views: view.Views{Functions: f}}
	return s
}

// Scored adds an evaluation to a snapshot. The number makes its values differ from others.
func Scored(s *session.Snapshot, number int) *session.Snapshot {
	shift := float64(number) * 0.15
	for i := range s.Curve {
		s.Curve[i].Objective -= 400 * shift
		s.Curve[i].ValLogLik -= shift
	}
	s.BestVal -= rundir.Number(shift)
	s.Values = models.Values{"batch": "512"}
	const n = 200
	p := &rundir.Predictions{N: n, P: 1, Of: n, Near: s.Data.N, Training: s.Data.N, Names: []string{"y"}}
	for i := range n {
		t := float64(i)
		target := math.Sin(t)
		mean := math.Sin(t) + 0.2*math.Cos(3*t)
		variance := 0.04 + 0.02*math.Sin(t) + shift*shift
		z := (target - mean) / math.Sqrt(variance)
		p.Rows = append(p.Rows, i)
		p.Target = append(p.Target, target)
		p.Mean = append(p.Mean, mean)
		p.Variance = append(p.Variance, variance)
		p.LogLik = append(p.LogLik, -0.5*(z*z+math.Log(2*math.Pi*variance)))
		p.PIT = append(p.PIT, 0.5*math.Erfc(-z/math.Sqrt2))
		p.Distance = append(p.Distance, 0.1+0.5*math.Abs(math.Cos(5*t)))
	}
	Evaluated(s, p)
	s.Diagnostics.Matrices = &view.Matrices{KLByLayer: []rundir.Number{10, 12, 8.3}}
	return s
}

// Predictions returns predictions of n test points by a model whose errors are noise times its standard
// deviations. All families have the same points in a split.
func Predictions(split, n, p int, noise float64, seed uint64) *rundir.Predictions {
	points := rand.New(rand.NewPCG(uint64(split), 7))
	own := rand.New(rand.NewPCG(seed, uint64(split)))
	out := &rundir.Predictions{N: n, P: p, Of: n, Near: 455, Training: 455}
	for k := range p {
		out.Names = append(out.Names, fmt.Sprintf("target %d", k+1))
	}
	for i := range n {
		out.Rows = append(out.Rows, 3*i+split)
		out.LogLik = append(out.LogLik, 0)
		distance := 0.2 + 2*points.Float64()
		out.Distance = append(out.Distance, distance)
		for range p {
			y, sd := 22+9*points.NormFloat64(), 1.5*distance
			z := noise * own.NormFloat64()
			out.Target = append(out.Target, y)
			out.Mean = append(out.Mean, y-sd*z)
			out.Variance = append(out.Variance, sd*sd)
			out.PIT = append(out.PIT, 0.5*math.Erfc(-z/math.Sqrt2))
			out.LogLik[i] -= 0.5*z*z + math.Log(sd) + 0.919
		}
	}
	return out
}

// Classes returns predictions of n points with classes.
func Classes(n int, seed uint64) *rundir.Predictions {
	r := rand.New(rand.NewPCG(seed, 5))
	out := &rundir.Predictions{
		N: n, P: 1, Of: n, Near: 100, Training: 100,
		Names: []string{"y"}, Classes: []string{"-1", "+1"},
	}
	for i := range n {
		p, y := r.Float64(), -1.0
		if r.Float64() < p {
			y = 1
		}
		out.Rows = append(out.Rows, i)
		out.Distance = append(out.Distance, r.Float64())
		out.Probability = append(out.Probability, p)
		out.Target = append(out.Target, y)
		out.LogLik = append(out.LogLik, math.Log(math.Max(0.01, 0.5+y*(p-0.5))))
	}
	return out
}

// Evaluated adds predictions and test scores to a snapshot.
func Evaluated(s *session.Snapshot, p *rundir.Predictions) *session.Snapshot {
	squares, ll := 0.0, 0.0
	for i, l := range p.LogLik {
		ll += l / float64(p.N)
		if !p.IsClassification() {
			squares += math.Pow(p.Target[i]-p.Mean[i], 2) / float64(p.N)
		}
	}
	rmse := rundir.Number(math.Sqrt(squares))
	crps := 0.55 * rmse
	s.Test = &rundir.Metrics{
		N:        p.Of,
		Samples:  100,
		LogLik:   rundir.Number(ll),
		NLL:      rundir.Number(-ll),
		RMSE:     &rmse,
		CRPS:     &crps,
		Coverage: map[string]rundir.Number{"95": 0.95 - rmse/100},
	}
	if p.IsClassification() {
		wrong := rundir.Number(0.21)
		s.Data.Task = task.Binary
		s.Test = &rundir.Metrics{
			N: p.N, LogLik: s.Test.LogLik, NLL: s.Test.NLL, ErrorRate: &wrong, LogLoss: &s.Test.NLL,
		}
	}
	s.Predictions, s.TestStep, s.Data.Test = p, s.Step, p.Of
	return s
}

// Health returns the diagnostics of three coupled layers of two GPs.
func Health(step int) *rundir.Diagnostics {
	h := new(view.Matrices)
	h.KLByLayer = []rundir.Number{12.25, 3.5, 14.5}
	h.Effective = []rundir.Number{60.1, -2.5, 23.75}
	h.ShareByLayer = []rundir.Number{0.3, 0.25, 0.2}
	h.Shares = []view.TimeShare{{Name: "minibatch and draws", Share: 0.05}, {Name: "factors of K_MM",
		Share: 0.4}, {Name: "triangular solves", Share: 0.3}, {Name: "optimiser", Share: 0.25}}
	h.TimedSteps = 3
	nan := rundir.Number(math.NaN())
	for l := range 3 {
		h.Matrices = append(h.Matrices,
			view.Matrix{Name: fmt.Sprintf("K_MM of layer %d", l+1), Kind: view.PriorMatrix, Layer: l, GP: -1,
				Condition: rundir.Number(math.Pow(10, float64(5*l+3))), SmallestPivot: 1e-5,
				Jitter: 1e-6, Rescues: l})
		for g := range 2 {
			h.Matrices = append(h.Matrices,
				view.Matrix{
					Name:          fmt.Sprintf("S_M of layer %d, GP %d", l+1, g+1),
					Kind:          view.PosteriorMatrix,
					Layer:         l,
					GP:            g,
					Condition:     1e14 + rundir.Number(g),
					SmallestPivot: 1e-9,
				},
				view.Matrix{
					Name:          fmt.Sprintf("S~ of layer %d, GP %d", l+1, g+1),
					Kind:          view.PointMatrix,
					Layer:         l,
					GP:            g,
					Condition:     12 + rundir.Number(g),
					SmallestPivot: 0.25,
					Jitter:        nan,
				})
		}
	}
	h.Matrices = append(h.Matrices,
		view.Matrix{
			Name:          "S_M",
			Kind:          view.PosteriorMatrix,
			Layer:         -1,
			GP:            -1,
			Condition:     3e15,
			SmallestPivot: 1e-9,
		},
		view.Matrix{
			Name:          "predictions",
			Layer:         -1,
			GP:            -1,
			Condition:     nan,
			SmallestPivot: nan,
			Jitter:        nan,
			Rescues:       2,
		})
	blocks := &view.Blocks{Log10: make(view.Symmetric, 3*3)}
	for l := range 3 {
		blocks.Parts = append(blocks.Parts, view.Part{Group: l, Size: 64, Cells: 1})
	}
	return &rundir.Diagnostics{Step: step, Views: view.Views{Blocks: blocks, Matrices: h}}
}

// ThreeClasses returns predictions of three classes. Of each class, two out of three points are classified
// correctly and one as the next class.
func ThreeClasses() *rundir.Predictions {
	p := &rundir.Predictions{P: 1, Near: 10, Training: 10, Names: []string{"pet"},
		Classes: []string{"cat", "dog", "bird"}}
	for i := range 9 {
		row := []float64{0.1, 0.1, 0.1}
		row[(i%3+i/6)%3] = 0.8
		p.Rows = append(p.Rows, i)
		p.Distance = append(p.Distance, 1)
		p.LogLik = append(p.LogLik, math.Log(row[i%3]))
		p.Target = append(p.Target, float64(i%3))
		p.Probability = append(p.Probability, row...)
	}
	p.N, p.Of = 9, 9
	return p
}

// Several returns the snapshots of four runs: three runs in training, of two families and one of them with an
// alarm, and a run that stopped early.
func Several() []*session.Snapshot {
	alarmed := Scored(Training(OfFamily("mean-field", 0), 2480), 1)
	alarmed.Alarms = []rundir.Alarm{{Kind: rundir.AlarmValidation, Since: 1900,
		Text: "validation log-likelihood has been falling"}}
	return []*session.Snapshot{
		Scored(Training(OfFamily("star", 0), 1240), 0),
		alarmed,
		Scored(Training(OfFamily("mean-field", 1), 900), 2),
		Scored(Ended(OfFamily("fully-coupled", 0), rundir.StopEarly), 3),
	}
}
