package watch

import (
	"math"
	"testing"

	"dgplab/models/sampling"
	"dgplab/models/stats"
	"dgplab/session/rundir"
)

// curve is a synthetic run with evaluations every 100 steps.
type curve struct {
	values      int
	correlation float64 // of neighbouring values; the standard deviation of the noise is 0.05
	validation  func(part float64) float64
}

// found returns the step at which a fall is first detected, or 0 if there is none, and the last
// report.
func (c curve) found(seed uint64) (step int, last *rundir.Drift) {
	stream := stats.Stream(seed, "drift", 2)
	w := Drift{Points: 100}
	noise := stream.NormFloat64()
	for i := range c.values {
		noise = c.correlation*noise + math.Sqrt(1-c.correlation*c.correlation)*stream.NormFloat64()
		part := float64(i) / float64(c.values)
		objective := -1000*math.Exp(-10*part) + 100*part + stream.NormFloat64()
		w.Add(line(100*(i+1), c.validation(part)+0.05*noise, objective, 0.1))
		if w.fall != nil && step == 0 {
			step = w.fall.Since
		}
	}
	return step, w.Report()
}

// False alarms are rare in runs that rise and stay level, even with correlated noise.
func TestFalseAlarmsAreRare(t *testing.T) {
	const trials = 100
	rise := func(part float64) float64 { return -3 * math.Exp(-20*part) }
	for _, c := range []struct {
		values      int
		correlation float64
		most        int
	}{
		{28, 0, 1}, {28, 0.8, 8}, {28, 0.97, 12}, {200, 0, 1}, {200, 0.8, 2}, {200, 0.97, 20},
		{1000, 0, 1}, {1000, 0.97, 4},
	} {
		falls := 0
		for seed := range uint64(trials) {
			if step, _ := (curve{c.values, c.correlation, rise}).found(seed); step > 0 {
				falls++
			}
		}
		t.Logf("%d values, correlation %g: %d of %d", c.values, c.correlation, falls, trials)
		if falls > c.most {
			t.Errorf("%d values, correlation %g: %d of %d runs fall, want at most %d",
				c.values, c.correlation, falls, trials, c.most)
		}
	}
}

// Falls are detected early, even with few values, and persist until the end.
func TestFalls(t *testing.T) {
	for name, c := range map[string]struct {
		curve
		from, to int // steps between which the fall is detected
	}{
		"a peak at the start, 28 values": {curve{28, 0, func(part float64) float64 {
			return -3*math.Exp(-100*part) - 2*(1-math.Exp(-3*math.Max(0, part-0.04)))
		}}, 1600, 1600},
		"a peak in the middle, 28 values": {curve{28, 0, func(part float64) float64 {
			return -3*math.Exp(-20*part) - 2*math.Max(0, part-0.4)
		}}, 1600, 2400},
		"a peak at the start, 1000 values": {curve{1000, 0.8, func(part float64) float64 {
			return -3*math.Exp(-100*part) - 2*(1-math.Exp(-3*math.Max(0, part-0.04)))
		}}, 6000, 20000},
		"a slow fall": {curve{1000, 0.8, func(part float64) float64 {
			return -3*math.Exp(-20*part) - 0.4*math.Max(0, part-0.3)
		}}, 45000, 95000},
		"a plunge": {curve{200, 0, func(part float64) float64 {
			return -3*math.Exp(-20*part) - 10*math.Max(0, part-0.76)
		}}, 17000, 20000},
	} {
		for seed := range uint64(5) {
			step, last := c.found(seed)
			if step < c.from || step > c.to || last.Verdict != rundir.Overfitting || last.Conclusive() {
				t.Errorf("%s: found at step %d, want from %d to %d; %s",
					name, step, c.from, c.to, last.Text("ELBO"))
			}
		}
	}
}

// A fall ends when the series recovers.
func TestFallsThatRecover(t *testing.T) {
	dip := func(part float64) float64 {
		return -3*math.Exp(-20*part) - 5*math.Max(0, math.Min(part-0.3, 0.7-part))
	}
	step, last := (curve{400, 0, dip}).found(1)
	if step == 0 || last.Fall != nil || last.Verdict == rundir.Overfitting {
		t.Errorf("found at step %d, in the end %+v", step, last.Fall)
	}
}

// A sampler always counts as settled, except during its burn-in.
func TestSamplersSettle(t *testing.T) {
	for phase, want := range map[string]rundir.Verdict{
		sampling.BurnIn: rundir.Undecided, sampling.Sampling: rundir.Settled,
	} {
		w := Drift{Sampler: true}
		for step := 1; step <= 400; step++ {
			p := line(step, math.NaN(), float64(step), math.NaN())
			p.Phase = phase
			w.Add(p)
		}
		if r := w.Report(); r.Verdict != want || w.Converged() {
			t.Errorf("%s: %s, converged %v", phase, r.Verdict, w.Converged())
		}
	}
}
