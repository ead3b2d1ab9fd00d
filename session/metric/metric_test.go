package metric

import (
	"math"
	"slices"
	"testing"

	"dgplab/datasets/task"
	"dgplab/models/family"
	"dgplab/session"
	"dgplab/session/rundir"
)

// kl returns readings with the given KL term.
func kl(value float64) []rundir.Reading { return []rundir.Reading{{Key: "kl", Value: value}} }

// summary returns the summary of an evaluated regression run.
func summary() *rundir.Summary {
	rmse, std := math.E, -0.25
	return &rundir.Summary{
		Steps: 100, Seconds: 2, Objective: -7, Terms: kl(3), BestVal: -1, BestStep: 50,
		Rescues: 4, Parameters: 12,
		Test: &rundir.Metrics{
			N:         10,
			LogLik:    -1.5,
			NLL:       1.5,
			RMSE:      &rmse,
			StdLogLik: &std,
			Coverage:  map[string]float64{"95": 0.9},
		},
	}
}

func TestOf(t *testing.T) {
	for key, want := range map[string]float64{
		"log_lik": -1.5, "nll": 1.5, "rmse": math.E, "log_lik_std": -0.25, "coverage95": 0.9,
		"val.best": -1, "objective": -7, "kl": 3,
		"seconds": 2, "ms_step": 20, "step": 100, "rescues": 4, "parameters": 12,
	} {
		if got, ok := Get(key).Of(OfSummary(summary())); !ok || got != want {
			t.Errorf("%s is %v, %v; want %v", key, got, ok, want)
		}
	}
	for _, key := range []string{"crps", "crps_std", "coverage50", "accuracy", "error_rate", "log_loss"} {
		if v, ok := Get(key).Of(OfSummary(summary())); ok {
			t.Errorf("%s is %v, though it was not measured", key, v)
		}
	}
	s := summary()
	s.BestVal, s.BestStep = rundir.Number(math.NaN()), 0
	if v, ok := Get("val.best").Of(OfSummary(s)); ok {
		t.Errorf("best validation %v without a validation part", v)
	}
}

// A snapshot and the files of the same run give the same values.
func TestSources(t *testing.T) {
	last := rundir.Point{Step: 20, Seconds: 4, Objective: -9, Readings: kl(1), Rescues: 2}
	files := OfRun(&rundir.Info{Step: 20, Last: last})
	live := OfSnapshot(&session.Snapshot{Step: 20, Seconds: 4, Last: last, Rescues: 2, BestVal: math.NaN()})
	for _, m := range All() {
		v, known := m.Of(files)
		w, too := m.Of(live)
		if known != too || known && v != w {
			t.Errorf("%s is %v, %v by the files and %v, %v live", m.Key, v, known, w, too)
		}
	}
	for _, nothing := range []Source{OfSummary(nil), OfSnapshot(nil),
		OfRun(&rundir.Info{Last: rundir.Point{Seconds: math.NaN()}})} {
		for _, m := range All() {
			if v, ok := m.Of(nothing); ok && m.Key != "step" {
				t.Errorf("%s is %v of nothing", m.Key, v)
			}
		}
	}
}

// The time per step is the recent one, or the average if no speed is known.
func TestTimeOfAStep(t *testing.T) {
	for _, c := range []struct {
		s    session.Snapshot
		want float64
	}{
		{session.Snapshot{StepsPerSecond: 50, Step: 10, Seconds: 100}, 20},
		{session.Snapshot{Step: 10, Seconds: 5}, 500},
		{session.Snapshot{}, math.NaN()},
	} {
		got, ok := Get("ms_step").Of(OfSnapshot(&c.s))
		if ok != !math.IsNaN(c.want) || ok && got != c.want {
			t.Errorf("%+v: %v, %v", c.s, got, ok)
		}
	}
}

func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range All() {
		for _, name := range append([]string{m.Key}, m.Also...) {
			if seen[name] {
				t.Errorf("%s is two metrics", name)
			}
			seen[name] = true
			if found, ok := Find(name); !ok || found.Key != m.Key {
				t.Errorf("%s is %q, not %q", name, found.Key, m.Key)
			}
		}
		if m.Name == "" || m.Short == "" || (m.Better == Neither) != (m.Sense() == "") {
			t.Errorf("%+v", m)
		}
	}
	if m, ok := Find("bleu"); ok {
		t.Errorf("bleu is %+v", m)
	}
}

func TestGoodness(t *testing.T) {
	for key, list := range map[string][]float64{
		"coverage95": {0.5, 0.98, 0.94, 0.95}, "rmse": {2, 1}, "log_lik": {-2, -1},
	} {
		m := Get(key)
		if !slices.IsSortedFunc(list, func(a, b float64) int {
			return int(math.Copysign(1, m.Goodness(a)-m.Goodness(b)))
		}) {
			t.Errorf("%s, %s: %v is not from worse to better", key, m.Sense(), list)
		}
	}
}

func TestApplies(t *testing.T) {
	for key, want := range map[string][2]bool{
		"log_lik": {true, true}, "rmse": {true, false}, "error_rate": {false, true},
	} {
		if m := Get(key); m.Applies(task.Regression) != want[0] || m.Applies(task.Binary) != want[1] {
			t.Errorf("%s applies to regression: %v, classes: %v", key, !want[0], !want[1])
		}
	}
}

// A bound and an energy are not ranked against each other, and each keeps its own name.
func TestObjectivesOfDifferentMeaning(t *testing.T) {
	elbo := Source{Step: 1, Is: family.Objective{Name: "ELBO", Kind: family.Bound, Noisy: true}}
	energy := Source{Step: 1, Is: family.Objective{Name: "energy", Kind: family.Energy}}
	joint := Source{Step: 1, Is: family.Objective{Name: "log joint", Kind: family.LogJoint}}
	best := Get("val.best").In(elbo).Name
	last := Get("val.best").In(joint).Name
	if best == last {
		t.Errorf("the validation of samples is %q", last)
	}
	for _, c := range []struct {
		runs         []Source
		short, note  string
		thereAreBest bool
	}{
		{[]Source{elbo, {}, elbo}, "ELBO", "estimated at the last step", true},
		{[]Source{energy}, "energy", "at the last step", true},
		{[]Source{elbo, energy}, "objective", "at the last step", false},
		{[]Source{joint, joint}, "log joint", "at the last step", false},
		{nil, "objective", "at the last step", true},
	} {
		m := Get("objective").Among(c.runs)
		if m.Short != c.short || m.Note != c.note || (m.Better == Higher) != c.thereAreBest {
			t.Errorf("of %d runs: %+v", len(c.runs), m)
		}
	}
	if m := Get("kl").Among([]Source{elbo}); m.Short != "KL" {
		t.Errorf("KL is called %q", m.Short)
	}
}

// The score of one output is found by its key and the name of the output.
func TestObjectivesOfDifferentData(t *testing.T) {
	a := OfSummary(summary())
	b := OfSummary(summary())
	a.Is.Name, b.Is.Name = "ELBO", "ELBO"
	if m := Get("objective").Among([]Source{a, b}); m.Better != Higher {
		t.Errorf("of the same data: %+v", m)
	}
	b.Uses = "the rows that have Cd"
	if m := Get("objective").Among([]Source{a, b}); m.Better != Neither {
		t.Errorf("of different data: %+v", m)
	}
	if m := Get("rmse").Among([]Source{a, b}); m.Better != Lower {
		t.Errorf("scores on the same test part: %+v", m)
	}
}

func TestScoresOfOutputs(t *testing.T) {
	all, one, two := 3.0, 1.0, 5.0
	s := OfSummary(&rundir.Summary{Test: &rundir.Metrics{N: 10, RMSE: &all, Outputs: []*rundir.Metrics{
		{Output: "Cd", LogLik: -7, RMSE: &one, Coverage: map[string]float64{"95": 0.5}}, {Output: "a.b",
			RMSE: &two}}}})
	for key, want := range map[string]float64{
		"rmse": 3, "rmse.Cd": 1, "test.rmse.cd": 1, "RMSE.a.b": 5, "log_lik.Cd": -7, "coverage95.Cd": 0.5,
	} {
		m, ok := Find(key)
		if !ok {
			t.Errorf("%s is no metric", key)
			continue
		}
		if got, ok := m.Of(s); !ok || got != want {
			t.Errorf("%s is %v, %v; want %v", key, got, ok, want)
		}
	}
	for _, key := range []string{"rmse.Hg", "mae.Cd"} {
		if v, ok := Get(key).Of(s); ok {
			t.Errorf("%s is %v, though it was not measured", key, v)
		}
	}
	for _, key := range []string{"rmse.", "seconds.Cd", "error_rate.Cd", "val.best.Cd", "bleu.Cd"} {
		if m, ok := Find(key); ok {
			t.Errorf("%s is %+v", key, m)
		}
	}
	if m := Get("mae.Cd"); m.Key != "mae.Cd" || m.Name != "test MAE of Cd" || m.Better != Lower {
		t.Errorf("%+v", m)
	}
	// A run with one target names it.
	if v, ok := Get("rmse.Cd").Of(Source{Test: &rundir.Metrics{Output: "Cd", RMSE: &two}}); !ok || v != 5 {
		t.Errorf("of one target: %v, %v", v, ok)
	}
}
