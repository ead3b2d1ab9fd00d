package linear

import (
	"context"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
	"dgplab/models/infer"
	"dgplab/models/oracletest"
	"dgplab/models/predictive"
)

// golden is an oracle case of the linear family.
type golden struct {
	Data struct {
		X, Xtest [][]float64
		Y, Ytest []float64
	}
	Params struct {
		Alpha    float64
		NoiseVar float64 `json:"noise_var"`
	}
	Expect struct {
		Objective float64
		Posterior struct {
			Mean []float64
			Cov  [][]float64
		}
		Predict struct {
			FMean      []float64 `json:"f_mean"`
			FVar       []float64 `json:"f_var"`
			YMean      []float64 `json:"y_mean"`
			YVar       []float64 `json:"y_var"`
			LogDensity []float64 `json:"log_density"`
		}
		Optimum struct {
			Alpha     float64
			NoiseVar  float64 `json:"noise_var"`
			Objective float64
		}
	}
	Grad struct {
		Alpha    float64
		NoiseVar float64 `json:"noise_var"`
	}
}

func dense(rows [][]float64) *mat.Dense {
	return mat.NewDense(len(rows), len(rows[0]), slices.Concat(rows...))
}

func TestLinearOracles(t *testing.T) {
	for _, file := range oracletest.Cases(t, "linear") {
		t.Run(file.Name, func(t *testing.T) {
			var c golden
			oracletest.Decode(t, file.Text, &c)
			data := family.Data{X: dense(c.Data.X), Y: mat.NewDense(len(c.Data.Y), 1, c.Data.Y)}
			r, err := newRegression(data, false, c.Params.Alpha, c.Params.NoiseVar)
			if err != nil {
				t.Fatal(err)
			}
			value, err := r.Evaluate(make([]float64, 2))
			if err != nil {
				t.Fatal(err)
			}
			oracletest.Close(t, "evidence", []float64{value}, []float64{c.Expect.Objective},
				oracletest.ValueTolerance)
			oracletest.Close(t, "gradient", slices.Concat(r.grads...),
				[]float64{c.Grad.Alpha, c.Grad.NoiseVar}, oracletest.GradientTolerance)
			checkPosterior(t, r, &c)
			checkPredictions(t, r, &c)
			checkOptimum(t, r, &c)
		})
	}
}

func checkPosterior(t *testing.T, r *regression, c *golden) {
	t.Helper()
	mean, along := r.posterior(0)
	o, d := r.outputs[0], len(mean)
	cov := make([]float64, d*d)
	for i := range d {
		for j := range d {
			for k, v := range along {
				cov[i*d+j] += o.vectors[k*d+i] * v * o.vectors[k*d+j]
			}
		}
	}
	oracletest.Close(t, "posterior mean", mean, c.Expect.Posterior.Mean, oracletest.ValueTolerance)
	oracletest.Close(t, "posterior covariance", cov, slices.Concat(c.Expect.Posterior.Cov...),
		oracletest.ValueTolerance)
}

func checkPredictions(t *testing.T, r *regression, c *golden) {
	t.Helper()
	x := newPoints(dense(c.Data.Xtest), func(int) bool { return true }, false)
	mean, vr, err := r.latent(x)
	if err != nil {
		t.Fatal(err)
	}
	want := c.Expect.Predict
	oracletest.Close(t, "mean of f", mean, want.FMean, oracletest.ValueTolerance)
	oracletest.Close(t, "variance of f", vr, want.FVar, oracletest.ValueTolerance)
	out, err := r.predict(x, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	density := make([]float64, len(mean))
	out.(predictive.Regression).Moments(mean, vr)
	out.LogDensity(density, c.Data.Ytest)
	oracletest.Close(t, "mean of y", mean, want.YMean, oracletest.ValueTolerance)
	oracletest.Close(t, "variance of y", vr, want.YVar, oracletest.ValueTolerance)
	oracletest.Close(t, "log density", density, want.LogDensity, oracletest.ValueTolerance)
}

func checkOptimum(t *testing.T, r *regression, c *golden) {
	t.Helper()
	method := infer.NewLBFGS(2, memory, infer.Tolerances{Gradient: 1e-12})
	var move infer.Move
	for step := range uint64(100) {
		var err error
		move, err = method.Step(context.Background(), r, step)
		if err != nil {
			t.Fatal(err)
		}
		if move.Converged {
			break
		}
	}
	want := c.Expect.Optimum
	oracletest.Close(t, "alpha and noise at the optimum", []float64{r.precision[0], r.noise[0]},
		[]float64{want.Alpha, want.NoiseVar}, 1e-6)
	oracletest.Close(t, "evidence at the optimum", []float64{move.Objective},
		[]float64{want.Objective}, 1e-10)
}
