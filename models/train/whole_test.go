package train

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"dgplab/models/linalg"
)

// windowed is a parabola with 10 points, evaluated in windows of 4. The term of a point is its
// number; the remainder of a window is its first point.
type windowed struct {
	*parabola
	windows [][2]int
	draws   []float64
	cancel  func()
}

func (w *windowed) Points() (n, window int) { return 10, 4 }

func (w *windowed) Window(start, end int, draws *rand.Rand) (sum, remainder float64, err error) {
	w.rescues++
	w.windows = append(w.windows, [2]int{start, end})
	w.draws = append(w.draws, draws.Float64())
	for i := start; i < end; i++ {
		sum += float64(i)
	}
	if w.cancel != nil {
		w.cancel()
	}
	return sum, float64(start), w.fail
}

func TestEvaluateObjective(t *testing.T) {
	p := &windowed{parabola: newParabola(t)}
	m := newModel(t, p.parabola)
	if _, known, err := m.EvaluateObjective(context.Background(), 1); known || err != nil {
		t.Errorf("a problem without windows: known %v, %v", known, err)
	}
	m.problem = p
	value, known, err := m.EvaluateObjective(context.Background(), 1)
	// The sum of all points is 45; the mean remainder is (0*4 + 4*4 + 8*2)/10.
	if want := 45 + 3.2; err != nil || !known || math.Abs(value-want) > 1e-13 {
		t.Errorf("%v, %v, %v; want %v", value, known, err, want)
	}
	if want := [][2]int{{0, 4}, {4, 8}, {8, 10}}; !slices.Equal(p.windows, want) {
		t.Errorf("windows %v, want %v", p.windows, want)
	}
	first := p.draws
	if first[0] == first[1] || first[1] == first[2] {
		t.Errorf("windows share draws: %v", first)
	}
	for seed, same := range map[uint64]bool{1: true, 2: false} {
		p.draws = nil
		if _, _, err := m.EvaluateObjective(context.Background(), seed); err != nil ||
			slices.Equal(p.draws, first) != same {
			t.Errorf("seed %d draws %v after %v, %v", seed, p.draws, first, err)
		}
	}
	// The rescues of evaluations do not count in the next step, which has one rescue.
	if r, err := m.Step(context.Background()); err != nil || r.Rescues != 1 {
		t.Errorf("%d rescues, %v", r.Rescues, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	p.windows, p.cancel = nil, cancel
	if value, known, err := m.EvaluateObjective(ctx, 1); !errors.Is(err, context.Canceled) || !known ||
		value != 0 || len(p.windows) != 1 {
		t.Errorf("cancelled: %v, %v, %v after %d windows", value, known, err, len(p.windows))
	}
	p.fail = &linalg.NaNError{Matrix: "K"}
	want := (&linalg.NaNError{Matrix: "K", Step: 1}).Error()
	if value, known, err := m.EvaluateObjective(context.Background(), 1); value != 0 || !known ||
		err == nil || err.Error() != want {
		t.Errorf("failed: %v, %v, %v; want %s", value, known, err, want)
	}
}

func TestSumOfWindow(t *testing.T) {
	terms := []float64{1, 10, 100, 2, 20, 200}
	for count, want := range []float64{0, 3, 33, 333} {
		if got := SumOfWindow(terms, 3, count); got != want {
			t.Errorf("%d terms: %v, want %v", count, got, want)
		}
	}
}
