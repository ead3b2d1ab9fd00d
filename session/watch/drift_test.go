package watch

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"dgplab/models/stats"
	"dgplab/session/rundir"
)

func TestStudentQuantiles(t *testing.T) {
	for i, q := range studentQuantiles {
		if want := (distuv.StudentsT{Sigma: 1, Nu: float64(i + 6)}).Quantile(0.975); math.Abs(q-want) > 1e-9 {
			t.Errorf("%d degrees of freedom: %v, want %v", i+6, q, want)
		}
	}
}

// The noise is first-order autoregressive with marginal variance 1, and the slope is known. The test measures
// how often the interval covers the slope. It compares the width of the interval with least squares under
// known white noise, 2*1.96*sqrt(12/n^3) per value.
func TestIntervalsCoverKnownSlopes(t *testing.T) {
	const trials, every = 1000, 10
	for _, c := range []struct {
		values      int
		correlation float64
		least       float64 // coverage
		widest      float64 // mean width relative to white noise of the same long-run variance
	}{
		{20, 0, 0.94, 1.5}, {100, 0, 0.94, 1.3}, {400, 0, 0.94, 1.3},
		{40, 0.5, 0.91, 1.7}, {100, 0.5, 0.93, 1.5}, {400, 0.5, 0.94, 1.4},
		{200, 0.8, 0.92, 1.5}, {400, 0.8, 0.94, 1.4}, {400, 0.9, 0.91, 1.6}, {1000, 0.9, 0.93, 1.4},
	} {
		stream := stats.Stream(1, "drift", uint64(c.values))
		covered, width := 0, 0.0
		for range trials {
			const slope = 3e-4
			var s series
			noise := stream.NormFloat64()
			for i := range c.values {
				noise = c.correlation*noise + math.Sqrt(1-c.correlation*c.correlation)*stream.NormFloat64()
				step := 5000 + every*i
				s.add(step, slope*float64(step)+noise)
			}
			e, ok := estimate(s.bins)
			if !ok || e.Values != c.values {
				t.Fatalf("%d values: %+v, %v", c.values, e, ok)
			}
			if e.Low <= perSteps*slope && perSteps*slope <= e.High {
				covered++
			}
			width += float64(e.High-e.Low) / trials
		}
		long := math.Sqrt((1 + c.correlation) / (1 - c.correlation))
		n := float64(c.values)
		known := 2 * 1.96 * long * math.Sqrt(12/(n*n*n)) / every * perSteps
		share := float64(covered) / trials
		if share < c.least || share > 0.985 || width > c.widest*known {
			t.Errorf("%d values, correlation %v: coverage %.3f, width %.2f relative to known noise",
				c.values, c.correlation, share, width/known)
		}
	}
}

// Without noise the slope is exact, even after bins have been merged.
func TestSlopesOfLines(t *testing.T) {
	for _, n := range []int{8, 100, 5000, 40000} {
		var s series
		for i := range n {
			s.add(10*i, 2-0.25*float64(10*i))
		}
		if len(s.bins) > maxBins {
			t.Errorf("%d values: %d bins", n, len(s.bins))
		}
		e, ok := estimate(s.since(8 * n))
		if n >= 100 && (!ok || math.Abs(float64(e.Slope)+250) > 1e-8 || e.SE > 1e-8) {
			t.Errorf("%d values: %+v", n, e)
		}
	}
}

// The report does not depend on earlier calls, and there is no estimate from too few values.
func TestFewValues(t *testing.T) {
	var w Drift
	if w.Report() != nil || w.Report().Text("ELBO") != "" || !w.Report().Conclusive() {
		t.Error("report without lines")
	}
	for step := 1; step <= 30; step++ {
		w.Add(line(step, math.NaN(), 1, math.NaN()))
	}
	if r := w.Report(); r.Verdict != rundir.Undecided || r.Measured() || r.Conclusive() ||
		r.Text("ELBO") != "too few reports for a verdict" {
		t.Errorf("from six values: %+v", r)
	}
}

// Extreme steps and values do not cause a panic, and the number of batches stays bounded.
func FuzzDrift(f *testing.F) {
	f.Add(uint64(1), uint16(60), int64(1), int64(-60))
	f.Add(uint64(2), uint16(3000), int64(0), int64(0))
	f.Add(uint64(3), uint16(5000), int64(math.MaxInt64/4), int64(0))
	f.Add(uint64(4), uint16(3000), int64(1<<52), int64(math.MinInt64))
	f.Fuzz(func(t *testing.T, seed uint64, lines uint16, stride, back int64) {
		stream := stats.Stream(seed, "drift", 1)
		w := Drift{Points: int(stride)}
		var s series
		step := 0
		for i := range int(min(lines, 4000)) {
			switch {
			case stride > 0:
				step += int(stream.Uint64N(uint64(stride) + 1))
			default:
				step += int(stride)
			}
			if i%60 == 59 {
				step += int(back)
			}
			validation := stream.NormFloat64()
			p := line(step, validation, float64(step), math.Exp(stream.NormFloat64()))
			if i%100 == 7 {
				validation = math.Inf(1)
				p = line(step, validation, math.NaN(), -1)
			}
			w.Add(p)
			s.bins = append(s.bins, bin{step, 1, float64(step), validation})
		}
		if r := w.Report(); r != nil {
			r.Text("ELBO")
		}
		if n := len(batches(s.bins)); n > maxBatches {
			t.Errorf("%d batches", n)
		}
		estimate(s.bins)
	})
}

// line returns a report line.
func line(step int, validation, objective, noise float64) rundir.Point {
	return rundir.Point{
		Step: step, ValLogLik: validation, Objective: objective,
		Readings: []rundir.Reading{{Key: NoiseReading, Value: noise}},
	}
}

// follow adds a line for every tenth step.
func follow(w *Drift, steps int, validation, objective, noise func(step float64) float64) {
	stream := stats.Stream(2, "drift", 0)
	for step := 10; step <= steps; step += 10 {
		x := float64(step)
		v := validation(x) + 0.01*stream.NormFloat64()
		w.Add(line(step, v, objective(x)+stream.NormFloat64(), noise(x)))
	}
}

func TestVerdicts(t *testing.T) {
	constant := func(v float64) func(float64) float64 { return func(float64) float64 { return v } }
	line := func(slope float64) func(float64) float64 { return func(x float64) float64 { return slope * x } }
	for _, c := range []struct {
		name                         string
		validation, objective, noise func(float64) float64
		wanders                      bool
		verdict                      rundir.Verdict
		converged                    bool
		text                         string
	}{
		{"nothing moves", constant(1), constant(2), constant(0.1), false, rundir.Settled, true, ""},
		{"validation rises", line(0.17e-3), constant(2), constant(0.1), false, rundir.Improving, false,
			"validation still rose by 0.17 per 1,000 steps"},
		{"it rises by an irrelevant amount", line(0.002e-3), constant(2), constant(0.1),
			false, rundir.Settled, true, ""},
		{"the objective rises", constant(1), line(0.1), constant(0.1), false, rundir.Improving, false,
			"ELBO still rose by 100 per 1,000 steps"},
		{"it wanders", constant(1), line(0.1), constant(0.1), true, rundir.Settled, true,
			"ELBO still rose by 100 per 1,000 steps"},
		{"noise falls", constant(1), constant(2), func(x float64) float64 { return math.Exp(-x / 2000) },
			false, rundir.Improving, false, "noise variance still fell by 39 % per 1,000 steps"},
		{"the noise almost vanishes", constant(1), constant(2),
			func(x float64) float64 { return math.Exp(-x / 100) }, false, rundir.Improving, false,
			"noise variance still fell by more than 99 % per 1,000 steps"},
		{"the noise more than doubles", constant(1), constant(2),
			func(x float64) float64 { return math.Exp(x / 1000) }, false, rundir.Improving, false,
			"noise variance still rose by 172 % per 1,000 steps"},
		{"two rise and one falls", line(0.17e-3), line(0.1),
			func(x float64) float64 { return math.Exp(-x / 2000) }, false, rundir.Improving, false,
			"validation still rose by 0.17, ELBO by 100, noise variance still fell by 39 % per 1,000 steps"},
		{"validation falls", line(-0.17e-3), constant(2), constant(0.1), false, rundir.Undecided, false,
			"validation still fell by 0.17 per 1,000 steps"},
		{"validation falls and noise falls", line(-0.17e-3), constant(2),
			func(x float64) float64 { return math.Exp(-x / 2000) }, false, rundir.Undecided, false,
			"validation still fell by 0.17, noise variance by 39 % per 1,000 steps"},
		{"validation falls while the objective rises", line(-0.17e-3), line(0.1), constant(0.1),
			false, rundir.Overfitting, false,
			"overfitting: validation fell by 0.63 since step 130 while ELBO rose"},
		{"validation fell and is level", func(x float64) float64 { return -math.Min(x, 2000) / 1000 },
			line(0.1), constant(0.1), false, rundir.Overfitting, false,
			"overfitting: validation fell by 1.9 since step 130 while ELBO rose"},
		{"validation fell before, when the objective rose",
			func(x float64) float64 { return -math.Min(x, 2000) / 1000 },
			func(x float64) float64 { return math.Min(x, 2000) }, constant(0.1), false,
			rundir.Overfitting, true,
			"overfitting: validation fell by 1.9 since step 130 while ELBO rose"},
		{"validation turns in the last fifth",
			func(x float64) float64 { return math.Min(x, 3100)/1000 - math.Max(0, x-3100)/100 },
			line(0.1), constant(0.1), false,
			rundir.Overfitting, false, "overfitting: validation fell by 7.6 since step 2880 while ELBO rose"},
		{"validation of a sampler falls", line(-0.17e-3), line(0.1), constant(0.1),
			true, rundir.Undecided, false, ""},
		{"noise", func(x float64) float64 { return math.Sin(x) }, constant(2), constant(0.1), false,
			rundir.Undecided, false, "improvement is within noise"},
	} {
		w := Drift{Points: 600, Sampler: c.wanders}
		follow(&w, 4000, c.validation, c.objective, c.noise)
		r := w.Report()
		if r.Verdict != c.verdict || w.Converged() != c.converged ||
			c.text != "" && r.Text("ELBO") != c.text {
			t.Errorf("%s: %s, converged %v, %q", c.name, r.Verdict, w.Converged(), r.Text("ELBO"))
		}
	}
}

// A rise that has just ended is not yet convergence, and a new phase discards the earlier lines.
func TestPatience(t *testing.T) {
	w := Drift{Points: 100}
	ramp := func(x float64) float64 { return math.Min(x, 3000) / 1000 }
	follow(&w, 3400, ramp, func(float64) float64 { return 0 }, func(float64) float64 { return 1 })
	if w.Converged() {
		t.Errorf("converged at 3,400: %+v", w.Report())
	}
	follow(&w, 0, ramp, nil, nil)
	sampled := line(3410, 1, 1, 1)
	sampled.Phase = "sampling"
	w.Add(sampled)
	if r := w.Report(); r.Verdict != rundir.Undecided || r.Measured() {
		t.Errorf("at the first line of a phase: %+v", r)
	}
}

func TestReportsSurviveJSON(t *testing.T) {
	w := Drift{Points: 100}
	one := func(float64) float64 { return 1 }
	follow(&w, 2000, one, one, one)
	text, err := json.Marshal(w.Report())
	if err != nil {
		t.Fatal(err)
	}
	var back rundir.Drift
	if err := json.Unmarshal(text, &back); err != nil ||
		back.Validation.SE != w.Report().Validation.SE || back.Verdict != rundir.Settled {
		t.Errorf("%s, %v", text, err)
	}
	if (&rundir.Estimate{Slope: 1}).Is(rundir.Rising) {
		t.Error("an estimate without a trend is rising")
	}
}

// The line of a step can be repeated with its validation. The result is as if the first line had it.
func TestRepeatedLines(t *testing.T) {
	var whole, repeated Drift
	for step := 10; step <= 2000; step += 10 {
		p := rundir.Point{Step: step, Objective: float64(step), ValLogLik: math.Sin(float64(step))}
		whole.Add(p)
		bare := p
		bare.ValLogLik = math.NaN()
		repeated.Add(bare)
		repeated.Add(p)
		repeated.Add(rundir.Point{Step: step - 10, ValLogLik: 99}) // ignored
	}
	want := whole.Report()
	got := repeated.Report()
	if !reflect.DeepEqual(got, want) || got.Validation == nil {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// Slopes are estimated from the last fifth of the steps.
func TestWindow(t *testing.T) {
	var w Drift
	for step := 10; step <= 4000; step += 10 {
		w.Add(line(step, math.Max(0, float64(step-3200)), 1, 1))
	}
	r := w.Report()
	if r.From != 3200 || r.To != 4000 || r.Validation.Values != 80 ||
		math.Abs(float64(r.Validation.Slope)-1000) > 1e-9 {
		t.Errorf("from %d to %d: %+v", r.From, r.To, r.Validation)
	}
}

// A slope is a trend if its change reaches the floor and its interval excludes zero, and level if its
// interval stays within three floors.
func TestTrends(t *testing.T) {
	const span, floor = 2, 0.5
	for _, c := range []struct {
		low, slope, high float64
		want             rundir.Trend
	}{
		{0.1, 0.25, 0.4, rundir.Rising}, {0.1, 0.2, 0.4, rundir.Level}, {0, 1, 2, rundir.Uncertain},
		{-0.4, -0.25, -0.1, rundir.Falling}, {-0.4, -0.2, -0.1, rundir.Level}, {-2, -1, 0, rundir.Uncertain},
		{-0.75, 0, 0.75, rundir.Level}, {-0.76, 0, 0.7, rundir.Uncertain}, {-0.7, 0, 0.76, rundir.Uncertain},
	} {
		e := rundir.Estimate{
			Low: rundir.Number(c.low), Slope: rundir.Number(c.slope), High: rundir.Number(c.high),
		}
		if got := trendOf(e, span, floor); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// A run has converged when it has been settled for the last tenth of its steps.
func TestConvergedAfterATenth(t *testing.T) {
	w := Drift{Points: 100}
	step, since := 0, 0
	for !w.Converged() && step < 9000 {
		step += 10
		value := math.Min(float64(step), 3000) / 1000
		w.Add(line(step, value, 1, 1))
		if r := w.Report(); r.Verdict == rundir.Settled {
			since = r.SettledSince
		}
	}
	if since < 3000 || step-since < step/10 || step-10-since >= (step-10)/10 {
		t.Errorf("settled since step %d, converged at step %d", since, step)
	}
}
