package watch

import (
	"fmt"
	"math"
	"testing"

	"dgplab/models/family"
	"dgplab/models/view"
	"dgplab/session/rundir"
	"dgplab/viz/golden"
)

// wandering is a random curve with jumps. Its slope changes unless it is steady.
type wandering struct {
	level, slope, noise float64
	steady              bool
}

// next returns the value of the next report line.
func (w *wandering) next(f *golden.Filler) float64 {
	event := f.IntN(120)
	switch {
	case w.steady && event == 0:
		w.level -= 0.1
	case w.steady:
	case event < 2:
		w.slope = golden.Pick(f, 0, 0, 1, -1, 0.1, -0.1) * w.noise
	case event == 2:
		w.level += golden.Pick(f, -20., 20, 5, -5) * w.noise
	case event == 3:
		w.slope = 0
	}
	w.level += w.slope
	return w.level + w.noise*f.NormFloat64()
}

// randomDiagnostics returns diagnostics in which layers often collapse for a while.
func randomDiagnostics(f *golden.Filler, step int, collapsed *[3]bool) *rundir.Diagnostics {
	for l := range collapsed {
		if f.IntN(4) == 0 {
			collapsed[l] = !collapsed[l]
		}
	}
	d := &rundir.Diagnostics{Step: step}
	for l := range 2 {
		units := make([]view.Unit, 1+l)
		for i := range units {
			units[i].Collapsed = collapsed[l] || f.IntN(3) == 0
		}
		d.Units = append(d.Units, view.Units{Units: units})
	}
	if f.IntN(2) == 0 {
		d.Amortization = &view.Amortization{Layers: []view.AmortizedLayer{{Collapsed: collapsed[2]}, {}}}
	}
	if f.IntN(2) == 0 {
		d.Chains = &view.Chains{Chains: 2, Draws: golden.Pick(f, 0, 150, 200, 400), Complete: f.IntN(6) == 0}
		for i := range 3 {
			d.Chains.Quantities = append(d.Chains.Quantities, view.ChainQuantity{Name: fmt.Sprint("q", i),
				Rhat: view.Float(golden.Pick(f, 1, 1.005, 1.02, math.NaN())), ESSBulk: 500, ESSTail: 450})
		}
		if collapsed[0] {
			d.Chains.Quantities[1].ESSTail = 30
		}
	}
	return d
}

// TestRandomCurves compares the drift, the alarms and the decisions to stop of random curves with recorded
// checksums.
func TestRandomCurves(t *testing.T) {
	objectives := []family.Objective{
		{Name: "ELBO", Kind: family.Bound, Noisy: true,
			Terms: []family.Reading{family.ExpectedLogLik, family.KL}},
		{Name: "evidence", Kind: family.Evidence, Monotone: true,
			Terms: []family.Reading{family.ExpectedLogLik}},
		{Name: "log joint", Kind: family.LogJoint, Noisy: true},
	}
	var sums golden.Sums
	f := golden.NewFiller(3)
	for i := range 60 {
		o := objectives[i%3]
		w := New(o, golden.Pick(f, 0, 40, 100, 300, 2000, 8000))
		early := EarlyStopper{Every: golden.Pick(f, 5, 10, 80)}
		var keeper Keeper
		objective := wandering{noise: golden.Pick(f, 0.1, 1, 10)}
		if o.Monotone {
			objective = wandering{noise: 1e-7, slope: 0.01, steady: true}
		}
		validation := wandering{noise: golden.Pick(f, 0.003, 0.03, 0.3)}
		variance := wandering{level: golden.Pick(f, 0.1, 0.5, 0.97, 1.01), noise: golden.Pick(f, 1e-3, 1e-2)}
		kl := wandering{level: golden.Pick(f, 0.5, 3, 30), noise: golden.Pick(f, 0.01, 0.3)}
		every := golden.Pick(f, 5, 10, 10, 20)
		between := golden.Pick(f, 1, 1, 2, 8)
		if early.Every == 80 {
			between = 80 / every
		}
		var collapsed [3]bool
		step, rescues, rate := golden.Pick(f, 0, 0, 4500), 0, 0.0
		phase := ""
		lines, sparse := golden.Pick(f, 60, 250, 500), 1
		if i < 6 { // a long run with a line for every step
			every, lines, sparse = 1, 3000, 50
		}
		if i >= 54 { // a run that overfits at the end
			step, every, between = 4500, 20, 1
			validation = wandering{slope: -0.5, noise: 1, steady: true}
			objective.slope = objective.noise
		}
		sums.Add(o.Name+": start", fmt.Sprint(early.Decided(), keeper.Mean(), w.Drift.Report() == nil,
			w.Alarms()))
		for line := range lines {
			step += every
			if f.IntN(60) == 0 {
				rate = golden.Pick(f, 0, 0, 0.01, 0.05, 0.1, 0.4)
			}
			rescues += int(rate*float64(every) + f.Float64())
			if f.IntN(400) == 0 {
				phase = golden.Pick(f, "", "burn-in", "sampling")
			}
			p := rundir.Point{Step: step, Objective: objective.next(f), ValLogLik: validation.next(f),
				Phase: phase, Rescues: rescues, Readings: []rundir.Reading{
					{Key: family.ExpectedLogLik.Key, Value: objective.level + 7},
					{Key: NoiseReading, Value: math.Abs(variance.next(f))},
					{Key: family.KL.Key, Value: math.Abs(kl.next(f))},
				}}
			if line%between != 0 {
				p.ValLogLik = math.NaN()
			}
			switch bad := golden.Pick(f, math.NaN(), math.Inf(1), math.Inf(-1)); f.IntN(600) {
			case 0:
				p.Objective = bad
			case 1:
				p.ValLogLik = bad
			case 2, 3, 4:
				p.Readings[f.IntN(3)].Value = bad
			case 5, 6, 7:
				p.Readings = p.Readings[:f.IntN(3)]
			}
			w.Add(p)
			early.Add(step, p.ValLogLik)
			sums.Add(o.Name+": best", fmt.Sprint(keeper.Add(step, p.ValLogLik)))
			if f.IntN(50) == 0 {
				p.ValLogLik = validation.next(f)
				w.Drift.Add(p)
				p.Step -= every
				w.Drift.Add(p)
			}
			if line%12 == 0 {
				d := randomDiagnostics(f, step, &collapsed)
				w.AddDiagnostics(d)
				w.AddDiagnostics(d)
			}
			if line%sparse != 0 {
				continue
			}
			report := w.Drift.Report()
			if line%3 == 0 {
				sums.AddRounded(t, o.Name+": drift", report)
				sums.Add(o.Name+": text", report.Text(o.Name))
				sums.AddRounded(t, o.Name+": kept", keeper)
			}
			sums.AddRounded(t, o.Name+": alarms", w.Alarms())
			sums.Add(o.Name+": stops", fmt.Sprint(step, Overfits(step, w.Drift), early.Decided(),
				w.Drift.Converged()))
		}
		sums.AddRounded(t, o.Name+": early", early)
		w.Drift.Converge()
		sums.AddRounded(t, o.Name+": converged", w.Drift.Report())
	}
	sums.Check(t, "random")
}
