package models

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
	"dgplab/models/familytest"
	"dgplab/models/linalg"
)

// inspection calls every operation of a model of some outputs at inputs x, [n, D]. It returns the error
// of each operation. The error is errNaN if the result contains NaN, and errIncomplete if the result is
// smaller than the result of a healthy model. The first inspection fills healthy with the sizes of the
// results.
func inspection(m Model, x *mat.Dense, outputs int, healthy map[string]string) map[string]error {
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
		p.LogDensity(density, slices.Repeat([]float64{1}, n*outputs))
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
	if s, ok := m.(family.LeaveOneOuter); ok {
		left, err := s.LeaveOneOut(context.Background(), []int{0, 3}, 1)
		record("leave out", fmt.Sprint(left != nil), false, err)
	}
	if s, ok := m.(family.JointPredictor); ok {
		mean, covariance, err := s.JointMoments(x)
		record("joint", fmt.Sprint(len(mean), len(covariance)), false, err)
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

// extremeStep makes a step of a model in an extreme state. A step that fails must not change the state,
// and no other step may make it infinite or NaN.
func extremeStep(t *testing.T, name string, m Model) error {
	t.Helper()
	arrays := m.State()
	var before [][]float64
	for _, a := range arrays {
		before = append(before, slices.Clone(a.Data))
	}
	_, err := m.Step(context.Background())
	for i, a := range arrays {
		for k, v := range a.Data {
			infinite := math.IsNaN(v-v) && !optimizer.MatchString(a.Name)
			was := before[i][k]
			if err == nil && infinite || err != nil && v != was {
				t.Errorf("%s: step %v: entry %d of %s was %v and is %v", name, err, k, a.Name, was, v)
				break
			}
		}
		copy(a.Data, before[i])
	}
	return err
}

// optimizer matches the arrays of optimizers, which may hold any number.
var optimizer = regexp.MustCompile("adam|lbfgs|sghmc")

// checkExtremes puts a model of some outputs into extreme states. Every operation must then return a complete
// result or an error, and no step may leave the state half changed.
func checkExtremes(t *testing.T, m Model, outputs int) {
	t.Helper()
	x := familytest.Wave(5, 1).X
	healthy := map[string]string{}
	for operation, err := range inspection(m, x, outputs, healthy) {
		if err != nil {
			t.Errorf("%s: %v", operation, err)
		}
	}
	arrays := m.State()[1:]
	for _, a := range arrays {
		for part := range slices.Chunk(a.Data, max(1, (len(a.Data)+1)/2)) {
			kept := slices.Clone(part)
			for _, extreme := range []float64{math.MaxFloat64, 300, -1e4} {
				for i := range part {
					part[i] = extreme
				}
				restored := m.Restored()
				var notFinite *linalg.NaNError
				if restored != nil && !errors.As(restored, &notFinite) {
					copy(part, kept) // The state is impossible, such as a negative count.
					continue
				}
				found := inspection(m, x, outputs, healthy)
				if restored == nil && !optimizer.MatchString(a.Name) {
					found["step"] = extremeStep(t, fmt.Sprintf("%s=%g", a.Name, extreme), m)
				}
				for operation, err := range found {
					if errors.Is(err, errIncomplete) {
						t.Errorf("%s=%g: %s: %v", a.Name, extreme, operation, err)
					}
				}
				copy(part, kept)
				if err := m.Restored(); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// Operations of models in extreme states return complete results or errors.
func TestExtremeStates(t *testing.T) {
	for _, spec := range Families() {
		for _, data := range []Data{
			familytest.Wave(24, 1), familytest.Wave(24, 2), familytest.Signs(familytest.Wave(24, 1)),
			familytest.Thirds(familytest.Wave(24, 1)),
		} {
			if spec.Accepts.Check(data.Task, data.Y) == nil {
				_, outputs := data.Y.Dims()
				checkExtremes(t, trainedModel(t, spec, data), outputs)
			}
		}
	}
}

// impossible returns values of a hyperparameter that are impossible for two inputs, layers of at most
// two GPs and targets of some task, and how the error continues after the name and the value.
func impossible(h family.Hyperparameter) map[string]string {
	switch {
	case h.Kind == family.IntList, h.Kind == family.FloatList:
		return map[string]string{"1,1,1,1,1": "want one"}
	case h.Name == "likelihood":
		return map[string]string{"unknown": "want "}
	case h.Name == "mask":
		return map[string]string{"1/1": "the block table has 2 rows"}
	case h.Kind == family.Expression:
		return map[string]string{"unknown": "at character 1", "rbf(7)": "", "rbf|rbf|rbf": ""}
	}
	return nil
}

// New returns an error that names the setting for lists of the wrong length, kernels and masks that do
// not fit the layers, and unknown likelihoods. Size returns the same error if it depends on the
// setting.
func TestImpossibleSettings(t *testing.T) {
	for _, spec := range Families() {
		set := familytest.Applicable(spec, map[string]string{"layers": "2", "width": "2", "inducing": "5",
			"latents": "2"})
		for _, h := range spec.Hyperparameters {
			for value, want := range impossible(h) {
				data := familytest.Wave(24, 1)
				if h.Name == "likelihood" && spec.Accepts.Multiclass {
					data = familytest.Thirds(data)
				}
				v := familytest.Values(t, spec, set)
				v[h.Name] = value
				want = h.Name + "=" + value + ": " + want
				m, err := spec.New(v, data, 1)
				if m != nil || err == nil || !strings.HasPrefix(err.Error(), want) {
					t.Errorf("%s: New with %s=%s: %v, %v", spec.Name, h.Name, value, m, err)
					continue
				}
				latents, sized := data.Latents(v)
				if sized == nil {
					_, sized = spec.Size(v, 24, 2, latents)
				}
				counts := slices.Contains([]string{"inducing", "width", "mask"}, h.Name) ||
					h.Kind == family.Expression && value != "rbf(7)" // the size ignores columns
				if counts && sized == nil || sized != nil && sized.Error() != err.Error() {
					t.Errorf("%s: Size with %s=%s: %v", spec.Name, h.Name, value, sized)
				}
			}
		}
	}
}

// starts lists hyperparameters that are initial values.
var starts = []string{
	"lengthscale", "variance", "noise_variance", "inner_scale", "layer_noise", "offset", "spread",
	"start_spread", "latent_lengthscale", "latent_variance", "weight_lengthscale", "weight_variance",
	"precision", "nugget_value",
}

var nan = regexp.MustCompile("(parameter|entry|K|B).* NaN")

// New returns an error that names the quantity if an initial value is not a number.
func TestStartsThatAreNotFinite(t *testing.T) {
	for _, spec := range Families() {
		for _, h := range spec.Hyperparameters {
			if !slices.Contains(starts, h.Name) {
				continue
			}
			v := familytest.Values(t, spec, familytest.Applicable(spec, map[string]string{"inducing": "5"}))
			v[h.Name] = "NaN"
			m, err := spec.New(v, familytest.Wave(10, 1), 1)
			if err == nil || !nan.MatchString(err.Error()) {
				t.Errorf("%s: %s is NaN: %v, %v", spec.Name, h.Name, m, err)
			}
		}
	}
}
