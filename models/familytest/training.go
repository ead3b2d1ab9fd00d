package familytest

import (
	"context"
	"math"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/task"
	"dgplab/models/family"
	"dgplab/models/predictive"
)

// Resumes checks that interruptions do not affect training. A model that is saved before each of
// the given steps, counted from 0, and restored into a new model must give the same reports and the
// same final state as an uninterrupted model. The interrupted model runs on one processor, and the
// other on several. Before and after an interruption, the interrupted model predicts at x and
// computes its views. Resumes returns the resumed model.
func Resumes(
	t testing.TB, what string, build func() family.Model, x *mat.Dense, steps int, stops ...int,
) family.Model {
	t.Helper()
	const processors = 4
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
	whole := build()
	runtime.GOMAXPROCS(1)
	parts := build()
	for k := range steps {
		if slices.Contains(stops, k) {
			inspect(t, parts, x)
			next := build()
			Restore(t, next, parts)
			inspect(t, next, x)
			parts = next
		}
		runtime.GOMAXPROCS(processors)
		want := Steps(t, whole, 1)
		runtime.GOMAXPROCS(1)
		got := Steps(t, parts, 1)
		if got.Phase != want.Phase || got.Objective != want.Objective ||
			!slices.EqualFunc(got.Terms, want.Terms, sameBits) ||
			!slices.EqualFunc(got.Gauges, want.Gauges, sameBits) {
			t.Fatalf("%s: step %d: %+v, uninterrupted %+v", what, k, got, want)
		}
	}
	SameState(t, what+", resumed", whole, parts)
	return parts
}

// Every returns the integers from 0 to n-1, to interrupt each of n steps.
func Every(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// inspect calls the methods that must not change a model.
func inspect(t testing.TB, m family.Model, x *mat.Dense) {
	t.Helper()
	m.Hyper()
	if _, err := m.Predict(x, 3, 1); err != nil {
		t.Fatal(err)
	}
	if v, ok := m.(family.Viewer); ok {
		if _, err := v.Views(1); err != nil {
			t.Fatal(err)
		}
	}
}

func sameBits(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }

// Allocates checks that a step allocates at most most times.
func Allocates(t testing.TB, what string, m family.Model, most float64) {
	t.Helper()
	ctx := context.Background()
	if n := testing.AllocsPerRun(20, func() { _, _ = m.Step(ctx) }); n > most {
		t.Errorf("%s: %v allocations a step, want at most %v", what, n, most)
	}
}

// Learns trains a model on its data. Afterwards, the root mean square error of the predictive means
// must be below most. For a binary task, the number of misclassified points must be at most most.
// Predictions use the given number of samples.
func Learns(t testing.TB, m family.Model, data family.Data, steps, samples int, most float64) {
	t.Helper()
	Steps(t, m, steps)
	p, err := m.Predict(data.X, samples, 1)
	if err != nil {
		t.Fatal(err)
	}
	if data.Task == task.Binary {
		if wrong := countErrors(p, data.Y); float64(wrong) > most {
			t.Errorf("%d points are misclassified, want at most %v", wrong, most)
		}
		return
	}
	if e := rmse(p, data.Y); !(e < most) {
		t.Errorf("the root mean square error is %v, want less than %v", e, most)
	}
}

// rmse returns the root mean square error of the predictive means.
func rmse(p predictive.Predictive, targets *mat.Dense) float64 {
	y := targets.RawMatrix().Data
	mean := make([]float64, len(y))
	p.(predictive.Regression).Moments(mean, make([]float64, len(y)))
	var squares float64
	for i, v := range mean {
		squares += math.Pow(v-y[i], 2) / float64(len(y))
	}
	return math.Sqrt(squares)
}

// countErrors returns the number of misclassified points of a binary task.
func countErrors(p predictive.Predictive, targets *mat.Dense) (count int) {
	n, _ := targets.Dims()
	probabilities := make([]float64, 2*n)
	p.(predictive.Classification).Probabilities(probabilities)
	for i := range n {
		if (probabilities[2*i+1] > 0.5) != (targets.At(i, 0) > 0) {
			count++
		}
	}
	return count
}
