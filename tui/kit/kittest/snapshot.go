package kittest

import (
	"errors"
	"math"
	"time"

	"dgplab/models"
	"dgplab/session"
	"dgplab/session/rundir"
)

// Training returns a snapshot of a run at a step, with everything in it.
func Training(c rundir.Config, step int) *session.Snapshot {
	s := &session.Snapshot{
		ID: "fake-1", State: session.Training, Config: c, N: 1620, NumValidation: 180, NumTest: 200, D: 2, P: 1,
		Parameters: 125000, Variational: 123456, Step: step, Steps: 20000, Seconds: float64(step) * 0.0285,
		StepsPerSecond: 35.1, Remaining: 9 * time.Minute, ValPoints: 180, BestVal: math.NaN(), CheckpointStep: 1000,
		Hyper:   []models.Quantity{{Name: "likelihood.variance", Value: []float64{0.0123}}},
		Rescues: 1, Dir: "/runs/fake",
	}
	for i := 1; i <= step; i += max(step/400, 1) {
		x := float64(i)
		p := rundir.Point{Step: i, Seconds: x * 0.0285, ValLogLik: math.NaN(),
			Objective: -4000*math.Exp(-x/200) - 900 + 150*math.Sin(x*7.3)*math.Cos(x*3.1)}
		p.KL = 30 * (1 - math.Exp(-x/100))
		p.ExpectedLogLik = p.Objective + p.KL
		if len(s.Curve)%5 == 0 {
			p.ValLogLik = -1.2 - 2*math.Exp(-x/300) + 0.05*math.Sin(x)
			if !(p.ValLogLik <= s.BestVal) {
				s.BestVal, s.BestStep = p.ValLogLik, i
			}
		}
		s.Curve = append(s.Curve, p)
	}
	s.Last = models.Report{Objective: -912.4, ExpectedLogLik: -882.1, KL: 30.3, LearningRate: 0.005, GradientNorm: 12.5}
	s.Diagnostics = &rundir.Diagnostics{Step: step - step%100, Covariance: fakeMap(), Layers: fakeLayers()}
	return s
}

// fakeMap is the map of two layers of three GPs and one of one.
func fakeMap() *models.BlockMap {
	m := &models.BlockMap{GPs: []int{3, 3, 1}, M: 64, Cells: 8}
	side := 7 * m.Cells
	m.Log10 = make([]float64, side*side)
	for i := range side {
		for j := range side {
			a, b := i/m.Cells, j/m.Cells
			v := math.Inf(-1)
			if a == b || a == 6 || b == 6 || a%3 == b%3 {
				v = -1 - 0.3*math.Abs(float64(i%m.Cells-j%m.Cells)) - 0.5*math.Abs(float64(a-b))
			}
			m.Log10[i*side+j] = v
		}
	}
	return m
}

func fakeLayers() []models.LayerSamples {
	var layers []models.LayerSamples
	for _, gps := range []int{3, 3, 1} {
		l := models.LayerSamples{Lengthscales: []float64{0.8, 1.7}, Variance: 1.3}
		for g := range 40 {
			l.Grid = append(l.Grid, -2+float64(g)/10)
		}
		for t := range gps {
			gp := models.GPSamples{Mean: 0.1 * float64(t), SD: 0.9, Min: -2.2, Max: 2.4, Share: 0.4, Collapsed: t == 2,
				Histogram: []int{1, 4, 9, 20, 31, 40, 28, 17, 8, 2}}
			for c := range 4 {
				var y []float64
				for _, x := range l.Grid {
					y = append(y, math.Sin(2*x+float64(t))+0.1*float64(c))
				}
				gp.Curves = append(gp.Curves, y)
			}
			l.GPs = append(l.GPs, gp)
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

// Ended returns a snapshot of a run that stopped.
func Ended(c rundir.Config, why rundir.Stop) *session.Snapshot {
	s := Training(c, 1240)
	s.State, s.Stop = session.Ended, why
	rmse, crps := 2.91, 1.52
	s.Test = &rundir.Metrics{N: 200, Samples: 100, LogLik: -2.41, NLL: 2.41, RMSE: &rmse, CRPS: &crps,
		Coverage: map[string]float64{"50": 0.52, "90": 0.91, "95": 0.955}}
	if why == rundir.StopFailed {
		s.Test, s.Err = nil, errors.New("layer 1, step 1240: covariance of the inducing outputs is not positive definite at jitter 0.01")
	}
	return s
}
