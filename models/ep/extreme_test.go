package ep

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/task"
	"dgplab/models/family"
	"dgplab/models/familytest"
	"dgplab/models/linalg"
	"dgplab/models/predictive"
)

// extremeData returns data sets with extreme or degenerate values.
func extremeData() map[string]family.Data {
	list := map[string]family.Data{}
	for n := 1; n <= 3; n++ {
		list[fmt.Sprintf("%d points", n)] = familytest.Wave(n, 1)
	}
	change := func(name string, n int, of func(i int, x, y []float64)) {
		data := familytest.Wave(n, 1)
		for i := range n {
			of(i, data.X.RawRowView(i), data.Y.RawRowView(i))
		}
		list[name] = data
	}
	rng := rand.New(rand.NewPCG(3, 4))
	change("one repeated point", 20, func(_ int, x, _ []float64) {
		x[0] = 0.5
		x[1] = -1
	})
	change("one repeated point with one target", 20, func(_ int, x, y []float64) {
		x[0] = 0.5
		x[1] = -1
		y[0] = 2
	})
	change("constant columns", 20, func(_ int, x, y []float64) {
		x[1] = 3
		y[0] = 0
	})
	change("all columns are constant", 20, func(_ int, x, y []float64) {
		x[0] = 0
		x[1] = 0
		y[0] = 0
	})
	change("inputs times 1e6", 20, func(_ int, x, _ []float64) {
		x[0], x[1] = 1e6*x[0], 1e6*x[1]
	})
	change("inputs times 1e-6", 20, func(_ int, x, _ []float64) { x[0], x[1] = 1e-6*x[0], 1e-6*x[1] })
	change("targets times 1e6", 20, func(_ int, _, y []float64) { y[0] *= 1e6 })
	change("one target outlier", 20, func(i int, _, y []float64) {
		if i == 7 {
			y[0] = 1e9
		}
	})
	change("one input outlier", 20, func(i int, x, _ []float64) {
		if i == 7 {
			x[0] = 1e12
		}
	})
	change("nearly equal points with different targets", 20, func(i int, x, y []float64) {
		x[0] = 1e-9 * float64(i)
		x[1] = 0
		y[0] = 100 * rng.NormFloat64()
	})
	change("noise", 20, func(_ int, _, y []float64) { y[0] = rng.NormFloat64() })
	return list
}

// For any data and learning rate, results are finite or an error is returned, and rescues are
// counted.
func TestExtremeData(t *testing.T) {
	forms := []familytest.Setting{
		familytest.NewSetting("aep", "layers", "1"),
		familytest.NewSetting("aep", "learning_rate", "0.3"),
		familytest.NewSetting("aep", "factor", "natural", "start", "random", "layers", "3",
			"learning_rate", "0.1"),
		familytest.NewSetting("sep", "layers", "1", "damping", "1", "points", "1"),
		familytest.NewSetting("sep", "damping", "0.5", "points", "4", "hyper_steps", "2",
			"learning_rate", "0.3"),
		familytest.NewSetting("sep", "layers", "3", "damping", "1", "hyper_steps", "2", "start_spread", "3"),
	}
	if testing.Short() {
		forms = forms[3:5]
	}
	rescues := 0
	for name, data := range extremeData() {
		for _, s := range forms {
			for _, variant := range []struct {
				task string
				data family.Data
			}{{"", data}, {" of two classes", signs(data)}, {" of three classes", thirdsOf(data)}} {
				rescues += checkExtreme(t, name+variant.task, s, variant.data)
			}
		}
	}
	if rescues == 0 {
		t.Error("no rescues: the data are not extreme")
	}
}

// signs returns data with the signs of the targets as two classes.
func signs(data family.Data) family.Data {
	return familytest.Signs(family.Data{X: data.X, Y: mat.DenseCopyOf(data.Y)})
}

// thirdsOf returns data with three classes.
func thirdsOf(data family.Data) family.Data {
	out := family.Data{X: data.X, Y: mat.DenseCopyOf(data.Y), Task: task.Multiclass, Classes: 3}
	for i, v := range out.Y.RawMatrix().Data {
		out.Y.RawMatrix().Data[i] = float64(i % 3)
		if v > 0 {
			out.Y.RawMatrix().Data[i] = 2
		}
	}
	return out
}

// checkExtreme trains a model on the data and computes predictions and views. It returns the number
// of rescues.
func checkExtreme(t *testing.T, name string, s familytest.Setting, data family.Data) (rescues int) {
	t.Helper()
	set := s.With("inducing", "6", "batch", "5")
	m, err := s.Spec(Families()).New(familytest.Values(t, s.Spec(Families()), set.Set), data, 1)
	if err != nil {
		checkError(t, name, s, err)
		return 0
	}
	for range 16 {
		r, err := m.Step(context.Background())
		if err != nil {
			checkError(t, name, s, err)
			break
		}
		if notFinite(r.Objective) || notFinite(r.Terms...) || notFinite(r.Gauges...) || r.Rescues < 0 {
			t.Fatalf("%s, %v: %+v", name, s, r)
		}
		rescues += r.Rescues
	}
	// A failed step leaves the model unchanged.
	p, err := m.Predict(data.X, 1, 1)
	if err != nil {
		checkError(t, name, s, err)
		return rescues
	}
	n, _ := data.X.Dims()
	logs := make([]float64, n)
	p.LogDensity(logs, data.Y.RawMatrix().Data)
	for _, v := range logs {
		if math.IsNaN(v) {
			t.Fatalf("%s, %v: log densities %v", name, s, logs)
		}
	}
	if of, ok := p.(predictive.Regression); ok {
		mean := make([]float64, n)
		vr := make([]float64, n)
		of.Moments(mean, vr)
		if notFinite(mean...) || notFinite(vr...) {
			t.Fatalf("%s, %v: means %v, variances %v", name, s, mean, vr)
		}
	}
	if _, err := m.(*Model).Views(1); err != nil {
		checkError(t, name, s, err)
	}
	return rescues
}

// notFinite reports whether any value is not finite.
func notFinite(values ...float64) bool {
	for _, v := range values {
		if v-v != 0 {
			return true
		}
	}
	return false
}

// checkError checks that an error is one line and has one of the expected types.
func checkError(t *testing.T, name string, s familytest.Setting, err error) {
	t.Helper()
	var indefinite *linalg.NotPositiveDefiniteError
	var nan *linalg.NaNError
	var notFinite *family.NonFiniteError
	if !errors.As(err, &indefinite) && !errors.As(err, &nan) && !errors.As(err, &notFinite) ||
		strings.Contains(err.Error(), "\n") {
		t.Errorf("%s, %v: %v", name, s, err)
	}
}
