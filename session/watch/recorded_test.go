package watch

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"dgplab/models/family"
	"dgplab/session/rundir"
	"dgplab/viz/golden"
)

// TestRecordedCurves compares the drift, the alarms and the decisions to stop of typical curves with
// recorded ones.
func TestRecordedCurves(t *testing.T) {
	curves := map[string]func(step, noise float64) (objective, validation, variance float64){
		"rising": func(step, noise float64) (float64, float64, float64) {
			return step/20 + noise, step/5000 + noise/50, 0.5 - step/10000
		},
		"settling": func(step, noise float64) (float64, float64, float64) {
			rest := math.Exp(-step / 400)
			return -200*rest + noise, -rest + noise/100, 0.1 + rest
		},
		"overfitting": func(step, noise float64) (float64, float64, float64) {
			return step/10 + noise, -math.Abs(step-900)/800 + noise/60, 0.3 * math.Exp(noise/100-step/1000)
		},
		"diverging": func(step, noise float64) (float64, float64, float64) {
			return -math.Max(0, step-1500)/4 + noise, -math.Max(0, step-1500) / 300, 1
		},
		"broken": func(step, noise float64) (float64, float64, float64) {
			if step > 1200 && step < 1500 {
				return math.NaN(), math.Inf(-1), 0
			}
			return math.Sqrt(step) + noise, noise, 0.2
		},
	}
	objectives := map[string]family.Objective{
		"bound": {Name: "ELBO", Noisy: true, Terms: []family.Reading{family.ExpectedLogLik, family.KL}},
		"exact": {Name: "evidence", Monotone: true},
	}
	var d golden.Digest
	for _, curve := range []string{"rising", "settling", "overfitting", "diverging", "broken"} {
		for _, kind := range []string{"bound", "exact"} {
			d.Begin(curve + ", " + kind)
			random := rand.New(rand.NewPCG(1, 2))
			w := New(objectives[kind], 100)
			early := EarlyStopper{}
			keeper := Keeper{}
			for step := 10; step <= 6000; step += 10 {
				objective, validation, variance := curves[curve](float64(step), random.NormFloat64())
				if step%20 != 0 {
					validation = math.NaN()
				}
				w.Add(rundir.Point{
					Step: step, Objective: objective, ValLogLik: validation, Rescues: max(0, step-3000) / 15,
					Readings: []rundir.Reading{
						{Key: NoiseReading, Value: variance},
						{Key: family.KL.Key, Value: 3000 / float64(step)},
					},
				})
				early.Add(step, validation)
				keeper.Add(step, validation)
				if step%300 == 0 {
					d.Add(t, "drift", w.Drift.Report(), nil)
					d.Add(t, "alarms", w.Alarms(), nil)
					d.Add(t, "stops", fmt.Sprint(step, Overfits(step, w.Drift), early.Decided(),
						w.Drift.Converged()), nil)
					d.Add(t, "kept", keeper, nil)
				}
			}
		}
	}
	d.Check(t, "results")
}
