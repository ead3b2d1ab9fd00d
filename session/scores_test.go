package session

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets"
	"dgplab/datasets/task"
	"dgplab/models"
	"dgplab/models/predictive"
	"dgplab/session/config"
	"dgplab/session/rundir"
)

// exactModel predicts N(x, 1) without sampling noise, or classes with latent function x.
type exactModel struct {
	models.Model
	calls []int
	seeds []uint64
	err   error
	class bool
}

func (m *exactModel) Predict(x *mat.Dense, samples int, seed uint64) (predictive.Predictive, error) {
	n, _ := x.Dims()
	m.calls = append(m.calls, n)
	m.seeds = append(m.seeds, seed)
	mean := make([]float64, n)
	variance := make([]float64, n)
	for i := range n {
		mean[i], variance[i] = x.At(i, 0), 1
	}
	if m.class {
		return &predictive.Probit{S: 1, N: n, Weights: []float64{1}, Mean: mean, Var: variance}, m.err
	}
	return &predictive.Gaussians{
		S:       1,
		N:       n,
		P:       1,
		Weights: []float64{1},
		Mean:    mean,
		Var:     variance,
		Noise:   []float64{0},
	}, m.err
}

// scorer returns a trainer with n test and validation points whose targets lie residual(i) above
// input i, in units of a standard deviation of 3.
func scorer(model models.Model, n int, residual func(i int) float64) *trainer {
	x := mat.NewDense(n, 1, nil)
	y := mat.NewDense(n, 1, nil)
	for i := range n {
		x.Set(i, 0, float64(i))
		y.Set(i, 0, float64(i)+residual(i))
	}
	part := datasets.Part{X: x, Y: y}
	return &trainer{
		modelData: modelData{
			model: model,
			prepared: &datasets.Prepared{
				Validation: part,
				Test:       part,
				Scaling:    datasets.Scaling{TargetMean: []float64{100}, TargetSD: []float64{3}},
			},
		},
		Resolved: &config.Resolved{Settings: config.Settings{TestSamples: 100, ValidationSamples: 5}},
		progress: rundir.Progress{
			BestVal: rundir.Number(math.NaN()),
			Early:   &rundir.EarlyStopping{Every: 10},
		},
	}
}

func TestEvaluateInOriginalUnits(t *testing.T) {
	model := new(exactModel)
	// 100 samples: chunks of 40 points. Every other target is 2 off, outside the 50 and 90 %
	// intervals (0.67 and 1.64) and the 95 % interval (1.96).
	m, _, err := scorer(model, 100, func(i int) float64 {
		return 2 * float64(i%2)
	}).evaluate(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(model.calls, []int{40, 40, 20}) || model.seeds[0] == model.seeds[1] {
		t.Errorf("chunks of %v with seeds %v", model.calls, model.seeds)
	}
	logLik := -0.5*math.Log(2*math.Pi) - 0.5*2 - math.Log(3) // the mean of 0 and 4 is 2
	if math.Abs(m.LogLik-logLik) > 1e-12 || m.NLL != -m.LogLik || math.Abs(*m.RMSE-3*math.Sqrt2) > 1e-12 {
		t.Errorf("log-likelihood %v, want %v; RMSE %v, want %v", m.LogLik, logLik, *m.RMSE, 3*math.Sqrt2)
	}
	if math.Abs(*m.StdLogLik-m.LogLik-math.Log(3)) > 1e-12 || *m.StdNLL != -*m.StdLogLik ||
		math.Abs(*m.StdRMSE-math.Sqrt2) > 1e-12 || math.Abs(3**m.StdCRPS-*m.CRPS) > 1e-12 {
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
	if want := 3 * (crps(0) + crps(2)) / 2; math.Abs(*m.CRPS-want) > 1e-12 {
		t.Errorf("CRPS %v, want %v", *m.CRPS, want)
	}
}

func TestEvaluateClasses(t *testing.T) {
	tr := scorer(&exactModel{class: true}, 10, func(int) float64 { return 0 })
	tr.prepared.Task, tr.prepared.Scaling.TargetSD = task.Binary, []float64{1}
	for i := range 10 {
		tr.prepared.Test.X.Set(i, 0, 1)
		tr.prepared.Test.Y.Set(i, 0, 1)
	}
	tr.prepared.Test.Y.Set(3, 0, -1)
	m, points, err := tr.evaluate(context.Background())
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
	p := 0.5 * math.Erfc(-0.5) // probability of +1 at every point
	if m.Brier == nil || math.Abs(*m.Brier-2*(0.9*(1-p)*(1-p)+0.1*p*p)) > 1e-12 {
		t.Errorf("Brier score %v", m.Brier)
	}
	if m.ECE == nil || math.Abs(*m.ECE-(0.9-p)) > 1e-12 {
		t.Errorf("calibration error %v", m.ECE)
	}
}

func TestEvaluateFailures(t *testing.T) {
	broken := &exactModel{err: errors.New("no")}
	if _, _, err := scorer(broken, 3, func(int) float64 { return 0 }).evaluate(context.Background()); err ==
		nil {
		t.Error("the model's error was lost")
	}
	if _, _, err := scorer(new(exactModel), 3, func(int) float64 {
		return math.NaN()
	}).evaluate(context.Background()); err == nil {
		t.Error("NaN was accepted")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := scorer(new(exactModel), 3, func(int) float64 { return 0 }).evaluate(ctx); !errors.Is(err,
		context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestValidate(t *testing.T) {
	model := new(exactModel)
	tr := scorer(model, 3000, func(int) float64 { return 1 })
	want := -0.5*math.Log(2*math.Pi) - 0.5 - math.Log(3)
	if got, _ := tr.validate(context.Background(), 10); math.Abs(got-want) > 1e-12 {
		t.Errorf("validation %v, want %v", got, want)
	}
	if !slices.Equal(model.calls, []int{819, 819, 819, 543}) { // 4096/5
		t.Errorf("chunks %v", model.calls)
	}
	model.calls = nil
	tr.ValidationPoints = 100
	if got, _ := tr.validate(context.Background(), 20); math.Abs(got-want) > 1e-12 ||
		!slices.Equal(model.calls, []int{100}) {
		t.Errorf("validation %v of chunks %v, want %v of 100", got, model.calls, want)
	}
	if tr.progress.BestStep != 10 && math.Abs(float64(tr.progress.BestVal)-want) > 1e-12 {
		t.Errorf("best %v at %d", tr.progress.BestVal, tr.progress.BestStep)
	}
	model.err = errors.New("not positive definite")
	if got, _ := tr.validate(context.Background(), 30); !math.IsNaN(got) || len(tr.warnings.view()) != 1 {
		t.Errorf("failed validation gave %v, warnings %q", got, tr.warnings.view())
	}
}

// The warning names scores that are null because they overflow, but no scores that do not apply.
func TestOverflowedScores(t *testing.T) {
	inf, one := math.Inf(1), 1.0
	m := &rundir.Metrics{
		LogLik:  math.Inf(-1),
		NLL:     inf,
		RMSE:    &one,
		CRPS:    &inf,
		Outputs: []*rundir.Metrics{{RMSE: &inf}, {MAE: &one}},
	}
	if got := overflowed(m); !slices.Equal(got, []string{"crps", "log_lik", "nll", "rmse"}) {
		t.Errorf("null are %q", got)
	}
	if got := overflowed(&rundir.Metrics{RMSE: &one}); len(got) != 0 {
		t.Errorf("null are %q", got)
	}
}
