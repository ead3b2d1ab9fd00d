package session

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"dgplab/models"
	"dgplab/session/rundir"
)

// fakeHealth makes the report of a fake model: one matrix, and shares by the
// clock that the timed steps were given.
type fakeHealth struct {
	timed []int // the steps that were asked to be timed
}

// healthyModel is a fake model that also reports on its health.
type healthyModel struct {
	*fakeModel
	health *fakeHealth
}

func (m healthyModel) TimeNextStep(clock func() time.Duration) {
	clock()
	m.health.timed = append(m.health.timed, m.StepsDone()+1)
}

func (m healthyModel) Health() (*models.HealthReport, error) {
	return &models.HealthReport{
		Matrices: []models.MatrixHealth{
			{Name: "K_MM of layer 1", Kind: models.PriorMatrix, GP: -1, Condition: 1e6 / 3, SmallestPivot: 1e-7, Jitter: 1e-6, Rescues: 3},
			{Name: "elsewhere", Layer: -1, GP: -1, Condition: math.NaN(), SmallestPivot: math.NaN(), Jitter: math.NaN(), Rescues: 1},
		},
		KLByLayer: []float64{1.0 / 3}, Effective: m.weight[:1],
		Shares: []models.TimeShare{{Name: "all", Share: 1}}, ShareByLayer: []float64{0.5}, TimedSteps: len(m.health.timed),
	}, nil
}

// healthy returns the environment of a fake world whose model reports health.
func (w *fakeWorld) healthy(h *fakeHealth) environment {
	env := w.environment()
	lookup := env.family
	env.family = func(name string) (models.Spec, error) {
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

func TestHealthIsPartOfTheDiagnostics(t *testing.T) {
	w, h := newWorld(t), new(fakeHealth)
	r, err := Start(context.Background(), config("steps=350"), withEnvironment(w.healthy(h)))
	if err != nil {
		t.Fatal(err)
	}
	s := wait(t, r, rundir.StopSteps)
	if want := []int{2, 102, 202, 302}; !slices.Equal(h.timed, want) {
		t.Errorf("steps %v were timed, want %v", h.timed, want)
	}
	if s.Health == nil || s.Health != s.Diagnostics.Health || s.Health.Step != 350 || s.Health.TimedSteps != 4 {
		t.Fatalf("health %+v", s.Health)
	}
	if len(s.Alarms) != 0 || s.Batch != 0 {
		t.Errorf("alarms %v, batch %d of a family without one", s.Alarms, s.Batch)
	}
}

func TestStoredDiagnosticsAreThoseOfTheRun(t *testing.T) {
	w, h := newWorld(t), new(fakeHealth)
	r, err := Start(context.Background(), config(), withEnvironment(w.healthy(h)))
	if err != nil {
		t.Fatal(err)
	}
	s := wait(t, r, rundir.StopSteps)
	record, err := Open(s.ID)
	if err != nil {
		t.Fatal(err)
	}
	got, err := record.Diagnostics()
	if err != nil {
		t.Fatal(err)
	}
	want := s.Diagnostics
	if got.Step != want.Step || got.Seconds != want.Seconds || got.Health.Step != want.Step {
		t.Errorf("diagnostics of step %d and %d, want %d", got.Step, got.Health.Step, want.Step)
	}
	if a, b := got.Health.Matrices[0], want.Health.Matrices[0]; a != b {
		t.Errorf("matrix %+v, want %+v", a, b)
	}
	if a := got.Health.Matrices[1]; a.Rescues != 1 || !math.IsNaN(a.Condition) {
		t.Errorf("a matrix of which nothing is known came back as %+v", a)
	}
	got.Health.Matrices, want.Health.Matrices = nil, nil
	if !reflect.DeepEqual(got.Health, want.Health) {
		t.Errorf("health %+v\nwant %+v", got.Health, want.Health)
	}
	if a, b := got.Covariance.Log10[0], want.Covariance.Log10[0]; math.Abs(a-b) > 0.005+1e-12 {
		t.Errorf("covariance %v, want %v", a, b)
	}
	a, b := got.Layers[0].GPs[0].Curves[0], want.Layers[0].GPs[0].Curves[0]
	for k := range b {
		if len(a) != len(b) || math.Abs(a[k]-b[k]) > 1e-5*math.Abs(b[k]) {
			t.Errorf("curve %v, want %v", a, b)
		}
	}
	if _, err := record.WriteFile("diagnostics.json", nil); err == nil {
		t.Error("an export may replace the diagnostics")
	}
}

func TestARecordHasTheAlarmsOfItsRun(t *testing.T) {
	w := newWorld(t)
	w.onStep = func(step int) error {
		if step == 555 {
			return &models.NonFiniteError{Where: "the ELBO", Step: step}
		}
		return nil
	}
	s := wait(t, w.start(t, config("steps=900")), rundir.StopFailed)
	if len(s.Alarms) != 1 || s.Alarms[0].Kind != AlarmNonFinite || s.Alarms[0].Since != 554 {
		t.Errorf("alarms %v of a run that met NaN", s.Alarms)
	}
	// Report lines of a run that diverges, as another process would write them.
	points := series{lines: 300, objective: func(i int, e float64) float64 { return -100*float64(i) + 20*e }}.points()
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
	record, err := Open(s.ID)
	if err != nil {
		t.Fatal(err)
	}
	if a := record.Snapshot().Alarms; len(a) != 1 || a[0].Kind != AlarmObjective {
		t.Errorf("alarms %v of the record", a)
	}
}

func TestRealFamiliesHaveHealth(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	for _, spec := range models.Families() {
		r, err := Start(context.Background(), realConfig(spec))
		if err != nil {
			t.Fatal(err)
		}
		s := wait(t, r, rundir.StopSteps)
		if s.Health == nil || len(s.Health.Matrices) == 0 || len(s.Health.Shares) == 0 || s.Health.TimedSteps != 1 {
			t.Errorf("%s: health %+v", spec.Name, s.Health)
		}
		if want := min(40, s.N); s.Batch != want {
			t.Errorf("%s: batch %d, want %d", spec.Name, s.Batch, want)
		}
		record, err := Open(s.ID)
		if err != nil {
			t.Fatal(err)
		}
		if d, err := record.Diagnostics(); err != nil || d.Health == nil || len(d.Health.Matrices) != len(s.Health.Matrices) || record.Snapshot().Batch != s.Batch {
			t.Errorf("%s: stored diagnostics %v, %v", spec.Name, d, err)
		}
	}
}
