package likelihood

import (
	"math"
	"strings"
	"testing"

	"dgplab/datasets/task"
	"dgplab/models/oracletest"
	"dgplab/models/predictive"
)

// expectedRows holds a golden expectation of each row with its derivatives.
type expectedRows struct {
	Value   []float64
	DMean   any                  `json:"d_mean"`
	DVar    any                  `json:"d_var"`
	DParams map[string][]float64 `json:"d_params"`
}

// likelihoodCase is a golden case of a likelihood.
type likelihoodCase struct {
	Config struct{ Likelihood string }
	Data   struct {
		Y         []float64
		Mean, Var any
	}
	Params map[string]float64
	Expect struct {
		Variational expectedRows `json:"variational_expectations"`
		Predictive  expectedRows `json:"log_predictive_density"`
		Predict     struct{ Mean, Var, Prob []any }
		CDF         []float64
		CDFLower    []float64 `json:"cdf_lower"`
		Quantiles   struct {
			Levels []float64
			Value  [][]float64
		}
	}
}

// goldenNames maps the names of the cases to names of likelihoods and tasks.
var goldenNames = map[string]struct {
	name string
	task task.Task
}{
	"student_t": {"student-t", task.Regression}, "poisson": {"poisson", task.Count},
	"negative_binomial": {"negative-binomial", task.Count}, "bernoulli_logit": {"logit", task.Binary},
	"heteroscedastic_gaussian": {"heteroscedastic", task.Regression},
}

func TestLikelihoodOracles(t *testing.T) {
	for _, golden := range oracletest.Cases(t, "likelihood") {
		t.Run(golden.Name, func(t *testing.T) {
			var c likelihoodCase
			oracletest.Decode(t, golden.Text, &c)
			of := goldenNames[c.Config.Likelihood]
			d, err := Find(of.name, of.task)
			if err != nil {
				t.Fatal(err)
			}
			l := d.New(Setup{Noise: 1})
			var params []float64 // parameters that the case lacks are 0
			for _, p := range l.Parameters() {
				params = append(params, c.Params[p.Name])
			}
			c.expectation(t, l, "E log p", l.VariationalExpectations, params, c.Expect.Variational)
			c.expectation(t, l, "log E p", l.LogExpectation, params, c.Expect.Predictive)
			c.predictions(t, l, params, strings.HasSuffix(golden.Name, "negative_binomial_tail"))
		})
	}
}

// expectation compares an expectation with its golden values.
func (c *likelihoodCase) expectation(
	t *testing.T, l Likelihood, what string, of expectation, params []float64, want expectedRows,
) {
	n := len(c.Data.Y)
	got := of.of(c.Data.Y, oracletest.Flatten(c.Data.Mean), oracletest.Flatten(c.Data.Var), params,
		n*len(params))
	oracletest.Close(t, what, got.terms, want.Value, oracletest.ValueTolerance)
	const tolerance = oracletest.GradientTolerance
	oracletest.Close(t, what+", d_mean", got.dMean, oracletest.Flatten(want.DMean), tolerance)
	oracletest.Close(t, what+", d_var", got.dVar, oracletest.Flatten(want.DVar), tolerance)
	for q, p := range l.Parameters() {
		if derivatives := want.DParams[p.Name]; derivatives != nil {
			oracletest.Close(t, what+", "+p.Name, got.dParams[q*n:(q+1)*n], derivatives, tolerance)
		}
	}
}

// predictions compares predictions with their golden values.
func (c *likelihoodCase) predictions(t *testing.T, l Likelihood, params []float64, tail bool) {
	n := len(c.Data.Y)
	latent := predictive.NewGaussians([]float64{1}, n, l.Latents())
	copy(latent.Mean, oracletest.Flatten(c.Data.Mean))
	copy(latent.Var, oracletest.Flatten(c.Data.Var))
	predicted := l.Observe(latent, params)
	density := make([]float64, n)
	predicted.LogDensity(density, c.Data.Y)
	oracletest.Close(t, "log density", density, c.Expect.Predictive.Value, oracletest.ValueTolerance)
	if classes, is := predicted.(predictive.Classification); is {
		p := make([]float64, 2*n)
		classes.Probabilities(p)
		for i, want := range c.Expect.Predict.Prob {
			oracletest.Close(t, "probability", p[2*i+1:2*i+2], oracletest.Flatten(want), 1e-12)
		}
		return
	}
	m := predicted.(*predictive.Compound)
	of := m.Observation
	tolerance := 1e-12
	if tail {
		tolerance = 1e-10
	}
	mean := make([]float64, n)
	vr := make([]float64, n)
	m.Moments(mean, vr)
	for i, y := range c.Data.Y {
		k := l.Latents()
		at := func(y float64) float64 {
			return cdf(of, y, latent.Mean[i*k:(i+1)*k], latent.Var[i*k:(i+1)*k], params)
		}
		if got := at(y); math.Abs(got-c.Expect.CDF[i]) > tolerance {
			t.Errorf("row %d: CDF %v, want %v", i, got, c.Expect.CDF[i])
		}
		if c.Expect.CDFLower != nil {
			if got := at(y - 1); math.Abs(got-c.Expect.CDFLower[i]) > tolerance {
				t.Errorf("row %d: lower CDF %v, want %v", i, got, c.Expect.CDFLower[i])
			}
		}
		oracletest.Close(t, "mean", mean[i:i+1], oracletest.Flatten(c.Expect.Predict.Mean[i]),
			oracletest.ValueTolerance)
		if want := c.Expect.Predict.Var[i]; want != nil {
			oracletest.Close(t, "variance", vr[i:i+1], oracletest.Flatten(want), oracletest.ValueTolerance)
		} else if !math.IsInf(vr[i], 1) {
			t.Errorf("row %d: variance %v", i, vr[i])
		}
	}
	for at, level := range c.Expect.Quantiles.Levels {
		m.Quantiles(mean, []float64{level})
		for i, want := range c.Expect.Quantiles.Value {
			far := 1e-8 * math.Max(1, math.Abs(want[at]))
			if m.Discrete() && mean[i] != want[at] || math.Abs(mean[i]-want[at]) > far {
				t.Errorf("row %d: quantile %v is %v, want %v", i, level, mean[i], want[at])
			}
		}
	}
}
