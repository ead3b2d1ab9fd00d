package dash

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
	"dgplab/tui/kit/kittest"
)

// boston returns the configuration of a run on the data set boston.
func boston(family string, split int, set models.Values) rundir.Config {
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

// predictions returns predictions of n test points by a model whose errors are noise times its standard
// deviations. All families have the same points in a split.
func predictions(split, n, p int, noise float64, seed uint64) *rundir.Predictions {
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

// classes returns predictions of n points with classes.
func classes(n int, seed uint64) *rundir.Predictions {
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

// evaluatedAs adds predictions and test scores to a snapshot.
func evaluatedAs(s *session.Snapshot, p *rundir.Predictions) *session.Snapshot {
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

// healthAt returns the diagnostics of three coupled layers of two GPs.
func healthAt(step int) *rundir.Diagnostics {
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

// setGradient sets the gradient norm of a point.
func setGradient(p rundir.Point, norm float64) {
	for i := range p.Readings {
		if p.Readings[i].Key == family.GradientNorm.Key {
			p.Readings[i].Value = norm
		}
	}
}

// four returns a finished run, a training run with an evaluation, a training run without one, and a run in
// preparation.
func four() []comparedRun {
	star := kittest.Ended(boston("star", 0, nil), rundir.StopSteps)
	star.Values, star.Diagnostics = star.Set, healthAt(1200)
	evaluatedAs(star, predictions(0, 51, 1, 1, 1))

	field := kittest.Training(boston("mean-field", 0, models.Values{"inducing": "128"}), 1240)
	field.Values = field.Set
	field.StepsPerSecond = 71.5
	field.Diagnostics = healthAt(1100)
	field.Rescues = 12
	evaluatedAs(field, predictions(0, 51, 1, 1.4, 2))
	for i := range field.Curve {
		setGradient(field.Curve[i], 500*math.Exp(-float64(i)/40)+20+10*math.Sin(float64(i)))
	}
	field.Alarms = []rundir.Alarm{{Kind: rundir.AlarmCollapse, Since: 1000,
		Text: "layer 2 has collapsed: its samples follow the mean function"}}

	full := kittest.Training(boston("fully-coupled", 0, models.Values{"layers": "3"}), 300)
	star.ID, field.ID, full.ID = "fake-1", "fake-2", "fake-3"
	full.Values, full.ValPoints, full.Data.Validation = full.Set, 40, 180
	full.Objective = rundir.Number(math.NaN())
	return []comparedRun{
		{Snapshot: star, Index: 0, Label: "stripes-and-arrow"},
		{Snapshot: field, Index: 1, Label: "mean-field 128", Chosen: true},
		{Snapshot: full, Index: 2, Label: "fully coupled"}, {Index: 3, Label: "to come"},
	}
}

// two returns the first two runs of four.
func two() []comparedRun { return four()[:2] }

// splits returns two methods on two splits each.
func splits() []comparedRun {
	var runs []comparedRun
	for i, family := range []string{"star", "mean-field"} {
		for split := range 2 {
			s := kittest.Ended(boston(family, split, nil), rundir.StopSteps)
			s.ID, s.Values = fmt.Sprintf("fake-%d", len(runs)+1), s.Set
			runs = append(runs, comparedRun{
				Snapshot: evaluatedAs(s, predictions(split, 51, 1, 1+0.5*float64(i), uint64(split))),
				Index:    len(runs),
				Label:    fmt.Sprintf("%s %d", family, split),
			})
		}
	}
	return runs
}

// classifiers returns two runs on a data set with classes.
func classifiers() []comparedRun {
	var runs []comparedRun
	for i, family := range []string{"star", "mean-field"} {
		s := kittest.Ended(boston(family, 0, nil), rundir.StopEarly)
		s.ID, s.Values = fmt.Sprintf("fake-%d", i+1), s.Set
		p := classes(400, 3)
		if i == 1 {
			for k := range p.Probability {
				p.Probability[k] = math.Sqrt(p.Probability[k])
				p.LogLik[k] = math.Log(math.Max(0.01, 0.5+p.Target[k]*(p.Probability[k]-0.5)))
			}
		}
		runs = append(runs, comparedRun{Snapshot: evaluatedAs(s, p), Index: i, Label: family})
	}
	return runs
}
