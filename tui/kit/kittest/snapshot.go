package kittest

import (
	"errors"
	"math"
	"time"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/models/view"
	"dgplab/session"
	"dgplab/session/rundir"
)

// Training returns a complete snapshot of a run at a step.
func Training(c rundir.Config, step int) *session.Snapshot {
	s := &session.Snapshot{
		Summary: rundir.Summary{
			ID: "fake-1", Config: c, Data: rundir.DataFacts{N: 1620, Validation: 180, Test: 200, D: 2, P: 1},
			Parameters: 125000, Variational: 123456, Step: step, Seconds: float64(step) * 0.0285,
			StepsPerSecond: 35.1, BestVal: rundir.Number(math.NaN()), Dir: "/runs/fake",
			Hyper: rundir.Quantities{{Name: "likelihood.variance", Value: []float64{0.0123}}},
		},
		State: rundir.Running, Steps: 20000, Remaining: 9 * time.Minute,
		ValPoints: 180, CheckpointStep: 1000,
	}
	for i := 1; i <= step; i += max(step/400, 1) {
		x := float64(i)
		p := rundir.Point{Step: i, Seconds: x * 0.0285, ValLogLik: math.NaN(),
			Objective: -4000*math.Exp(-x/200) - 900 + 150*math.Sin(x*7.3)*math.Cos(x*3.1)}
		p.Readings = readings(p.Objective, 30*(1-math.Exp(-x/100)), 0)
		if len(s.Curve)%5 == 0 {
			p.ValLogLik = -1.2 - 2*math.Exp(-x/300) + 0.05*math.Sin(x)
			if !(p.ValLogLik <= float64(s.BestVal)) {
				s.BestVal, s.BestStep = rundir.Number(p.ValLogLik), i
			}
		}
		s.Curve = append(s.Curve, p)
	}
	s.ObjectiveIs = models.Families()[0].Objective
	s.Last = rundir.Point{
		Step:      step,
		Seconds:   s.Seconds,
		Rescues:   1,
		Objective: -912.4,
		ValLogLik: math.NaN(),
		Readings:  readings(-912.4, 30.3, 12.5),
	}
	s.Take(s.Last)
	s.Diagnostics = &rundir.Diagnostics{Step: step - step%100}
	s.Diagnostics.Blocks = fakeMap()
	s.Diagnostics.Units = fakeLayers()
	return s
}

// readings returns the readings of an ELBO with the given KL divergence, and of Adam.
func readings(elbo, kl, gradient float64) []rundir.Reading {
	return []rundir.Reading{
		{Key: family.ExpectedLogLik.Key, Value: elbo + kl}, {Key: family.KL.Key, Value: kl},
		{Key: family.LearningRate.Key, Value: 0.005}, {Key: family.GradientNorm.Key, Value: gradient},
	}
}

// fakeMap returns the covariance map of two layers with three GPs and one layer with one GP.
func fakeMap() *view.Blocks {
	const cells = 8
	m := &view.Blocks{}
	for layer, gps := range []int{3, 3, 1} {
		for i := range gps {
			m.Parts = append(m.Parts, view.Part{Group: layer, Index: i, Size: 64, Cells: cells})
		}
	}
	side := m.Side()
	m.Log10 = make(view.Symmetric, side*side)
	for i := range side {
		for j := range side {
			a, b := i/cells, j/cells
			v := math.Inf(-1)
			if a == b || a == 6 || b == 6 || a%3 == b%3 {
				v = -1 - 0.3*math.Abs(float64(i%cells-j%cells)) - 0.5*math.Abs(float64(a-b))
			}
			m.Log10[i*side+j] = v
		}
	}
	return m
}

func fakeLayers() []view.Units {
	var layers []view.Units
	for _, gps := range []int{3, 3, 1} {
		l := view.Units{Lengthscales: []float64{0.8, 1.7}, Variance: 1.3}
		for g := range 40 {
			l.Grid = append(l.Grid, -2+float64(g)/10)
		}
		for t := range gps {
			gp := view.Unit{Mean: view.Float(0.1 * float64(t)), SD: 0.9, Min: -2.2, Max: 2.4,
				Share: 0.4, Collapsed: t == 2,
				Histogram: []int{1, 4, 9, 20, 31, 40, 28, 17, 8, 2}}
			for c := range 4 {
				var y []float64
				for _, x := range l.Grid {
					y = append(y, math.Sin(2*x+float64(t))+0.1*float64(c))
				}
				gp.Curves = append(gp.Curves, y)
			}
			l.Units = append(l.Units, gp)
			row := make([]float64, gps)
			for u := range row {
				row[u] = math.Exp(-math.Abs(float64(t - u)))
			}
			l.Correlation = append(l.Correlation, row)
		}
		layers = append(layers, l)
	}
	return layers
}

// Ended returns a snapshot of a run that has ended.
func Ended(c rundir.Config, why rundir.Stop) *session.Snapshot {
	s := Training(c, 1240)
	s.State, s.Stop = rundir.Ended, why
	rmse := rundir.Number(2.91)
	crps := rundir.Number(1.52)
	s.Test = &rundir.Metrics{N: 200, Samples: 100, LogLik: -2.41, NLL: 2.41, RMSE: &rmse, CRPS: &crps,
		Coverage: map[string]rundir.Number{"50": 0.52, "90": 0.91, "95": 0.955}}
	if why == rundir.StopFailed {
		s.Test = nil
		s.Err = errors.New("layer 1, step 1240: covariance of the inducing outputs is not positive " +
			"definite at jitter 0.01")
	}
	return s
}
