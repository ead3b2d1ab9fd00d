package models

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
	"dgplab/models/familytest"
)

// inspection calls every operation of a model at inputs x, [n, D]. It returns the error of each
// operation. The error is errNaN if the result contains NaN, and errIncomplete if the result is
// smaller than the result of a healthy model. The first inspection fills healthy with the sizes of
// the results.
func inspection(m Model, x *mat.Dense, healthy map[string]string) map[string]error {
	found := map[string]error{}
	record := func(operation, size string, nan bool, err error) {
		if healthy[operation] == "" {
			healthy[operation] = size
		}
		switch {
		case err == nil && size != healthy[operation]:
			err = fmt.Errorf("%w: %s, not %s", errIncomplete, size, healthy[operation])
		case err == nil && nan:
			err = errNaN
		}
		found[operation] = err
	}
	p, err := m.Predict(x, 4, 1)
	n, _ := x.Dims()
	density := make([]float64, n)
	if p != nil {
		p.LogDensity(density, make([]float64, n))
	}
	record("predict", fmt.Sprintf("%T", p), slices.ContainsFunc(density, math.IsNaN), err)
	if s, ok := m.(family.FunctionSampler); ok {
		draws, err := s.DrawFunctions(x, 2, 1)
		nan := slices.ContainsFunc(draws, func(d [][]float64) bool { return math.IsNaN(d[0][0]) })
		record("draw", fmt.Sprint(len(draws)), nan, err)
	}
	if s, ok := m.(family.FunctionPredictor); ok {
		functions, err := s.Functions(x)
		record("functions", fmt.Sprint(len(functions)), false, err)
	}
	if s, ok := m.(family.Posterior); ok {
		arrays, err := s.Posterior(x)
		record("export", fmt.Sprint(len(arrays.Tensors)), false, err)
	}
	if s, ok := m.(family.Evaluator); ok {
		value, known, err := s.EvaluateObjective(context.Background(), 1)
		record("evaluate", fmt.Sprint(known), math.IsNaN(value), err)
	}
	if s, ok := m.(family.Viewer); ok {
		views, err := s.Views(1)
		var present []int
		fields := reflect.ValueOf(views)
		for i := range fields.NumField() {
			if !fields.Field(i).IsNil() {
				present = append(present, i)
			}
		}
		record("view", fmt.Sprint(present), false, err)
	}
	return found
}

var (
	errNaN        = errors.New("NaN")
	errIncomplete = errors.New("incomplete")
)

// failing lists the operations of a model that return errors in extreme states.
func failing(t *testing.T, m Model) string {
	t.Helper()
	x := familytest.Wave(5, 1).X
	healthy := map[string]string{}
	for operation, err := range inspection(m, x, healthy) {
		if err != nil {
			t.Errorf("%s: %v", operation, err)
		}
	}
	failed := map[string]bool{}
	arrays := m.State()[1:]
	for _, a := range arrays[:min(len(arrays), 4)] {
		for part := range slices.Chunk(a.Data, max(1, (len(a.Data)+1)/2)) {
			kept := slices.Clone(part)
			for _, extreme := range []float64{1e200, 300, -1e4} {
				for i := range part {
					part[i] = extreme
				}
				if m.Restored() == nil {
					for operation, err := range inspection(m, x, healthy) {
						if errors.Is(err, errIncomplete) {
							t.Errorf("%s=%g: %s: %v", a.Name, extreme, operation, err)
						}
						if err != nil && !errors.Is(err, errNaN) {
							failed[operation] = true
						}
					}
				}
				copy(part, kept)
				if err := m.Restored(); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	return strings.Join(slices.Sorted(maps.Keys(failed)), " ")
}

// extremes lists the operations that return errors in extreme states, by family. The other operations
// return numbers or NaN.
var extremes = map[string]string{
	"mean-field":    "evaluate predict view",
	"star":          "evaluate predict view",
	"fully-coupled": "evaluate predict view",
	"chain":         "evaluate predict view",
	"mask":          "evaluate predict view",
	"svgp":          "evaluate predict view",
	"gp":            "draw export predict view",
	"sgpr":          "draw export predict view",
	"fitc":          "draw export predict view",
	"avdgp":         "draw evaluate export predict view",
	"idsgp":         "draw evaluate export predict view",
	"solve-gp":      "draw",
	"ppgpr":         "draw",
	"dspp":          "view",
	"dsdgp":         "draw",
	"dgp-iw":        "draw evaluate",
	"aep":           "draw evaluate export predict view",
	"sep":           "draw evaluate export predict view",
	"dgp-ess":       "draw predict view",
}

// Operations of models in extreme states return errors or complete results.
func TestExtremeStates(t *testing.T) {
	for _, spec := range Families() {
		m := trainedModel(t, spec, familytest.Wave(24, 1))
		if got := failing(t, m); got != extremes[spec.Name] {
			t.Errorf("%q: %q,", spec.Name, got)
		}
	}
}

// New returns an error that names the setting for lists of the wrong length, unknown kernels and
// unknown likelihoods. Size returns the same error if it depends on the setting.
func TestImpossibleSettings(t *testing.T) {
	for _, spec := range Families() {
		set := familytest.Applicable(spec, map[string]string{"layers": "2", "width": "2",
			"inducing": "5"})
		for _, h := range spec.Hyperparameters {
			data := familytest.Wave(24, 1)
			v := familytest.Values(t, spec, set)
			want := h.Name
			switch {
			case h.Kind == family.IntList, h.Kind == family.FloatList:
				v[h.Name] = "1,1,1,1,1"
				want += "=1,1,1,1,1: want one"
			case h.Name == "likelihood" && spec.Accepts.Multiclass:
				data = familytest.Thirds(data)
				v[h.Name] = "unknown"
				want += "=unknown: want argmax"
			case h.Kind == family.Expression:
				v[h.Name] = "unknown"
				want += "=unknown: at character 1"
			default:
				continue
			}
			m, err := spec.New(v, data, 1)
			if m != nil || err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%s: New with %s=%s: %v, %v", spec.Name, h.Name, v[h.Name], m, err)
			}
			latents, sized := data.Latents(v)
			if sized == nil {
				_, sized = spec.Size(v, 24, 2, latents)
			}
			counts := h.Name == "inducing" || h.Name == "width"
			if counts && sized == nil || sized != nil && sized.Error() != err.Error() {
				t.Errorf("%s: Size with %s=%s: %v", spec.Name, h.Name, v[h.Name], sized)
			}
		}
	}
}
