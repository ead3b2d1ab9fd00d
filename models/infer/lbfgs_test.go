package infer

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/optimize"

	"dgplab/models/linalg"
	"dgplab/models/param"
)

// hill is a maximisation problem: the negative of a function to minimise.
type hill struct {
	set      *param.Set
	minus    func(gradient, x []float64) float64
	calls    int
	before   func(call int) error // called before each evaluation, which returns its error
	lastFree []float64            // free entries at the last evaluation
}

func newHill(t *testing.T, start []float64, minus func(gradient, x []float64) float64) *hill {
	t.Helper()
	p := &param.Parameter{
		Name:      "x",
		Shape:     []int{len(start)},
		Value:     append([]float64(nil), start...),
		Transform: param.Identity{},
	}
	set, err := param.NewSet(p)
	if err != nil {
		t.Fatal(err)
	}
	return &hill{set: set, minus: minus, lastFree: make([]float64, len(start))}
}

func (h *hill) Parameters() *param.Set { return h.set }
func (h *hill) Draw(uint64)            {}

func (h *hill) Evaluate(dFree []float64) (float64, error) {
	h.calls++
	if h.before != nil {
		if err := h.before(h.calls); err != nil {
			return 0, err
		}
	}
	copy(h.lastFree, h.set.Free)
	value := h.minus(dFree, h.set.Params()[0].Value)
	for i := range dFree {
		dFree[i] = -dFree[i]
	}
	return -value, nil
}

// rosenbrock is the sum of 100 (x_i+1 - x_i^2)^2 + (1 - x_i)^2.
func rosenbrock(gradient, x []float64) (sum float64) {
	clear(gradient)
	for i := range len(x) - 1 {
		a, b := x[i+1]-x[i]*x[i], 1-x[i]
		sum += 100*a*a + b*b
		gradient[i] += -400*a*x[i] - 2*b
		gradient[i+1] += 200 * a
	}
	return sum
}

// quadratic returns half the sum of scales_i (x_i - i)^2.
func quadratic(scales ...float64) func(gradient, x []float64) float64 {
	return func(gradient, x []float64) (sum float64) {
		for i, a := range scales {
			d := x[i] - float64(i)
			sum += 0.5 * a * d * d
			gradient[i] = a * d
		}
		return sum
	}
}

// runToConvergence takes steps until one reports convergence, and fails after limit steps.
func runToConvergence(t *testing.T, b *LBFGS, h *hill, limit int) {
	t.Helper()
	value := math.Inf(-1)
	for step := range limit {
		move, err := b.Step(context.Background(), h, uint64(step))
		if err != nil {
			t.Fatal(err)
		}
		if move.Objective < value {
			t.Fatalf("step %d went down from %v to %v", step, value, move.Objective)
		}
		for i, x := range h.set.Free {
			if h.lastFree[i] != x {
				t.Fatalf("step %d did not end at its last evaluation", step)
			}
		}
		value = move.Objective
		if move.Converged {
			return
		}
	}
	t.Fatalf("no convergence in %d steps; the objective is %v", limit, value)
}

func TestLBFGSFindsOptima(t *testing.T) {
	var scales [20]float64
	for i := range scales {
		scales[i] = math.Pow(10, 4*float64(i)/19)
	}
	for name, c := range map[string]struct {
		start []float64
		minus func(gradient, x []float64) float64
		limit int // of steps
	}{
		"one dimension":   {[]float64{7}, quadratic(3), 3},
		"quadratic":       {make([]float64, 3), quadratic(1, 4, 0.5), 12},
		"ill-conditioned": {make([]float64, 20), quadratic(scales[:]...), 1000},
		"Rosenbrock":      {[]float64{-1.2, 1}, rosenbrock, 60},
		"Rosenbrock, 10":  {[]float64{-1.2, 1, -1.2, 1, -1.2, 1, -1.2, 1, -1.2, 1}, rosenbrock, 120},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHill(t, c.start, c.minus)
			runToConvergence(t, NewLBFGS(len(c.start), 10, Tolerances{Gradient: 1e-9}), h, c.limit)

			problem := optimize.Problem{
				Func: func(x []float64) float64 { return c.minus(make([]float64, len(x)), x) },
				Grad: func(g, x []float64) { c.minus(g, x) },
			}
			want, err := optimize.Minimize(problem, c.start,
				&optimize.Settings{GradientThreshold: 1e-9}, &optimize.LBFGS{})
			if err != nil {
				t.Fatal(err)
			}
			for i, x := range want.X {
				if math.Abs(h.set.Free[i]-x) > 1e-6 {
					t.Errorf("entry %d is %v, gonum's %v", i, h.set.Free[i], x)
				}
			}
		})
	}
}

// logBarrier is x - log(x) for positive x, with its minimum at 1. For other x it is infinite, or
// its evaluation fails.
func logBarrier(gradient, x []float64) float64 {
	gradient[0] = 1 - 1/x[0]
	if x[0] <= 0 {
		gradient[0] = math.NaN()
		return math.Inf(1)
	}
	return x[0] - math.Log(x[0])
}

func TestLBFGSShortensStepsThatFail(t *testing.T) {
	h := newHill(t, []float64{0.01}, logBarrier) // The first step along the gradient is long.
	runToConvergence(t, NewLBFGS(1, 5, Tolerances{Gradient: 1e-9}), h, 30)
	if math.Abs(h.set.Free[0]-1) > 1e-8 {
		t.Errorf("ended at %v", h.set.Free[0])
	}

	failures := 0
	h = newHill(t, []float64{3}, quadratic(1))
	h.before = func(int) error {
		if x := h.set.Free[0]; x < 2.5 && failures < 4 {
			failures++
			return &linalg.NotPositiveDefiniteError{Matrix: "K", Step: -1}
		}
		return nil
	}
	runToConvergence(t, NewLBFGS(1, 5, Tolerances{Gradient: 1e-9}), h, 30)
	if math.Abs(h.set.Free[0]) > 1e-8 || failures != 4 {
		t.Errorf("ended at %v after %d failures", h.set.Free[0], failures)
	}
}

func TestLBFGSConvergence(t *testing.T) {
	// At the optimum the first step does not move and reports convergence.
	h := newHill(t, []float64{0, 1}, quadratic(1, 1))
	move, err := NewLBFGS(2, 5, Tolerances{Gradient: 1e-6}).Step(context.Background(), h, 1)
	if err != nil || !move.Converged || move.Gauges[1] != 0 || h.set.Free[0] != 0 || h.set.Free[1] != 1 {
		t.Errorf("at the optimum: %+v, %v, %v", move, err, h.set.Free)
	}

	// With a wrong gradient, no search finds a higher value.
	h = newHill(t, []float64{0.5}, func(gradient, x []float64) float64 {
		gradient[0] = -1
		return x[0]
	})
	move, err = NewLBFGS(1, 5, Tolerances{Gradient: 1e-6}).Step(context.Background(), h, 1)
	if err != nil || !move.Converged || h.set.Free[0] != 0.5 {
		t.Errorf("no way up: %+v, %v, %v", move, err, h.set.Free)
	}

	// The method ends even if the tolerance is below rounding error.
	h = newHill(t, []float64{-1.2, 1}, func(gradient, x []float64) float64 {
		return 1e6 + rosenbrock(gradient, x)
	})
	runToConvergence(t, NewLBFGS(2, 5, Tolerances{Gradient: 1e-300}), h, 200)
}

// Given a tolerance for the change, the method converges at the first step that gains less, and is
// still converged after a resume.
func TestLBFGSChangeTolerance(t *testing.T) {
	const change = 1e-3
	surface := func(gradient, x []float64) float64 { return 2 + rosenbrock(gradient, x) }
	h := newHill(t, []float64{-1.2, 1}, surface)
	ending := func() *LBFGS { return NewLBFGS(2, 5, Tolerances{Gradient: 1e-9, Change: change}) }
	method := ending()
	last := -surface(make([]float64, 2), h.set.Free)
	for steps := 1; ; steps++ {
		move, err := method.Step(context.Background(), h, uint64(steps))
		if err != nil || steps > 100 {
			t.Fatal(steps, err)
		}
		little := (move.Objective-last)/max(1, math.Abs(last), math.Abs(move.Objective)) <= change
		if move.Converged != little {
			t.Fatalf("step %d from %v to %v: converged %v", steps, last, move.Objective, move.Converged)
		}
		last = move.Objective
		if little {
			break
		}
	}
	resumed := ending()
	for i, a := range resumed.State() {
		copy(a.Data, method.State()[i].Data)
	}
	x := slices.Clone(h.set.Free)
	for _, m := range []*LBFGS{method, resumed} {
		if move, err := m.Step(context.Background(), h, 0); err != nil || !move.Converged ||
			move.Objective != last || !slices.Equal(x, h.set.Free) {
			t.Errorf("after the end: %+v, %v, from %v to %v", move, err, x, h.set.Free)
		}
	}
}

// A resumed run must equal an uninterrupted one bit for bit.
func TestLBFGSResumes(t *testing.T) {
	start := []float64{-1.2, 1, -0.5, 2}
	whole := newHill(t, start, rosenbrock)
	parts := newHill(t, start, rosenbrock)
	method := NewLBFGS(4, 3, Tolerances{Gradient: 1e-9})
	resumed := NewLBFGS(4, 3, Tolerances{Gradient: 1e-9})
	for step := range 40 {
		want, err := method.Step(context.Background(), whole, uint64(step))
		if err != nil {
			t.Fatal(err)
		}
		got, err := resumed.Step(context.Background(), parts, uint64(step))
		if err != nil {
			t.Fatal(err)
		}
		if got.Objective != want.Objective || got.Converged != want.Converged {
			t.Fatalf("step %d: %+v, want %+v", step, got, want)
		}
		for i, x := range whole.set.Free {
			if parts.set.Free[i] != x {
				t.Fatalf("step %d: entry %d is %v, want %v", step, i, parts.set.Free[i], x)
			}
		}
		if want.Converged {
			return
		}
		fresh := NewLBFGS(4, 3, Tolerances{Gradient: 1e-9})
		for i, a := range fresh.State() {
			copy(a.Data, resumed.State()[i].Data)
		}
		again := newHill(t, start, rosenbrock)
		copy(again.set.Free, parts.set.Free)
		again.set.Forward()
		resumed, parts = fresh, again
	}
}

// A first step that is cancelled, at any of its evaluations, and repeated from its state reports the same
// numbers as one that is not cancelled.
func TestLBFGSRepeatsFirstStep(t *testing.T) {
	start := []float64{-1.2, 1}
	fresh := func() *LBFGS { return NewLBFGS(2, 5, Tolerances{Gradient: 1e-9}) }
	whole := newHill(t, start, rosenbrock)
	want, err := fresh().Step(t.Context(), whole, 0)
	if err != nil {
		t.Fatal(err)
	}
	for call := 1; call < whole.calls; call++ {
		ctx, cancel := context.WithCancel(t.Context())
		h := newHill(t, start, rosenbrock)
		h.before = func(k int) error {
			if k == call {
				cancel()
			}
			return nil
		}
		stopped := fresh()
		_, err := stopped.Step(ctx, h, 0)
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("cancelled at evaluation %d: %v", call, err)
		}
		resumed := fresh()
		for i, a := range resumed.State() {
			copy(a.Data, stopped.State()[i].Data)
		}
		got, err := resumed.Step(t.Context(), newHill(t, start, rosenbrock), 0)
		if err != nil || got.Objective != want.Objective || !slices.Equal(got.Gauges, want.Gauges) {
			t.Errorf("cancelled at evaluation %d of %d: want the objective %v and the gauges %v, found %v "+
				"and %v (%v)", call, whole.calls, want.Objective, want.Gauges, got.Objective, got.Gauges, err)
		}
	}
}

func TestLBFGSKeepsParametersOnErrorAndCancel(t *testing.T) {
	broken := errors.New("broken")
	for call := 1; call <= 12; call++ {
		for _, cancelled := range []bool{false, true} {
			ctx, cancel := context.WithCancel(context.Background())
			h := newHill(t, []float64{-1.2, 1}, rosenbrock)
			h.before = func(k int) error {
				if k != call {
					return nil
				}
				cancel()
				if cancelled {
					return nil
				}
				return broken
			}
			method := NewLBFGS(2, 5, Tolerances{Gradient: 1e-9})
			var err error
			var before []float64
			for step := 0; err == nil; step++ {
				before = append(before[:0], h.set.Free...)
				_, err = method.Step(ctx, h, uint64(step))
			}
			if want := map[bool]error{true: context.Canceled, false: broken}[cancelled]; !errors.Is(err,
				want) {
				t.Errorf("call %d: %v, want %v", call, err, want)
			}
			for i, x := range before {
				if h.set.Free[i] != x || h.set.Params()[0].Value[i] != x {
					t.Errorf("call %d: %v, before the step %v", call, h.set.Free, before)
				}
			}
			// The remaining steps must reach the same optimum.
			h.before = nil
			runToConvergence(t, method, h, 60)
			cancel()
		}
	}
}

func TestLBFGSRejectsNonFiniteStart(t *testing.T) {
	h := newHill(t, []float64{-1}, logBarrier)
	_, err := NewLBFGS(1, 5, Tolerances{Gradient: 1e-6}).Step(context.Background(), h, 0)
	var bad *NonFiniteError
	if !errors.As(err, &bad) || bad.Index != Objective {
		t.Errorf("%v", err)
	}
}

func TestLBFGSDoesNotAllocate(t *testing.T) {
	h := newHill(t, []float64{-1.2, 1, -1.2, 1, -1.2, 1}, rosenbrock)
	method := NewLBFGS(6, 5, Tolerances{Gradient: 1e-300})
	if got := testing.AllocsPerRun(20, func() { _, _ = method.Step(context.Background(), h, 0) }); got != 0 {
		t.Errorf("%v allocations a step", got)
	}
}

// A step on a different problem with the same parameters must first evaluate that problem, even if
// the previous one had converged.
func TestLBFGSOnAnotherProblem(t *testing.T) {
	center := 1.0
	h := newHill(t, []float64{3, -2}, func(gradient, x []float64) (sum float64) {
		for i, v := range x {
			sum += (v - center) * (v - center)
			if gradient != nil {
				gradient[i] = 2 * (v - center)
			}
		}
		return sum
	})
	m := NewLBFGS(2, 5, Tolerances{Gradient: 1e-10})
	for _, next := range []float64{1, -4} {
		center = next
		m.Restart()
		for range 20 {
			if _, err := m.Step(t.Context(), h, 0); err != nil {
				t.Fatal(err)
			}
		}
		for _, x := range h.set.Free {
			if math.Abs(x-center) > 1e-8 {
				t.Errorf("at %v, want %v", h.set.Free, center)
			}
		}
	}
}

// The interpolation finds the maximum of a cubic exactly, from either side.
func TestBetweenFindsMaximumOfCubic(t *testing.T) {
	const maximum = 0.3
	at := func(x float64) point {
		d := x - maximum
		return point{at: x, value: -d*d + 0.4*d*d*d, slope: -2*d + 1.2*d*d}
	}
	for _, places := range [][2]float64{{0, 1}, {1, 0}, {-0.2, 0.7}} {
		if got := between(at(places[0]), at(places[1])); math.Abs(got-maximum) > 1e-12 {
			t.Errorf("between %g and %g: %g, want %g", places[0], places[1], got, maximum)
		}
	}
}

// A search of a function with a kink ends at the kink, and that of a straight line at the last point.
// Both end at their last evaluation.
func TestSearchWithoutFlatPoints(t *testing.T) {
	for name, c := range map[string]struct {
		minus func(gradient, x []float64) float64
		want  float64
	}{
		"kink": {func(gradient, x []float64) float64 {
			gradient[0] = math.Copysign(1, x[0]-1)
			return math.Abs(x[0] - 1)
		}, 1},
		"line": {func(gradient, x []float64) float64 {
			gradient[0] = -1
			return -x[0]
		}, 4 * math.Pow(growth, maxEvaluations-1)},
	} {
		h := newHill(t, []float64{0}, c.minus)
		l := &line{origin: make([]float64, 1), direction: []float64{1}, gradient: make([]float64, 1)}
		l.begin(h)
		start, err := l.evaluateStrictly(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		p, err := l.search(t.Context(), start, 4)
		if err != nil || math.Abs(p.at-c.want) > 1e-6*c.want || h.lastFree[0] != p.at {
			t.Errorf("%s: at %v, the last evaluation at %v, %v; want %v", name, p.at, h.lastFree, err, c.want)
		}
	}
}

// The method converges after several steps in a row whose rise is rounding error.
func TestLBFGSStalls(t *testing.T) {
	b := NewLBFGS(1, 2, Tolerances{Gradient: 1e-6})
	b.line.set = &param.Set{Free: []float64{1}}
	start := point{value: 1}
	small := point{at: 1, value: math.Nextafter(1, 2)}
	large := point{at: 1, value: 2}
	for k, found := range []point{small, small, large, small, small, small, small, small} {
		b.gradient[0] = 1
		b.line.gradient[0] = 1
		b.accept(start, found)
		if got := b.converged(found.value); got != (k == 7) {
			t.Errorf("after %d steps: %v, %v stalls", k+1, got, b.numbers[lbfgsStalls])
		}
	}
}
