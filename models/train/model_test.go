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

// New panics if the gauges of the method differ from the gauges of the objective.
func TestGaugesMismatch(t *testing.T) {
	for want, gauges := range map[string][]family.Reading{
		"train: the objective declares 0 gauges, the method has 2": nil,
		`train: gauge 1 is "gradient_norm", the objective declares "learning_rate"`: {family.LearningRate,
			family.LearningRate},
	} {
		func() {
			defer func() {
				if got := recover(); got != want {
					t.Errorf("panic %v, want %s", got, want)
				}
			}()
			_, _ = New(family.Objective{Gauges: gauges}, newParabola(t), infer.NewAdam(1, infer.Schedule{}))
		}()
	}
}

// The error of a sampler advises lowering the step size, because samplers have no learning rate.
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
