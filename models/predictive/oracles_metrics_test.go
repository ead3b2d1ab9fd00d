package predictive

import (
	"math"
	"slices"
	"testing"

	"dgplab/models/oracletest"
)

// metricsCase scores a mixture over one output, in standardised and in original units.
func metricsCase(t *testing.T, raw []byte) {
	var c struct {
		Means     [][]float64        `json:"means"`
		Variances [][]float64        `json:"variances"`
		Noise     float64            `json:"noise_variance"`
		Weights   []float64          `json:"weights"`
		Y         []float64          `json:"y"`
		YStd      float64            `json:"y_std"`
		LogLiks   []float64          `json:"log_lik_per_point"`
		LogLik    float64            `json:"mean_test_log_lik"`
		NLL       float64            `json:"nll"`
		RMSE      float64            `json:"rmse"`
		CRPSs     []float64          `json:"crps_per_point"`
		CRPS      float64            `json:"crps"`
		PIT       []float64          `json:"pit"`
		Coverage  map[string]float64 `json:"coverage"`
		Mean      []float64          `json:"mixture_mean"`
		Var       []float64          `json:"mixture_var"`
		LogLikStd float64            `json:"mean_test_log_lik_standardised"`
		RMSEStd   float64            `json:"rmse_standardised"`
		CRPSStd   float64            `json:"crps_standardised"`
	}
	oracletest.Decode(t, raw, &c)
	n := len(c.Y)
	m := &Gaussians{S: len(c.Means), N: n, P: 1, Mean: slices.Concat(c.Means...),
		Var: slices.Concat(c.Variances...), Weights: c.Weights,
		Noise: SharedNoise(c.Noise, len(c.Means), 1)}
	scale := func(v []float64, factor, shift float64) []float64 {
		out := make([]float64, len(v))
		for i, x := range v {
			out[i] = factor*x + shift
		}
		return out
	}
	perPoint := make([]float64, n)
	m.LogDensity(perPoint, c.Y)
	oracletest.Close(t, "log_lik_per_point", scale(perPoint, 1, -math.Log(c.YStd)), c.LogLiks,
		oracletest.ValueTolerance)
	m.CRPS(perPoint, c.Y)
	oracletest.Close(t, "crps_per_point", scale(perPoint, c.YStd, 0), c.CRPSs, oracletest.ValueTolerance)
	m.PIT(perPoint, c.Y)
	oracletest.Close(t, "pit", perPoint, c.PIT, oracletest.ValueTolerance)
	mean := make([]float64, n)
	variance := make([]float64, n)
	m.Moments(mean, variance)
	oracletest.Close(t, "mixture_mean", mean, c.Mean, oracletest.ValueTolerance)
	oracletest.Close(t, "mixture_var", variance, c.Var, oracletest.ValueTolerance)

	original := Score(m, c.Y, []float64{c.YStd})
	oracletest.Close(t, "log_lik, nll, rmse, crps",
		[]float64{original.LogLik, original.NLL, original.RMSE, original.CRPS},
		[]float64{c.LogLik, c.NLL, c.RMSE, c.CRPS}, oracletest.ValueTolerance)
	standard := Score(m, c.Y, nil)
	oracletest.Close(t, "standardised log_lik, rmse, crps",
		[]float64{standard.LogLik, standard.RMSE, standard.CRPS},
		[]float64{c.LogLikStd, c.RMSEStd, c.CRPSStd}, oracletest.ValueTolerance)
	for k, name := range []string{"0.5", "0.9", "0.95"} {
		if want, ok := c.Coverage[name]; ok {
			oracletest.Close(t, "coverage "+name, []float64{original.Coverage[k]}, []float64{want},
				oracletest.ValueTolerance)
		}
	}
}
