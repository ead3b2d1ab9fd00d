package session

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/models/view"
	"dgplab/session/rundir"
)

// fakeHealth creates the health view of a fake model: one matrix, and shares measured by the clock
// of the timed steps.
type fakeHealth struct {
	timed []int // steps with a request for timing
}

// healthyModel is a fake model with a health view.
type healthyModel struct {
	*fakeModel
	health *fakeHealth
}

func (m healthyModel) TimeNextStep(clock func() time.Duration) {
	clock()
	m.health.timed = append(m.health.timed, m.StepsDone()+1)
}

func (m healthyModel) Views(seed uint64) (view.Views, error) {
	v, err := m.fakeModel.Views(seed)
	nan := view.Float(math.NaN())
	v.Matrices = &view.Matrices{
		Matrices: []view.Matrix{
			{Name: "K_MM of layer 1", Kind: view.PriorMatrix, GP: -1, Condition: 1e6 / 3, SmallestPivot: 1e-7,
				Jitter: 1e-6, Rescues: 3},
			{Name: "elsewhere", Layer: -1, GP: -1, Condition: nan, SmallestPivot: nan, Jitter: nan,
				Rescues: 1},
		},
		KLByLayer: []view.Float{1.0 / 3}, Effective: []view.Float{view.Float(m.weight[0])},
		Shares: []view.TimeShare{{Name: "all", Share: 1}}, ShareByLayer: []view.Float{0.5},
		TimedSteps: len(m.health.timed),
	}
	return v, err
}

// healthy returns the environment of a fake world with a model that has a health view.
func (w *fakeWorld) healthy(h *fakeHealth) environment {
	env := w.environment()
	lookup := env.Family
	env.Family = func(name string) (models.Spec, error) {
		spec, err := lookup(name)
		make := spec.New
		spec.New = func(v models.Values, data models.Data, seed uint64) (models.Model, error) {
			m, err := make(v, data, seed)
			return healthyModel{m.(*fakeModel), h}, err
		}
		return spec, err
	}
	return env
}

func TestHealthInDiagnostics(t *testing.T) {
	w := newWorld(t)
	h := new(fakeHealth)
	r, err := Start(context.Background(), fakeConfig("steps=70"), withEnvironment(w.healthy(h)))
	if err != nil {
		t.Fatal(err)
	}
	s := wait(t, r, rundir.StopSteps)
	if want := []int{2, 3, 4, 5, 6, 7, 8, 9, 25, 50}; !slices.Equal(h.timed, want) {
		t.Errorf("steps %v were timed, want %v", h.timed, want)
	}
	if d := s.Diagnostics; d == nil || d.Step != 70 || d.Matrices == nil || d.Matrices.TimedSteps != 10 {
		t.Fatalf("diagnostics %+v", d)
	}
	alarmed := slices.ContainsFunc(s.Alarms, func(a rundir.Alarm) bool { return a.Kind != rundir.AlarmScore })
	if alarmed || s.Batch() != 0 {
		t.Errorf("alarms %v, batch %d in a family without batches", s.Alarms, s.Batch())
	}
}

func TestStoredDiagnosticsEqualLastOnes(t *testing.T) {
	w := newWorld(t)
	h := new(fakeHealth)
	r, err := Start(context.Background(), fakeConfig(), withEnvironment(w.healthy(h)))
	if err != nil {
		t.Fatal(err)
	}
	s := wait(t, r, rundir.StopSteps)
	record, err := rundir.FindReadOnly(s.ID)
	if err != nil {
		t.Fatal(err)
	}
	got, err := record.Diagnostics()
	if err != nil {
		t.Fatal(err)
	}
	want := s.Diagnostics
	if got.Step != want.Step || got.Seconds != want.Seconds {
		t.Errorf("diagnostics at step %d, want %d", got.Step, want.Step)
	}
	if a, b := got.Matrices.Matrices[0], want.Matrices.Matrices[0]; a != b {
		t.Errorf("matrix %+v, want %+v", a, b)
	}
	if a := got.Matrices.Matrices[1]; a.Rescues != 1 || !math.IsNaN(float64(a.Condition)) {
		t.Errorf("a matrix without values is read as %+v", a)
	}
	got.Matrices.Matrices, want.Matrices.Matrices = nil, nil
	if !reflect.DeepEqual(got.Matrices, want.Matrices) {
		t.Errorf("health %+v\nwant %+v", got.Matrices, want.Matrices)
	}
	if a, b := got.Blocks.Log10[0], want.Blocks.Log10[0]; math.Abs(a-b) > 0.005+1e-12 {
		t.Errorf("covariance %v, want %v", a, b)
	}
	a, b := got.Units[0].Units[0].Curves[0], want.Units[0].Units[0].Curves[0]
	for k := range b {
		if len(a) != len(b) || math.Abs(a[k]-b[k]) > 1e-5*math.Abs(b[k]) {
			t.Errorf("the curve is %v, want %v", a, b)
		}
	}
	if _, err := rundir.WriteFile(record.Dir, "diagnostics.json", nil); err == nil {
		t.Error("an export can replace the diagnostics")
	}
}

func TestAlarmsOfRecord(t *testing.T) {
	w := newWorld(t)
	w.onStep = func(step int) error {
		if step == 555 {
			return &models.NonFiniteError{Where: "the ELBO", Step: step}
		}
		return nil
	}
	s := wait(t, w.start(t, fakeConfig("steps=900")), rundir.StopFailed)
	if len(s.Alarms) != 1 || s.Alarms[0].Kind != rundir.AlarmNonFinite || s.Alarms[0].Since != 554 {
		t.Errorf("a run with NaN has alarms %v", s.Alarms)
	}
	if record, err := rundir.FindReadOnly(s.ID); err != nil || !slices.Equal(Open(record).Alarms, s.Alarms) {
		t.Errorf("the record of a run with NaN has alarms %v, %v", Open(record).Alarms, err)
	}
	// The report lines of a diverging run, as another process would write them.
	random := rand.New(rand.NewPCG(11, 12))
	points := make([]rundir.Point, 300)
	for i := range points {
		objective := -100*float64(i) + 20*random.NormFloat64()
		noise := random.NormFloat64()
		points[i] = rundir.Point{
			Step:      10 * (i + 1),
			Objective: objective,
			ValLogLik: -1 - 3*math.Exp(-float64(i)/30) + 0.05*noise,
		}
	}
	files, err := rundir.Reopen(s.ID)
	if err == nil {
		err = files.Continue(0)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range points {
		if err := files.Append(p); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(files.CloseLog(), files.Close()); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(s.Dir, "summary.json")); err != nil {
		t.Fatal(err)
	}
	record, err := rundir.FindReadOnly(s.ID)
	if err != nil {
		t.Fatal(err)
	}
	if a := Open(record).Alarms; len(a) != 1 || a[0].Kind != rundir.AlarmObjective {
		t.Errorf("the record has alarms %v", a)
	}
}

// abilities reports which health views the models of a family have: matrices, and timings of the
// parts of a step.
func abilities(t *testing.T, spec models.Spec) (matrices, times bool) {
	t.Helper()
	values, err := models.Resolve(spec.Hyperparameters, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := spec.New(values,
		models.Data{X: mat.NewDense(4, 1, []float64{0, 1, 2, 3}), Y: mat.NewDense(4, 1, nil)}, 1)
	if err != nil {
		t.Fatal(err)
	}
	_, times = m.(family.StepTimer)
	if m, ok := m.(family.Viewer); ok {
		v, err := m.Views(1)
		if err != nil {
			t.Fatal(err)
		}
		matrices = v.Matrices != nil
	}
	return matrices, times
}

// checkHealth checks that a run and its record have the health views of the family: matrices, timings and
// the size of a batch.
func checkHealth(t *testing.T, spec models.Spec, s *Snapshot) {
	t.Helper()
	record, err := rundir.FindReadOnly(s.ID)
	if err != nil {
		t.Fatal(err)
	}
	want := 0 // for a family without batches
	if _, ok := s.Values["batch"]; ok {
		want = min(40, s.Data.N)
	}
	if s.Batch() != want || Open(record).Batch() != want {
		t.Errorf("batch %d, in the record %d, want %d", s.Batch(), Open(record).Batch(), want)
	}
	d, err := record.Diagnostics()
	if err != nil {
		t.Fatal(err)
	}
	h, kept := s.Diagnostics.Matrices, d.Matrices
	matrices, times := abilities(t, spec)
	if (h != nil) != matrices || (kept != nil) != matrices {
		t.Fatalf("health %+v, stored %+v; want any: %v", h, kept, matrices)
	}
	if !matrices {
		return
	}
	if len(h.Matrices) == 0 || len(h.Shares) > 0 != times || h.TimedSteps > 0 != times ||
		len(kept.Matrices) != len(h.Matrices) {
		t.Errorf("health %+v, stored %+v", h, kept)
	}
}
