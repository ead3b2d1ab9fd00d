package metric

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"dgplab/datasets/task"
	"dgplab/models"
	"dgplab/models/family"
	"dgplab/models/view"
	"dgplab/session"
	"dgplab/session/rundir"
)

// kl returns readings with the given KL term.
func kl(value float64) []rundir.Reading { return []rundir.Reading{{Key: "kl", Value: value}} }

// summary returns the summary of an evaluated regression run.
func summary() *rundir.Summary {
	rmse := rundir.Number(math.E)
	std := rundir.Number(-0.25)
	return &rundir.Summary{
		Step: 100, Seconds: 2, Objective: -7, Terms: kl(3), BestVal: -1, BestStep: 50,
		Rescues: 4, Parameters: 12,
		Test: &rundir.Metrics{
			N:         10,
			LogLik:    -1.5,
			NLL:       1.5,
			RMSE:      &rmse,
			StdLogLik: &std,
			Coverage:  map[string]rundir.Number{"95": 0.9},
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

// Values of the drift, of chains and of leave-one-out predictions exist only in runs that have them.
func TestDiagnostics(t *testing.T) {
	estimate := func(x float64) *rundir.Estimate { return &rundir.Estimate{Slope: rundir.Number(x)} }
	s := summary()
	s.Drift = &rundir.Drift{Validation: estimate(1), Objective: estimate(2), Noise: estimate(3)}
	s.Chains = new(rundir.Chains)
	s.Chains.Rhat, s.Chains.ESSBulk, s.Chains.ESSTail = 1.5, 40, 30
	s.LeaveOneOut = &rundir.LeaveOneOut{Metrics: rundir.Metrics{LogLik: -4}, Unreliable: 6}
	s.Evaluation = &rundir.Evaluation{Objective: -9}
	for key, want := range map[string]float64{
		"drift.validation": 1, "drift.objective": 2, "drift.noise": 3, "rhat": 1.5, "ess_bulk": 40,
		"ess_tail": 30, "loo.log_lik": -4, "loo.unreliable": 6, evaluation: -9,
	} {
		if v, ok := Get(key).Of(OfSummary(s)); !ok || v != want {
			t.Errorf("%s is %v, %v; want %v", key, v, ok, want)
		}
		if v, ok := Get(key).Of(OfSummary(summary())); ok {
			t.Errorf("%s is %v, though it was not measured", key, v)
		}
	}
	s.Drift = new(rundir.Drift)
	s.Chains.Rhat = view.Float(math.NaN())
	s.LeaveOneOut.Exact = true
	for _, key := range []string{"drift.validation", "rhat", "loo.unreliable"} {
		if v, ok := Get(key).Of(OfSummary(s)); ok {
			t.Errorf("%s is %v, though it is unknown", key, v)
		}
	}
}

// An ended run matches both its reason and "ended"; other runs match only their state.
func TestStatesOfQueries(t *testing.T) {
	c, ok := FindColumn("state")
	if !ok {
		t.Fatal("no column")
	}
	matches := func(info *rundir.Info, text string) bool {
		return c.each(OfInfo(info), func(value string) bool { return value == text })
	}
	ended := &rundir.Info{State: rundir.Ended, Results: &rundir.Summary{Stop: rundir.StopEarly}}
	running := &rundir.Info{State: rundir.Running}
	if !matches(ended, "ended") || matches(ended, "running") || matches(running, "ended") ||
		!matches(running, "running") {
		t.Error("wrong states")
	}
	// Other columns have at most one text.
	family, _ := FindColumn("family")
	all := func(string) bool { return true }
	star := OfInfo(&rundir.Info{ConfigFile: rundir.ConfigFile{Config: rundir.Config{Family: "star"}}})
	if !family.Matches(star, func(text string) bool { return text == "star" }) || !family.Has(star) ||
		family.Matches(OfInfo(new(rundir.Info)), all) || family.Has(OfInfo(new(rundir.Info))) {
		t.Error("wrong families")
	}
}

// The test of normality is that of the inducing outputs.
func TestNormality(t *testing.T) {
	s := summary()
	if v, ok := Get("normality").Of(OfSummary(s)); ok {
		t.Errorf("%v without chains", v)
	}
	s.Chains = new(rundir.Chains)
	s.Chains.Normality = []view.Normality{{Kind: view.FunctionValue, MinP: 0.1}}
	if v, ok := Get("normality").Of(OfSummary(s)); ok {
		t.Errorf("%v without inducing outputs", v)
	}
	s.Chains.Normality = append(s.Chains.Normality, view.Normality{Kind: view.InducingOutput, MinP: 0.3})
	if v, ok := Get("normality").Of(OfSummary(s)); !ok || v != 0.3 {
		t.Errorf("%v, %v", v, ok)
	}
}

// A snapshot and the files of the same run give the same values.
func TestViewsAgree(t *testing.T) {
	soFar := rundir.Summary{Step: 20, Seconds: 4, Rescues: 2, Objective: -9, Terms: kl(1)}
	files := OfInfo(&rundir.Info{Step: 20, Results: &soFar})
	live := OfSnapshot(&session.Snapshot{Summary: soFar})
	for _, m := range All() {
		v, known := m.Of(files)
		w, too := m.Of(live)
		if known != too || known && v != w {
			t.Errorf("%s is %v, %v in the files and %v, %v live", m.Key, v, known, w, too)
		}
	}
	for _, nothing := range []Run{OfSummary(nil), OfSnapshot(nil), OfInfo(new(rundir.Info))} {
		for _, m := range All() {
			if v, ok := m.Of(nothing); ok && m.Key != "step" {
				t.Errorf("%s is %v without a run", m.Key, v)
			}
		}
	}
}

// The time per step is the recent time, or the average if no speed is known.
func TestTimeOfAStep(t *testing.T) {
	for _, c := range []struct {
		s    session.Snapshot
		want float64
	}{
		{session.Snapshot{Summary: rundir.Summary{StepsPerSecond: 50, Step: 10, Seconds: 100}}, 20},
		{session.Snapshot{Summary: rundir.Summary{Step: 10, Seconds: 5}}, 500},
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
		for _, name := range append([]string{m.Key}, m.Aliases...) {
			if seen[name] {
				t.Errorf("%s is two metrics", name)
			}
			seen[name] = true
			if found, ok := Find(name); !ok || found.Key != m.Key {
				t.Errorf("%s is %q, not %q", name, found.Key, m.Key)
			}
		}
		if (m.Better == Neither) != (m.Sense() == "") {
			t.Errorf("%+v", m)
		}
	}
	for _, key := range []string{"bleu", "dataset", "inducing"} {
		if m, ok := Find(key); ok {
			t.Errorf("%s is %+v", key, m)
		}
	}
}

func TestColumns(t *testing.T) {
	keys := Keys(Columns())
	for i, c := range Columns() {
		if c.Key == "" || c.Name == "" || c.Short == "" || c.Key != strings.ToLower(c.Key) ||
			slices.Contains(keys[:i], c.Key) || strings.ContainsAny(c.Key, ` :=<>!"`) {
			t.Errorf("column %+v", c)
		}
		if (c.read == nil) == (c.text == nil) || c.IsNumber() != (c.read != nil) {
			t.Errorf("%s is neither a number nor a text, or both", c.Key)
		}
		for _, alias := range c.Aliases { // An alias of a column must not be the name of another.
			if found, ok := FindColumn(alias); !ok || found.Key != c.Key {
				t.Errorf("%s is %q, not %q", alias, found.Key, c.Key)
			}
		}
	}
	for _, key := range []string{"id", "coverage95", "inducing", "steps", "sweep"} {
		if !slices.Contains(keys, key) {
			t.Errorf("no column %s", key)
		}
	}
}

// A run directory and a run in training have the same properties.
func TestProperties(t *testing.T) {
	config := rundir.Config{Dataset: "/data/boston.csv", Family: "svgp", Split: "standard:9", Seed: 1 << 62}
	values := models.Values{"inducing": "64"}
	created := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	file := rundir.ConfigFile{ID: "r", Config: config, Values: values, Created: created}
	files := OfInfo(&rundir.Info{ConfigFile: file, State: rundir.Running, Step: 30, Steps: 100,
		Notes: rundir.Notes{Name: "first", Tags: []string{"a", "b"}}})
	live := OfSnapshot(&session.Snapshot{
		Summary: rundir.Summary{ID: "r", Config: config, Values: values, Step: 30},
		State:   rundir.Running,
		Steps:   100,
	})
	for key, want := range map[string]string{
		"id": "r", "dataset": "boston.csv", "family": "svgp", "split": "standard:9", "preset": "default",
		"seed": "4611686018427387904", "state": "running 30%", "inducing": "64", "stop": "", "sweep": "",
	} {
		c := Get(key)
		if got := c.Cell(files); got != want || c.Cell(live) != want {
			t.Errorf("%s is %q in the files and %q live, want %q", key, got, c.Cell(live), want)
		}
	}
	if got := Get("tag").Cell(files); got != "a b" || Get("tag").Cell(live) != "" {
		t.Errorf("tags %q", got)
	}
	if got, ok := Get("created").Of(files); !ok || got != float64(created.Unix()) {
		t.Errorf("created %v, %v", got, ok)
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
			t.Errorf("%s, %s: %v is not sorted from worse to better", key, m.Sense(), list)
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

// A bound and an energy are not ranked against each other, and keep their own names.
func TestObjectivesOfDifferentMeaning(t *testing.T) {
	of := func(is family.Objective) Run { return OfSummary(&rundir.Summary{Step: 1, ObjectiveIs: is}) }
	elbo := of(family.Objective{Name: "ELBO", Kind: family.Bound, Noisy: true})
	energy := of(family.Objective{Name: "energy", Kind: family.Energy})
	joint := of(family.Objective{Name: "log joint", Kind: family.LogJoint})
	best := Get("val.best").In(elbo).Name
	last := Get("val.best").In(joint).Name
	if best == last {
		t.Errorf("the validation of samples is %q", last)
	}
	for _, c := range []struct {
		runs         []Run
		short, note  string
		thereAreBest bool
	}{
		{[]Run{elbo, OfSummary(nil), elbo}, "ELBO", "estimated at the last step", true},
		{[]Run{energy}, "energy", "at the last step", true},
		{[]Run{elbo, energy}, "objective", "at the last step", false},
		{[]Run{joint, joint}, "log joint", "at the last step", false},
		{nil, "objective", "at the last step", true},
	} {
		m := Get("objective").Among(c.runs)
		if m.Short != c.short || m.Note != c.note || (m.Better == Higher) != c.thereAreBest {
			t.Errorf("for %d runs: %+v", len(c.runs), m)
		}
	}
	if m := Get("kl").Among([]Run{elbo}); m.Short != "KL" {
		t.Errorf("KL has the name %q", m.Short)
	}
}

// Runs on different data cannot be compared by their objective.
func TestObjectivesOfDifferentData(t *testing.T) {
	first := summary()
	second := summary()
	first.ObjectiveIs.Name, second.ObjectiveIs.Name = "ELBO", "ELBO"
	a := OfSummary(first)
	b := OfSummary(second)
	if m := Get("objective").Among([]Run{a, b}); m.Better != Higher {
		t.Errorf("on the same data: %+v", m)
	}
	second.Data = rundir.DataFacts{Uses: "the rows that have Cd"}
	if m := Get("objective").Among([]Run{a, b}); m.Better != Neither {
		t.Errorf("on different data: %+v", m)
	}
	if m := Get("rmse").Among([]Run{a, b}); m.Better != Lower {
		t.Errorf("scores on the same test set: %+v", m)
	}
}

func TestScoresOfOutputs(t *testing.T) {
	all := rundir.Number(3)
	std := rundir.Number(2)
	one := rundir.Number(1)
	two := rundir.Number(5)
	s := OfSummary(&rundir.Summary{Test: &rundir.Metrics{N: 10, RMSE: &all, MAE: &all, CRPS: &all,
		StdRMSE: &std, Outputs: []*rundir.Metrics{
			{Output: "Cd", LogLik: -7, RMSE: &one, Coverage: map[string]rundir.Number{"95": 0.5}},
			{Output: "a.b", RMSE: &two}}}})
	for key, want := range map[string]float64{
		"rmse_std": 2, "rmse.Cd": 1, "test.rmse.cd": 1, "RMSE.a.b": 5, "log_lik.Cd": -7, "coverage95.Cd": 0.5,
	} {
		m, ok := Find(key)
		if !ok {
			t.Errorf("%s is not a metric", key)
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
	// The units of several targets may differ.
	for _, key := range []string{"rmse", "mae", "crps"} {
		if v, ok := Get(key).Of(s); ok {
			t.Errorf("the total %s over two targets is %v", key, v)
		}
	}
	if m := Get("rmse").OfTargets(s); m.Key != "rmse_std" {
		t.Errorf("for two targets rmse is replaced by %s", m.Key)
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
	if v, ok := Get("rmse.Cd").Of(OfScores(&rundir.Metrics{Output: "Cd", RMSE: &two})); !ok || v != 5 {
		t.Errorf("with one target: %v, %v", v, ok)
	}
}
