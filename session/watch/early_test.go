package watch

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"

	"dgplab/session/rundir"
)

// stopStep adds curve(step) at multiples of every up to last. It returns the first step with a decision to
// stop, or 0 if there is none.
func stopStep(every, last int, curve func(step int) float64) int {
	e := &EarlyStopper{Every: every}
	for step := every; step <= last; step += every {
		e.Add(step, curve(step))
		if e.Decided() {
			return step
		}
	}
	return 0
}

func TestEarlyStopping(t *testing.T) {
	falling := func(step int) float64 { return -float64(step) }
	// Let the curve be a tent with its top at p. The mean over the evaluations at t-490, ..., t is
	// symmetric about p+245: it is lower at p+280 than at p+230, but not lower at p+270 than at
	// p+220. The first of five falling strips therefore ends at p+280.
	tent := func(top int) func(int) float64 {
		return func(step int) float64 { return -math.Abs(float64(step - top)) }
	}
	tests := []struct {
		name  string
		every int
		curve func(int) float64
		want  int
	}{
		{"falling from the start stops right after step 5000", 10, falling, 5010},
		{"rising never stops", 10, func(s int) float64 { return float64(s) }, 0},
		{"constant never stops", 10, func(int) float64 { return -2 }, 0},
		{"tent at 6000", 10, tent(6000), 6480},
		{"evaluations that do not divide a strip", 7, falling, 5005},
		{"evaluations farther apart than a strip", 100, falling, 5100},
		{"flat, then falling from step 5610: the first strip ends there", 10,
			func(s int) float64 { return -float64(max(s, 5600)) }, 5610 + 200},
		{"all NaN never stops", 10, func(int) float64 { return math.NaN() }, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := stopStep(tt.every, 12000, tt.curve); got != tt.want {
				t.Errorf("stopped at step %d, want %d", got, tt.want)
			}
		})
	}
}

// plainVerdict applies the definition of the rule to the entire history.
func plainVerdict(steps []int, values []float64, at int) bool {
	smooth := func(step int) (float64, bool) {
		n := 0
		for n < len(steps) && steps[n] <= step {
			n++
		}
		if n == 0 {
			return 0, false
		}
		sum := 0.0
		first := max(0, n-50)
		for _, v := range values[first:n] {
			sum += v
		}
		return sum / float64(n-first), true
	}
	if at <= 5000 {
		return false
	}
	for k := range 5 {
		later, _ := smooth(at - 50*k)
		earlier, ok := smooth(at - 50*(k+1))
		if !ok || !(later < earlier) {
			return false
		}
	}
	return true
}

func TestEarlyStoppingEqualsPlainDefinition(t *testing.T) {
	e := &EarlyStopper{Every: 10}
	var steps []int
	var values []float64
	verdicts := 0
	for step := 10; step <= 9000; step += 10 {
		v := math.Sin(float64(step)/400) + 0.3*math.Sin(float64(step)*1.7)
		steps = append(steps, step)
		values = append(values, v)
		e.Add(step, v)
		want := plainVerdict(steps, values, step)
		if got := e.Decided(); got != want {
			t.Fatalf("step %d: verdict %v, want %v", step, got, want)
		}
		if want {
			verdicts++
		}
	}
	if verdicts == 0 {
		t.Fatal("the rule never decided to stop")
	}
	if len(e.Window) != 50 || len(e.Steps) > 27 {
		t.Errorf("state grew: %d values, %d means", len(e.Window), len(e.Steps))
	}
}

func TestEarlyStopperStateSurvivesJSON(t *testing.T) {
	e := &EarlyStopper{Every: 10}
	for step := 10; step < 700; step += 10 {
		e.Add(step, math.Sin(float64(step)))
	}
	text, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	back := new(EarlyStopper)
	if err := json.Unmarshal(text, back); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(e, back) {
		t.Errorf("state changed:\n%v\n%v", e, back)
	}
}

// Overfitting runs stop from step 500 on, if the best validation is at least 250 steps and a fifth of all
// steps ago.
func TestOverfits(t *testing.T) {
	for _, c := range []struct {
		step, best int
		want       bool
	}{
		{499, 10, false}, {500, 10, true}, {500, 250, true}, {500, 251, false},
		{4000, 3200, true}, {4000, 3201, false},
	} {
		w := &Drift{step: c.step, fall: &rundir.Fall{Step: c.best, Overfits: true}}
		if got := Overfits(c.step, w); got != c.want {
			t.Errorf("step %d, best at %d: %v", c.step, c.best, got)
		}
		w.fall.Overfits = false
		if Overfits(c.step, w) {
			t.Errorf("step %d, best at %d: stops although the objective has not risen", c.step, c.best)
		}
	}
}
