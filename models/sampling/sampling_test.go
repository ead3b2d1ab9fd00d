package sampling

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
	"dgplab/models/familytest"
	"dgplab/models/infer"
	"dgplab/models/param"
	"dgplab/models/predictive"
)

// gaussian is the log density of N(mean, precision^-1) without its constant.
type gaussian struct {
	set       *param.Set
	x, mean   []float64
	precision [][]float64
	terms     []float64
	fail      error // returned by the next evaluation
	evaluated func()
}

func newGaussian(t testing.TB, mean []float64, precision [][]float64) *gaussian {
	t.Helper()
	g := &gaussian{x: make([]float64, len(mean)), mean: mean, precision: precision, terms: make([]float64, 1)}
	set, err := param.NewSet(&param.Parameter{
		Name:      "x",
		Shape:     []int{len(mean)},
		Transform: param.Identity{},
		Value:     g.x,
	})
	if err != nil {
		t.Fatal(err)
	}
	g.set = set
	return g
}

func (g *gaussian) Parameters() *param.Set { return g.set }
func (g *gaussian) Draw(uint64)            {}
func (g *gaussian) Terms() []float64       { return g.terms }
func (g *gaussian) Rescues() int           { return 0 }
func (g *gaussian) State() []param.Array   { return nil }

func (g *gaussian) Evaluate(dFree []float64) (value float64, err error) {
	for i, row := range g.precision {
		var d float64
		for j, a := range row {
			d -= a * (g.x[j] - g.mean[j])
		}
		value += 0.5 * d * (g.x[i] - g.mean[i])
		if dFree != nil {
			dFree[i] = d
		}
	}
	g.terms[0] = value
	if g.evaluated != nil {
		g.evaluated()
	}
	return value, g.fail
}

// The target is a three-dimensional Gaussian with a precision matrix of eigenvalues 1, 4 and 16.
var (
	targetMean      = []float64{1, -2, 0.5}
	targetPrecision = [][]float64{{10, 6, 0}, {6, 10, 0}, {0, 0, 1}}
)

var testObjective = family.Objective{
	Name:  "log joint",
	Kind:  family.LogJoint,
	Terms: []family.Reading{{Key: "all", Name: "all"}},
}

// newModel returns a model with the given number of chains, and their problems.
func newModel(
	t testing.TB, chains int, phases Phases, method func(n int, draws Draws) infer.Method,
) (*testModel, []*gaussian) {
	t.Helper()
	var list []Chain
	var targets []*gaussian
	for _, seed := range Seeds(3, chains) {
		g := newGaussian(t, targetMean, targetPrecision)
		targets = append(targets, g)
		list = append(list, Chain{Problem: g, Method: method(len(targetMean), NewDraws(seed))})
	}
	o := testObjective
	o.Gauges = list[0].Method.Gauges()
	m, err := New(o, phases, list)
	if err != nil {
		t.Fatal(err)
	}
	return &testModel{Model: m}, targets
}

// testModel adds stubs for the remaining methods of family.Model.
type testModel struct{ *Model }

func (m *testModel) Hyper() []family.Quantity { return nil }

func (m *testModel) Predict(*mat.Dense, int, uint64) (predictive.Predictive, error) { return nil, nil }

func trajectories(burnIn int) func(n int, draws Draws) infer.Method {
	return trajectoriesFrom(0.1, burnIn)
}

func trajectoriesFrom(size float64, burnIn int) func(n int, draws Draws) infer.Method {
	return func(n int, draws Draws) infer.Method {
		return NewHMC(n, HMCOptions{StepSize: size, Leapfrogs: 5, Jitter: 0.2, BurnIn: burnIn, Target: 0.8},
			draws)
	}
}

func langevin(burnIn int) func(n int, draws Draws) infer.Method {
	return func(n int, draws Draws) infer.Method {
		return NewSGLD(slices.Repeat([]float64{0.1}, n), Decay{Start: 4, Steps: burnIn}, draws)
	}
}

var methods = map[string]func(burnIn int) func(n int, draws Draws) infer.Method{
	"hmc": trajectories, "sgld": langevin,
}

// A run resumed during or after burn-in equals an uninterrupted run, regardless of the number of
// processors, and steps do not allocate.
func TestStepsAreReproducible(t *testing.T) {
	for name, method := range methods {
		for _, chains := range []int{1, 4} {
			build := func() family.Model {
				m, _ := newModel(t, chains, Phases{BurnIn: 10, Kept: 3, Thinning: 2}, method(10))
				return m
			}
			what := fmt.Sprintf("%s, %d chains", name, chains)
			familytest.Allocates(t, what, familytest.Resumes(t, what, build, nil, 30, 3, 10, 27), 0)
		}
	}
}

// A chain does not depend on the number of chains after it, and no two chains are equal.
func TestChainsAreIndependent(t *testing.T) {
	few, _ := newModel(t, 2, Phases{Kept: 5, Thinning: 1}, trajectories(0))
	many, _ := newModel(t, 4, Phases{Kept: 5, Thinning: 1}, trajectories(0))
	familytest.Steps(t, few, 5)
	familytest.Steps(t, many, 5)
	if few.Chains() != 2 || many.Chains() != 4 {
		t.Errorf("%d and %d chains", few.Chains(), many.Chains())
	}
	for c := range 2 {
		if !slices.Equal(slices.Concat(few.Draws(c)...), slices.Concat(many.Draws(c)...)) {
			t.Errorf("chain %d depends on the number of chains", c)
		}
	}
	if slices.Equal(many.Draws(0)[4], many.Draws(1)[4]) {
		t.Error("two chains are the same")
	}
}

// Phases have the requested lengths, reports are means over chains, and predictions average over
// the kept samples.
func TestPhases(t *testing.T) {
	m, targets := newModel(t, 2, Phases{BurnIn: 4, Kept: 3, Thinning: 2}, trajectories(4))
	for step := 1; step <= 10; step++ {
		r := familytest.Steps(t, m, 1)
		want := BurnIn
		if step > 4 {
			want = Sampling
		}
		if r.Phase != want || r.Converged {
			t.Errorf("step %d: %q", step, r.Phase)
		}
		mean := (targets[0].terms[0] + targets[1].terms[0]) / 2
		if math.Abs(r.Objective-mean) > 1e-12 || math.Abs(r.Terms[0]-mean) > 1e-12 {
			t.Errorf("step %d: objective %v, terms %v, want %v", step, r.Objective, r.Terms, mean)
		}
		kept := max(0, (step-4)/2)
		if got := len(m.Draws(1)); got != kept {
			t.Errorf("step %d: %d kept, want %d", step, got, kept)
		}
		averaged := m.PredictionSamples(100)
		if len(averaged) != max(2, 2*kept) {
			t.Errorf("step %d: %d are averaged", step, len(averaged))
		}
		if kept == 0 && !slices.Equal(averaged[1], targets[1].x) {
			t.Errorf("step %d: %v is not the present position", step, averaged[1])
		}
		if n := len(m.PredictionSamples(3)); n != min(3, len(averaged)) {
			t.Errorf("step %d: %d of 3", step, n)
		}
	}
}

// If one chain fails, no chain moves.
func TestFailedStepsChangeNothing(t *testing.T) {
	for _, chains := range []int{1, 3} {
		for name, method := range methods {
			m, targets := newModel(t, chains, Phases{BurnIn: 2, Kept: 3, Thinning: 1}, method(2))
			other, _ := newModel(t, chains, Phases{BurnIn: 2, Kept: 3, Thinning: 1}, method(2))
			familytest.Steps(t, m, 4)
			familytest.Restore(t, other, m)
			for _, g := range targets[chains-1:] {
				g.fail = errors.New("no")
			}
			_, err := m.Step(context.Background())
			want := "no"
			if chains > 1 {
				want = "chain 3: no"
			}
			if err == nil || err.Error() != want {
				t.Errorf("%s: %v", name, err)
			}
			familytest.SameState(t, name, m, other)
			targets[chains-1].fail = nil
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			if _, err := m.Step(ctx); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", name, err)
			}
			familytest.SameState(t, name, m, other)
		}
	}
}

// A failed first step can be repeated.
func TestFailedFirstStep(t *testing.T) {
	for name, method := range methods {
		m, targets := newModel(t, 1, Phases{BurnIn: 2, Kept: 3, Thinning: 1}, method(2))
		other, _ := newModel(t, 1, Phases{BurnIn: 2, Kept: 3, Thinning: 1}, method(2))
		targets[0].fail = errors.New("no")
		if _, err := m.Step(t.Context()); err == nil || err.Error() != "no" {
			t.Errorf("%s: %v", name, err)
		}
		targets[0].fail = nil
		familytest.Steps(t, m, 3)
		familytest.Steps(t, other, 3)
		familytest.SameState(t, name, m, other)
	}
}

// After any number of steps, the samples of the reservoir are evenly spaced.
func TestReservoir(t *testing.T) {
	for _, room := range []int{1, 2, 5, 8} {
		r := NewReservoir(room, 3, 1)
		for step := 1; step <= 200; step++ {
			r.Add(step, []float64{float64(step)})
			distance := r.Distance()
			want := step / distance
			got := r.Samples()
			if len(got) != want || want > room {
				t.Fatalf("room %d, step %d: %d samples, %d apart", room, step, len(got), distance)
			}
			for k, s := range got {
				if s[0] != float64((k+1)*distance) {
					t.Fatalf("room %d, step %d: sample %d is of step %v, want %d",
						room, step, k, s[0], (k+1)*distance)
				}
			}
			// Nothing is dropped before the reservoir is full.
			if step <= 3*room && distance != 3 {
				t.Fatalf("room %d, step %d: %d apart", room, step, distance)
			}
		}
	}
}

func TestDamagedReservoirs(t *testing.T) {
	for want, spoil := range map[string]func(r *Reservoir){
		"9 of 2 samples are kept, 1 steps apart":  func(r *Reservoir) { r.numbers[reservoirCount] = 9 },
		"-1 of 2 samples are kept, 1 steps apart": func(r *Reservoir) { r.numbers[reservoirCount] = -1 },
		"NaN of 2 samples are kept, 1 steps apart": func(r *Reservoir) {
			r.numbers[reservoirCount] = math.NaN()
		},
		"0 of 2 samples are kept, 0 steps apart": func(r *Reservoir) { r.numbers[reservoirDistance] = 0 },
		"0 of 2 samples are kept, NaN steps apart": func(r *Reservoir) {
			r.numbers[reservoirDistance] = math.NaN()
		},
	} {
		r := NewReservoir(2, 1, 1)
		spoil(r)
		if err := r.Restored(); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestDecay(t *testing.T) {
	d := Decay{Start: 100, Steps: 1000}
	if d.At(0) != 100 || d.At(1000) != 1 || d.At(5000) != 1 || math.Abs(d.At(999)-1) > 0.01 {
		t.Errorf("%v %v %v", d.At(0), d.At(999), d.At(1000))
	}
	// a (b + t)^-0.55 raised to the power -1/0.55 is linear in t.
	line := func(step uint64) float64 { return math.Pow(d.At(step), -1/0.55) }
	if math.Abs(line(500)-(line(0)+line(1000))/2) > 1e-12 {
		t.Errorf("halfway: %v", d.At(500))
	}
}

// The error for a non-finite objective names the step and the setting to lower.
func TestNotFinite(t *testing.T) {
	m, targets := newModel(t, 1, Phases{Kept: 1, Thinning: 1}, langevin(0))
	familytest.Steps(t, m, 2)
	targets[0].mean = []float64{math.NaN(), 0, 0}
	const want = "step 2: the log joint is not finite; lower the step size or check the data"
	if _, err := m.Step(context.Background()); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// A cancelled trajectory, including the first one, can be repeated with the same result.
func TestCancelledTrajectories(t *testing.T) {
	phases := Phases{BurnIn: 10, Kept: 3, Thinning: 2}
	whole, _ := newModel(t, 2, phases, trajectoriesFrom(1e-3, 10))
	familytest.Steps(t, whole, 12)
	for _, stop := range []int{0, 5, 11} {
		m, targets := newModel(t, 2, phases, trajectoriesFrom(1e-3, 10))
		familytest.Steps(t, m, stop)
		ctx, cancel := context.WithCancel(context.Background())
		evaluations := 0
		targets[1].evaluated = func() {
			evaluations++
			if evaluations == 3 {
				cancel()
			}
		}
		if _, err := m.Step(ctx); !errors.Is(err, context.Canceled) || m.StepsDone() != stop {
			t.Errorf("step %d: %v after %d steps", stop, err, m.StepsDone())
		}
		familytest.Steps(t, m, 12-stop)
		familytest.SameState(t, "cancelled", whole, m)
		cancel()
	}
}

// failsOnce is a problem whose first evaluation fails.
type failsOnce struct {
	infer.Problem
	failed bool
}

var errFirst = errors.New("the first evaluation fails")

func (p *failsOnce) Evaluate(gradient []float64) (float64, error) {
	if !p.failed {
		p.failed = true
		return 0, errFirst
	}
	return p.Problem.Evaluate(gradient)
}

// A failure at the start of the first trajectory is an error of the step.
func TestFirstEvaluationFails(t *testing.T) {
	for name, method := range methods {
		g := newGaussian(t, []float64{0}, [][]float64{{1}})
		_, err := method(10)(1, NewDraws(1)).Step(t.Context(), &failsOnce{Problem: g}, 0)
		if !errors.Is(err, errFirst) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
