package train

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"dgplab/models/family"
	"dgplab/models/infer"
	"dgplab/models/linalg"
	"dgplab/models/param"
)

// parabola is the problem -(x - draw)^2 / 2 of one positive number, with hooks that inject
// failures.
type parabola struct {
	set      *param.Set
	x        []float64
	draw     float64
	terms    []float64
	rescues  int
	fail     error
	value    func(float64) float64
	gradient func(float64) float64
}

func newParabola(t *testing.T) *parabola {
	t.Helper()
	p := &parabola{x: []float64{2}, terms: make([]float64, 1)}
	set, err := param.NewSet(&param.Parameter{
		Name:      "x",
		Shape:     []int{1},
		Transform: param.Positive{},
		Value:     p.x,
	})
	if err != nil {
		t.Fatal(err)
	}
	p.set = set
	return p
}

func (p *parabola) Parameters() *param.Set { return p.set }
func (p *parabola) Draw(step uint64)       { p.draw = 1 + 0.1*float64(step%3) }
func (p *parabola) Terms() []float64       { return p.terms }
func (p *parabola) Rescues() int           { return p.rescues }
func (p *parabola) State() []param.Array   { return nil }

func (p *parabola) Evaluate(dFree []float64) (float64, error) {
	if p.fail != nil {
		return 0, p.fail
	}
	d := p.x[0] - p.draw
	value, gradient := -d*d/2, -d
	if p.value != nil {
		value = p.value(value)
	}
	if p.gradient != nil {
		gradient = p.gradient(gradient)
	}
	p.terms[0] = value
	p.rescues++
	if dFree != nil {
		p.set.Pullback(dFree, [][]float64{{gradient}})
	}
	return value, nil
}

var objective = family.Objective{
	Name: "parabola", Kind: family.Surrogate, Terms: []family.Reading{{Key: "all", Name: "all"}},
	Gauges: []family.Reading{family.LearningRate, family.GradientNorm},
}

func newModel(t *testing.T, p *parabola) *Model {
	t.Helper()
	m, err := New(objective, p, infer.NewAdam(1, infer.Schedule{Rate: 0.05}))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestSteps(t *testing.T) {
	p := newParabola(t)
	m := newModel(t, p)
	for range 200 {
		r, err := m.Step(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if r.Terms[0] != r.Objective || len(r.Gauges) != 2 || r.Gauges[0] != 0.05 ||
			r.Rescues != 1 || r.Converged {
			t.Fatalf("report %+v", r)
		}
	}
	if m.StepsDone() != 200 || m.NumParameters() != 1 || math.Abs(p.x[0]-1.1) > 0.1 {
		t.Errorf("after %d steps x is %v", m.StepsDone(), p.x[0])
	}
}

// Errors name the step and leave the state unchanged.
func TestFailedStepsChangeNothing(t *testing.T) {
	nan := func(float64) float64 { return math.NaN() }
	for name, c := range map[string]struct {
		spoil func(*parabola)
		want  string
	}{
		"objective": {func(p *parabola) { p.value = nan },
			"step 3: the parabola is not finite; lower the learning rate or check the data"},
		"gradient": {func(p *parabola) { p.gradient = nan },
			"step 3: the gradient of x is not finite; lower the learning rate or check the data"},
		"matrix": {func(p *parabola) { p.fail = &linalg.NotPositiveDefiniteError{Matrix: "K"} },
			(&linalg.NotPositiveDefiniteError{Matrix: "K", Step: 3}).Error()},
		"numbers": {func(p *parabola) { p.fail = &linalg.NaNError{Matrix: "K"} },
			(&linalg.NaNError{Matrix: "K", Step: 3}).Error()},
	} {
		p := newParabola(t)
		m := newModel(t, p)
		for range 3 {
			if _, err := m.Step(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		before := numbers(m)
		c.spoil(p)
		if _, err := m.Step(context.Background()); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
		if !slices.Equal(numbers(m), before) {
			t.Errorf("%s: the state changed", name)
		}
	}
}

// numbers returns all numbers of a model's state.
func numbers(m *Model) (list []float64) {
	for _, a := range m.State() {
		list = append(list, a.Data...)
	}
	return list
}

func TestCancelledBeforeAStep(t *testing.T) {
	m := newModel(t, newParabola(t))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := m.Step(ctx); !errors.Is(err, context.Canceled) || m.StepsDone() != 0 {
		t.Errorf("%v after %d steps", err, m.StepsDone())
	}
}

func TestRestored(t *testing.T) {
	p := newParabola(t)
	m := newModel(t, p)
	m.State()[1].Data[0] = 3
	if err := m.Restored(); err != nil || math.Abs(p.x[0]-math.Log1p(math.Exp(3))) > 1e-12 {
		t.Errorf("x is %v, %v", p.x[0], err)
	}
	m.State()[2].Data[0] = math.NaN()
	if err := m.Restored(); err == nil ||
		err.Error() != "the checkpoint is damaged: entry 0 of adam.first is NaN" {
		t.Errorf("a damaged checkpoint: %v", err)
	}
}

func TestGaugesMismatch(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a method whose gauges differ from the objective's was accepted")
		}
	}()
	_, _ = New(family.Objective{Name: "none"}, newParabola(t), infer.NewAdam(1, infer.Schedule{Rate: 1}))
}

func TestMinibatchesVisitEveryRowOncePerEpoch(t *testing.T) {
	const n, b = 10, 4
	s := NewMinibatches(7, n, b)
	var rows []int
	for k := range 5 { // two epochs
		rows = append(rows, s.Rows(k)...)
	}
	for epoch := range 2 {
		sorted := slices.Sorted(slices.Values(rows[epoch*n : (epoch+1)*n]))
		if !slices.Equal(sorted, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}) {
			t.Errorf("epoch %d visits %v", epoch, sorted)
		}
	}
	if again := NewMinibatches(7, n, b).Rows(3); !slices.Equal(again, rows[12:16]) {
		t.Errorf("minibatch 3 alone is %v, in order %v", again, rows[12:16])
	}
}

// The advice for a sampler is its step size, because it has no learning rate.
func TestFailedStepOfASampler(t *testing.T) {
	p := newParabola(t)
	m := newModel(t, p)
	m.objective.Kind = family.LogJoint
	p.value = func(float64) float64 { return math.Inf(1) }
	want := "step 0: the parabola is not finite; lower the step size or check the data"
	if _, err := m.Step(context.Background()); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// whole is a Model with the methods of a family.Model that tests of warm starts do not call.
type whole struct {
	family.Model
	inner *Model
}

func (w whole) Inner() *Model { return w.inner }

// A warm start copies parameters of the same name and shape, and the moments of the optimiser on
// request. The copied model continues like the original one.
func TestWarmStart(t *testing.T) {
	from := newModel(t, newParabola(t))
	for range 5 {
		if _, err := from.Step(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	value := func(m *Model) float64 { return m.problem.(*parabola).x[0] }
	for _, optimiser := range []bool{false, true} {
		to := newModel(t, newParabola(t))
		moved, err := WarmStart(whole{inner: to}, whole{inner: from}, optimiser)
		if err != nil || !slices.Equal(moved.Copied, []string{"x"}) ||
			moved.Own != nil || moved.Unused != nil ||
			moved.Optimiser != optimiser {
			t.Fatalf("%+v, %v", moved, err)
		}
		if value(to) != value(from) || value(to) == 2 || to.StepsDone() != 0 {
			t.Errorf("x is %v after %d steps, want %v", value(to), to.StepsDone(), value(from))
		}
		same := slices.EqualFunc(to.method.State(), from.method.State(), func(a, b param.Array) bool {
			return slices.Equal(a.Data, b.Data)
		})
		if same != optimiser {
			t.Errorf("optimiser %v: the moments are the same: %v", optimiser, same)
		}
	}
	if _, err := WarmStart(whole{inner: from}, nil, true); err == nil {
		t.Error("a model without parameters supplies them")
	}
	other := newParabola(t)
	other.set.Params()[0].Name = "y"
	to := newModel(t, other)
	if moved, err := WarmStart(whole{inner: to}, whole{inner: from}, true); err == nil || value(to) != 2 ||
		!slices.Equal(moved.Own, []string{"y"}) || !slices.Equal(moved.Unused, []string{"x"}) {
		t.Errorf("another parameter: %+v, %v, y is %v", moved, err, value(to))
	}
}
