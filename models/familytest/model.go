package familytest

import (
	"context"
	"math"
	"slices"
	"testing"

	"dgplab/datasets/task"
	"dgplab/models/family"
)

// Values returns the values of set, and defaults of the family for all other hyperparameters.
func Values(t testing.TB, spec family.Spec, set map[string]string) family.Values {
	t.Helper()
	values, err := family.Resolve(spec.Hyperparameters, set)
	if err != nil {
		t.Fatal(err)
	}
	return values
}

// New returns a model of a family and checks that its size agrees with spec.Size. noise is the
// number of noise parameters, which classification models do not have.
func New(t testing.TB, spec family.Spec, data family.Data, set map[string]string, noise int) family.Model {
	t.Helper()
	values := Values(t, spec, set)
	m, err := spec.New(values, data, 7)
	if err != nil {
		t.Fatal(err)
	}
	n, d := data.X.Dims()
	latents, err := data.Latents(values)
	if err != nil {
		t.Fatal(err)
	}
	size, err := spec.Size(values, n, d, latents)
	if err != nil {
		t.Fatal(err)
	}
	if data.Task != task.Regression {
		size.Parameters -= noise
	}
	if size.Parameters != m.NumParameters() || size.StepFLOPs <= 0 || size.Memory <= 0 {
		t.Errorf("%s %v: %d parameters, Size returns %+v", spec.Name, set, m.NumParameters(), size)
	}
	return m
}

// Steps takes n steps and returns the last report.
func Steps(t testing.TB, m family.Model, n int) (report family.Report) {
	t.Helper()
	for range n {
		var err error
		report, err = m.Step(context.Background())
		if err != nil {
			t.Fatal(err)
		}
	}
	return report
}

// Restore copies the state of another model, as loading a checkpoint does.
func Restore(t testing.TB, m, from family.Model) {
	t.Helper()
	for i, a := range m.State() {
		copy(a.Data, from.State()[i].Data)
	}
	if err := m.Restored(); err != nil {
		t.Fatal(err)
	}
}

// Unchanged checks that a call does not change the state of a model.
func Unchanged(t testing.TB, what string, m family.Model, call func()) {
	t.Helper()
	var before [][]float64
	for _, a := range m.State() {
		before = append(before, slices.Clone(a.Data))
	}
	call()
	for k, a := range m.State() {
		if !slices.EqualFunc(a.Data, before[k], sameBits) {
			t.Errorf("%s: %s changed from %v to %v", what, a.Name, before[k], a.Data)
		}
	}
}

// SameState checks that two models have bitwise equal state.
func SameState(t testing.TB, what string, a, b family.Model) {
	t.Helper()
	for k, x := range a.State() {
		y := b.State()[k]
		if x.Name != y.Name || len(x.Data) != len(y.Data) {
			t.Fatalf("%s: array %s of %d against %s of %d", what, x.Name, len(x.Data), y.Name, len(y.Data))
		}
		for i := range x.Data {
			if math.Float64bits(x.Data[i]) != math.Float64bits(y.Data[i]) {
				t.Fatalf("%s: %s[%d] is %v and %v", what, x.Name, i, x.Data[i], y.Data[i])
			}
		}
	}
}
