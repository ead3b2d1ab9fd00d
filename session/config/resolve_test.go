package config

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets"
	"dgplab/datasets/task"
	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/rundir"
)

// Every setting of the training reaches its field.
func TestSettings(t *testing.T) {
	set := map[string]string{
		"steps": "11", "early_stopping": "on", "stop_overfitting": "on", "keep": "best",
		"until_converged": "on", "budget": "90s", "validation": "0.25", "validation_every": "12",
		"validation_samples": "13", "validation_points": "14", "test_samples": "15", "log_targets": "on",
		"metrics_every": "16", "checkpoint_every": "17", "checkpoint_seconds": "18.5",
	}
	want := Settings{
		Steps: 11, EarlyStopping: true, StopOverfitting: true, KeepBest: true, UntilConverged: true,
		Budget: 90 * time.Second, Validation: 0.25, ValidationEvery: 12, ValidationSamples: 13,
		ValidationPoints: 14, TestSamples: 15, logTargets: true, MetricsEvery: 16, CheckpointEvery: 17,
		CheckpointSeconds: 18.5,
	}
	if got := resolved(t, "star", "", set).Settings; got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	set["early_stopping"], set["keep"], set["log_targets"] = "off", "last", "off"
	want.EarlyStopping, want.StopOverfitting, want.KeepBest, want.logTargets = false, false, false, false
	if got := resolved(t, "star", "", set).Settings; got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// The first step, multiples of metrics_every and validations have report lines, and NextReport finds
// exactly these.
func TestReports(t *testing.T) {
	for _, s := range []Settings{
		{MetricsEvery: 4, ValidationEvery: 6}, {MetricsEvery: 6, ValidationEvery: 4},
		{MetricsEvery: 100, ValidationEvery: 100}, {MetricsEvery: 1, ValidationEvery: 7},
	} {
		next := s.NextReport(-3)
		for step := 1; step < 40; step++ {
			validates := step%s.ValidationEvery == 0
			reports := step == 1 || step%s.MetricsEvery == 0 || validates
			if s.Validates(step) != validates || s.Reports(step) != reports {
				t.Errorf("%d, %d: step %d validates: %v, reports: %v",
					s.MetricsEvery, s.ValidationEvery, step, s.Validates(step), s.Reports(step))
			}
			if next < step {
				t.Fatalf("%d, %d: NextReport(%d) is %d", s.MetricsEvery, s.ValidationEvery, step-1, next)
			}
			if reports != (next == step) {
				t.Errorf("%d, %d: the next report before step %d is %d",
					s.MetricsEvery, s.ValidationEvery, step, next)
			}
			next = s.NextReport(step)
		}
	}
	far := Settings{MetricsEvery: 10, ValidationEvery: 1e9}
	if got := far.NextReport(math.MaxInt - 3); got != math.MaxInt {
		t.Errorf("the last report is at step %d", got)
	}
	if got := far.NextReport(math.MaxInt - 10); got != (math.MaxInt-10)/10*10+10 {
		t.Errorf("the report before the last is at step %d", got)
	}
}

// stub returns a resolved configuration of a family with a size that is its number of inducing points
// times the dimensions, and an error from 64 inputs on.
func stub(accepts family.Accepts) *Resolved {
	spec := models.Spec{Name: "stub", Accepts: accepts, Hyperparameters: []models.Hyperparameter{
		{Name: "inducing", Kind: family.Int, Default: "20", Min: 5, Max: 100},
		{Name: "samples", Kind: family.Int, Default: "3", Min: 1, Max: 100},
		{Name: "width", Kind: family.Text, Default: "wide"},
	}}
	spec.Size = func(v models.Values, n, d, p int) (models.Size, error) {
		if d >= 64 {
			return models.Size{}, errors.New("too wide")
		}
		if len(v) != len(spec.Hyperparameters) {
			return models.Size{}, errors.New("other values")
		}
		cost := float64(v.Int("inducing")) * float64(n+v.Int("samples"))
		return models.Size{Variational: n, Parameters: d, Blocks: p, StepFLOPs: cost}, nil
	}
	values := models.Values{"inducing": "20", "samples": "3", "width": "wide", "steps": "7"}
	return &Resolved{Config: rundir.Config{Family: "stub"}, Spec: spec, Values: values}
}

// prepared returns n training points of the given dimensions.
func prepared(n, d, p int) *datasets.Prepared {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = 10 + i
	}
	return &datasets.Prepared{Task: task.Regression, Train: datasets.Part{
		Rows: rows, X: mat.NewDense(n, d, nil), Y: mat.NewDense(n, p, nil),
	}}
}

// The size of a model follows from the numbers of points, inputs and outputs, which are classes if
// there are several. Errors name the family, and the first missing target.
func TestSize(t *testing.T) {
	ds := &datasets.Dataset{Targets: []string{"first", "second"}}
	r := stub(family.Accepts{Regression: true, Multiclass: true, Binary: true, Outputs: true})
	size, err := r.Size(ds, prepared(5, 3, 2))
	if size != (models.Size{Variational: 5, Parameters: 3, Blocks: 2, StepFLOPs: 160}) || err != nil {
		t.Errorf("%+v, %v", size, err)
	}
	classes := prepared(5, 3, 1)
	classes.Task = task.Multiclass
	classes.Classes = []string{"a", "b", "c", "d"}
	if size, err := r.Size(ds, classes); size.Blocks != 4 || err != nil {
		t.Errorf("four classes: %+v, %v", size, err)
	}
	unknown := stub(r.Spec.Accepts)
	unknown.Spec.Size = nil
	if size, err := unknown.Size(ds, prepared(5, 3, 2)); size != (models.Size{}) || err != nil {
		t.Errorf("a family without a size: %+v, %v", size, err)
	}
	missing := prepared(5, 3, 2)
	missing.Train.Y.Set(2, 1, math.NaN())
	missing.Train.Y.Set(3, 0, math.NaN())
	_, err = r.Size(ds, missing)
	text := "family stub: it cannot be trained with missing targets, and 2 are missing " +
		"(first: second in row 13); supported by "
	var takers []string
	for _, spec := range models.Families() {
		if spec.Accepts.Missing {
			takers = append(takers, spec.Name)
		}
	}
	text += strings.Join(takers, ", ")
	if err == nil || err.Error() != text {
		t.Errorf("missing targets: %v, want %s", err, text)
	}
	classifier := stub(family.Accepts{Binary: true, Missing: true})
	for want, try := range map[string]struct {
		r    *Resolved
		data *datasets.Prepared
	}{
		"family stub: it cannot be trained on real targets": {classifier, missing},
		"family stub: it supports only one target, not 2": {
			stub(family.Accepts{Regression: true}), prepared(5, 3, 2)},
		"family stub: too wide": {r, prepared(5, 64, 2)},
	} {
		if _, err := try.r.Size(ds, try.data); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Cheaper values halve a setting as long as the family allows it.
func TestCheaperValues(t *testing.T) {
	r := stub(family.Accepts{Regression: true})
	want := []Cheaper{{"inducing", "10", 0.5}, {"inducing", "5", 0.25}, {"samples", "1", 18. / 20}}
	if got := r.CheaperValues(prepared(17, 3, 1)); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if r.Values["inducing"] != "20" {
		t.Errorf("the configuration has %s inducing points", r.Values["inducing"])
	}
	if got := r.CheaperValues(prepared(17, 64, 1)); got != nil {
		t.Errorf("a family that does not fit: %v", got)
	}
	size := r.Spec.Size
	r.Spec.Size = func(v models.Values, n, d, p int) (models.Size, error) {
		now, err := size(v, n, d, p)
		now.StepFLOPs = 0
		return now, err
	}
	if got := r.CheaperValues(prepared(17, 3, 1)); got != nil {
		t.Errorf("an unknown cost: %v", got)
	}
	r.Spec.Size = nil
	if got := r.CheaperValues(prepared(17, 3, 1)); got != nil {
		t.Errorf("an unknown size: %v", got)
	}
}

// A run is trained on the logarithms of targets if its configuration asks for them, and a family that
// takes no missing targets on the targets without the test target.
func TestUsable(t *testing.T) {
	ds, err := datasets.Load(t.Context(), datasets.Source{Name: "steps"})
	if err != nil {
		t.Fatal(err)
	}
	r := stub(family.Accepts{Regression: true})
	if got, err := r.Usable(ds); got != ds || err != nil {
		t.Errorf("%v, %v", got, err)
	}
	r.logTargets = true
	got, err := r.Usable(ds)
	if err != nil || !got.LogTargets || ds.LogTargets || got.Y != ds.Y {
		t.Errorf("logarithms: %v, %v", got, err)
	}
	r.Split = "nonsense"
	if _, err := r.Usable(ds); err == nil {
		t.Error("nonsense is a split")
	}
	file := filepath.Join(t.TempDir(), "two.csv")
	if err := os.WriteFile(file, []byte("x,a,b\n1,2,3\n2,3,4\n3,4,6\n4,5,7\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	two, err := datasets.Load(t.Context(), datasets.Source{Name: file, Targets: []string{"a", "b"}})
	if err != nil {
		t.Fatal(err)
	}
	for accepts, alone := range map[family.Accepts]bool{
		{Regression: true}: true,
		{Regression: true, Outputs: true, Missing: true}: false,
	} {
		r := stub(accepts)
		r.Split = "outputs:b:1"
		got, err := r.Usable(two)
		if err != nil || (got != two) != alone {
			t.Errorf("%+v: %v, %v", accepts, got, err)
		}
	}
}
