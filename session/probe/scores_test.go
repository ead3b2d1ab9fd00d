package probe

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets"
	"dgplab/datasets/task"
	"dgplab/models/predictive"
	"dgplab/session/rundir"
)

// near reports whether a score equals a number up to rounding.
func near(score rundir.Number, x float64) bool { return math.Abs(float64(score)-x) <= 1e-12 }

func TestScoresInOriginalUnits(t *testing.T) {
	model := new(linear)
	// 100 samples lead to chunks of 40 points. Every other target has a residual of 2, outside the 50, 90 and
	// 95 % intervals (0.67, 1.64 and 1.96).
	m, _, err := line(model, 100, func(i int) float64 {
		return 2 * float64(i%2)
	}).Test(t.Context(), 100)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(model.calls, []int{40, 40, 20}) || model.seeds[0] == model.seeds[1] {
		t.Errorf("chunks of %v with seeds %v", model.calls, model.seeds)
	}
	logLik := -0.5*math.Log(2*math.Pi) - 0.5*2 - math.Log(3) // the mean of 0 and 4 is 2
	if !near(m.LogLik, logLik) || m.NLL != -m.LogLik || !near(*m.RMSE, 3*math.Sqrt2) {
		t.Errorf("log-likelihood %v, want %v; RMSE %v, want %v", m.LogLik, logLik, *m.RMSE, 3*math.Sqrt2)
	}
	if !near(*m.StdLogLik-m.LogLik, math.Log(3)) || *m.StdNLL != -*m.StdLogLik ||
		!near(*m.StdRMSE, math.Sqrt2) || !near(3**m.StdCRPS-*m.CRPS, 0) {
		t.Errorf("standardised: log-likelihood %v, RMSE %v, CRPS %v", *m.StdLogLik, *m.StdRMSE, *m.StdCRPS)
	}
	if len(m.Coverage) != 3 || m.Coverage["50"] != 0.5 || m.Coverage["90"] != 0.5 ||
		m.Coverage["95"] != 0.5 || m.ErrorRate != nil || m.CRPS == nil {
		t.Errorf("metrics %+v", m)
	}
	// The CRPS of N(0, 1) at z in closed form (Gneiting and Raftery, "Strictly proper scoring
	// rules", 2007, eq. 21).
	crps := func(z float64) float64 {
		return z*math.Erf(z/math.Sqrt2) + 2*math.Exp(-z*z/2)/math.Sqrt(2*math.Pi) - 1/math.Sqrt(math.Pi)
	}
	if want := 3 * (crps(0) + crps(2)) / 2; !near(*m.CRPS, want) {
		t.Errorf("CRPS %v, want %v", *m.CRPS, want)
	}
}

func TestScoresOfClasses(t *testing.T) {
	p := line(&linear{class: true}, 10, func(int) float64 { return 0 })
	p.Data.Task, p.Data.Scaling.TargetSD = task.Binary, []float64{1}
	for i := range 10 {
		p.Data.Test.X.Set(i, 0, 1)
		p.Data.Test.Y.Set(i, 0, 1)
	}
	p.Data.Test.Y.Set(3, 0, -1)
	p.Data.Test.Targets = p.Data.Test.Y
	m, points, err := p.Test(t.Context(), 100)
	if err != nil {
		t.Fatal(err)
	}
	if !points.IsClassification() || points.PIT != nil || points.Target[3] != -1 ||
		math.Abs(points.Probability[3]-0.5*math.Erfc(-0.5)) > 1e-15 ||
		math.IsInf(points.LogLik[3], 0) || points.LogLik[3] > -1 {
		t.Errorf("predictions %+v", points)
	}
	if *m.ErrorRate != 0.1 || *m.Accuracy != 0.9 || *m.LogLoss != m.NLL || m.RMSE != nil ||
		m.StdLogLik != nil || m.Coverage != nil {
		t.Errorf("metrics %+v", m)
	}
	one := 0.5 * math.Erfc(-0.5) // probability of +1 at every point
	if m.Brier == nil || !near(*m.Brier, 2*(0.9*(1-one)*(1-one)+0.1*one*one)) {
		t.Errorf("Brier score %v", m.Brier)
	}
	if m.ECE == nil || !near(*m.ECE, 0.9-one) {
		t.Errorf("calibration error %v", m.ECE)
	}
}

func TestScoresFail(t *testing.T) {
	broken := &linear{err: errors.New("no")}
	if _, _, err := line(broken, 3, func(int) float64 { return 0 }).Test(t.Context(), 100); err ==
		nil {
		t.Error("the model's error was lost")
	}
	if _, _, err := line(new(linear), 3, func(int) float64 {
		return math.NaN()
	}).Test(t.Context(), 100); err == nil {
		t.Error("NaN was accepted")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := line(new(linear), 3, func(int) float64 { return 0 }).Test(ctx, 100); !errors.Is(err,
		context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Scores that take too long when the run must end are abandoned.
func TestScoringIsAbandoned(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	release := make(chan struct{})
	defer close(release)
	p := line(new(linear), 3, func(int) float64 { return 0 })
	p.ctx = ctx
	rows := rowsIn(p.Data.Test.X, nil)
	err := p.predictInChunks(ctx, rows, 1, 1, testDraws, func(int, predictive.Predictive) {
		cancel()
		<-release
	})
	if !errors.Is(err, context.Canceled) || !p.Abandoned() {
		t.Errorf("scoring that does not end was not abandoned: %v", err)
	}
}

// The time of scoring is that of the first chunk, 40 points with 100 samples, times the number of chunks.
func TestTimeTest(t *testing.T) {
	var clock time.Time
	model := &linear{onPredict: func(int) { clock = clock.Add(time.Second) }}
	p := line(model, 300, func(int) float64 { return 0 })
	seconds, err := p.TimeTest(t.Context(), 100, func() time.Time { return clock })
	if err != nil || seconds != 7.5 {
		t.Errorf("%v s to score 300 points, want 7.5, %v", seconds, err)
	}
}

func TestValidate(t *testing.T) {
	model := new(linear)
	p := line(model, 3000, func(int) float64 { return 1 })
	want := -0.5*math.Log(2*math.Pi) - 0.5 - math.Log(3)
	for points, chunks := range map[int][]int{0: {819, 819, 819, 543}, 100: {100}} { // 4096/5
		model.calls = nil
		got, err := p.Validate(t.Context(), 10, points, 5)
		if err != nil || math.Abs(got-want) > 1e-12 || !slices.Equal(model.calls, chunks) {
			t.Errorf("%d points: validation %v in chunks of %v, %v", points, got, model.calls, err)
		}
	}
}

// Test points beyond the training inputs are far; points among them are not.
func TestFar(t *testing.T) {
	p := line(new(linear), 400, func(int) float64 { return 0 })
	p.Data.Train = p.Data.Test
	if far, err := p.Far(t.Context()); far != 0 || err != nil {
		t.Errorf("%d training inputs are far from themselves, %v", far, err)
	}
	x := mat.NewDense(10, 1, nil)
	for i := range 10 {
		x.Set(i, 0, 395+10*float64(i))
	}
	p = line(new(linear), 400, func(int) float64 { return 0 })
	p.Data.Train = p.Data.Test
	p.Data.Test = datasets.Part{X: x, Y: mat.NewDense(10, 1, nil)}
	if far, err := p.Far(t.Context()); far != 9 || err != nil {
		t.Errorf("%d of 10 points are far, want the 9 beyond the range; %v", far, err)
	}
}
