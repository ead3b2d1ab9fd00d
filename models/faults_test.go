package models

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
	"dgplab/models/familytest"
)

// operation is a call of a model that can fail.
type operation struct {
	name string
	call func(ctx context.Context) error
}

// operations lists the operations of a model at inputs x, other than steps.
func operations(m Model, x *mat.Dense) []operation {
	nonempty := func(size int, err error) error {
		if size == 0 && err == nil {
			return errors.New("the result is empty")
		}
		return err
	}
	list := []operation{{"predict", func(context.Context) error {
		_, err := m.Predict(x, 3, 1)
		return err
	}}}
	add := func(name string, call func(ctx context.Context) error) {
		list = append(list, operation{name, call})
	}
	if s, ok := m.(family.FunctionSampler); ok {
		add("draw", func(context.Context) error {
			draws, err := s.DrawFunctions(x, 2, 1)
			return nonempty(len(draws), err)
		})
	}
	if s, ok := m.(family.FunctionPredictor); ok {
		add("functions", func(context.Context) error {
			functions, err := s.Functions(x)
			return nonempty(len(functions), err)
		})
	}
	if s, ok := m.(family.Posterior); ok {
		add("export", func(context.Context) error {
			arrays, err := s.Posterior(x)
			return nonempty(len(arrays.Tensors), err)
		})
	}
	if s, ok := m.(family.LeaveOneOuter); ok {
		add("leave out", func(ctx context.Context) error {
			_, err := s.LeaveOneOut(ctx, []int{1, 0}, 1)
			return err
		})
	}
	if s, ok := m.(family.JointPredictor); ok {
		add("joint", func(context.Context) error {
			mean, covariance, err := s.JointMoments(x)
			return nonempty(min(len(mean), len(covariance)), err)
		})
	}
	if s, ok := m.(family.Evaluator); ok {
		add("evaluate", func(ctx context.Context) error {
			_, _, err := s.EvaluateObjective(ctx, 1)
			return err
		})
	}
	if s, ok := m.(family.Viewer); ok {
		add("view", func(context.Context) error {
			views, err := s.Views(1)
			if err == nil && views.Matrices != nil {
				for _, e := range views.Matrices.Matrices {
					if math.IsInf(float64(e.Condition), 1) {
						return familytest.ErrFault // the view shows a matrix without a factor
					}
				}
			}
			if reflect.ValueOf(views).IsZero() && err == nil {
				return errors.New("there are no views")
			}
			return err
		})
	}
	return list
}

// faultySettings lists models whose operations fail in other places than with the defaults.
var faultySettings = []familytest.Setting{
	familytest.NewSetting("star", "whiten", "false"),
	familytest.NewSetting("sghmc", "sampler", "ess"),
	familytest.NewSetting("dsdgp", "trend", "linear"),
	familytest.NewSetting("dgp-iw", "whiten", "false"),
	familytest.NewSetting("aep", "factor", "natural", "output_cov", "full"),
	familytest.NewSetting("dgp-ess", "layers", "3"),
	familytest.NewSetting("dgp-ess", "width", "1"),
	familytest.NewSetting("gprn", "hyper_every", "1", "restarts", "2"),
	familytest.NewSetting("linear", "intercept", "false"),
}

// infallible lists operations that are no errors, by family. The tapes of gprn hold only kernels, which
// cannot fail. HMC rejects positions without a density.
var infallible = map[string]string{"gprn": "tape", "gprn-npv": "tape", "bnn-hmc": "tape"}

// If a factorisation or the evaluation of a tape fails, or the context is cancelled, each method of a
// model returns the error. A failed step leaves no trace in the state, and a model that failed to
// predict predicts as before.
func TestEveryFault(t *testing.T) {
	settings := faultySettings
	for _, spec := range Families() {
		settings = append(settings, familytest.NewSetting(spec.Name))
	}
	for _, s := range settings {
		spec := s.Spec(Families())
		for _, data := range []Data{familytest.Wave(10, 2), familytest.Signs(familytest.Wave(10, 1)),
			familytest.Wave(2, 1)} {
			if spec.Accepts.Check(data.Task, data.Y) == nil {
				t.Run(fmt.Sprint(s, data.Task), func(t *testing.T) { testFaults(t, spec, s.Set, data) })
			}
		}
	}
}

func testFaults(t *testing.T, spec Spec, set map[string]string, data Data) {
	tiny := map[string]string{"layers": "2", "width": "3", "inducing": "3", "orthogonal": "3", "samples": "2",
		"batch": "5", "burn_in": "2", "kept": "2", "thinning": "1", "hidden_width": "3",
		"leapfrog_steps": "2", "latents": "1", "components": "2", "chains": "2"}
	values := familytest.Values(t, spec, familytest.Applicable(spec, tiny, set))
	faults := familytest.Faults{Infallible: infallible[spec.Name]}
	lasting := familytest.Faults{Infallible: infallible[spec.Name], Lasting: true}
	var m Model
	build := func(context.Context) (err error) {
		m, err = spec.New(values, data, 7)
		return err
	}
	faults.Every(t, "build", build, nil)
	healthy := m
	if err := build(nil); err != nil {
		t.Fatal(err)
	}
	step := func(ctx context.Context) error {
		_, err := m.Step(ctx)
		return err
	}
	ignored := 0 // faults that did not stop a step
	for k := range 4 {
		kind := faults
		if k == 3 {
			kind = lasting
		}
		kind.Every(t, "step", step, func(failed string, err error) {
			if failed == "" || err != nil {
				familytest.Returned(t, "step", failed, err)
			} else {
				ignored++
			}
			if failed != "" && (err == nil || kind.Lasting) {
				familytest.Restore(t, m, healthy)
			}
		})
		familytest.Steps(t, healthy, 1)
		familytest.SameState(t, "after failed steps", m, healthy)
	}
	harmless := 0
	if set["hyper_every"] != "" {
		harmless = 2 // an extrapolation of gprn returns to its origin if one of two factorisations fails
	}
	if ignored != harmless {
		t.Errorf("%d faults did not stop a step, want %d", ignored, harmless)
	}
	x := familytest.Wave(3, 1).X
	_, outputs := data.Y.Dims()
	predict := func() []float64 {
		p, err := m.Predict(x, 3, 1)
		if err != nil {
			t.Fatal(err)
		}
		density := make([]float64, 3)
		p.LogDensity(density, slices.Repeat([]float64{1}, 3*outputs))
		return density
	}
	want := predict()
	for _, o := range operations(m, x) {
		faults.Every(t, o.name, o.call, func(failed string, err error) {
			familytest.Returned(t, o.name, failed, err)
			if got := predict(); !slices.Equal(got, want) {
				t.Errorf("after %s: log densities %v, before %v", o.name, got, want)
			}
			familytest.Restore(t, m, healthy) // the next call computes everything again
		})
	}
	restore := func(context.Context) error { return m.Restored() }
	faults.Every(t, "restore", restore, nil)
}
