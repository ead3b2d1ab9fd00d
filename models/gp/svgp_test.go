package gp

import (
	"maps"
	"math"
	"slices"
	"testing"

	"dgplab/models/dgp"
	"dgplab/models/family"
	"dgplab/models/familytest"
	"dgplab/models/oracletest"
	"dgplab/models/predictive"
)

// One natural-gradient step of length 1 on the full data takes the sparse variational GP to the
// optimal q(f_M), where its bound and predictions equal the bound and predictions of SGPR. The
// learning rate of Adam is negligible, so the hyperparameters stay fixed. This also holds with known noise
// and weights.
func TestSparseVariationalGPReachesTheCollapsedBound(t *testing.T) {
	data := smooth(50, 2)
	test := smooth(20, 2)
	specs := dgp.Families()
	svgp := specs[slices.IndexFunc(specs, func(s family.Spec) bool { return s.Name == "svgp" })]
	sgpr := Families()[1]
	for i := range 50 {
		data.Noise = append(data.Noise, 0.01+0.004*float64(i%7))
		data.Weights = append(data.Weights, 0.5+float64(i%3))
	}
	plain, known := data, data
	plain.Noise, plain.Weights = nil, nil
	known.LearnedNoise = true
	for _, data := range []family.Data{plain, data, known} {
		checkCollapsed(t, data, test, sgpr, svgp)
	}
}

func checkCollapsed(t *testing.T, data, test family.Data, sgpr, svgp family.Spec) {
	t.Helper()
	for _, kernel := range []string{"rbf", "matern32", "matern52"} {
		set := map[string]string{
			"kernel": kernel, "inducing": "12", "noise_variance": "0.05",
			"lengthscale": "0.7", "variance": "1.5",
		}
		collapsed, err := sgpr.New(familytest.Values(t, sgpr, set), data, 5)
		if err != nil {
			t.Fatal(err)
		}
		want, err := collapsed.(*Model).graph.Evaluate(nil)
		if err != nil {
			t.Fatal(err)
		}
		maps.Copy(set, map[string]string{
			"batch": "50", "optimizer": "natgrad", "natgrad_step": "1", "learning_rate": "1e-12",
		})
		variational, err := svgp.New(familytest.Values(t, svgp, set), data, 5)
		if err != nil {
			t.Fatal(err)
		}
		familytest.Steps(t, variational, 1)
		got := familytest.Steps(t, variational, 1).Objective // at the parameters after the first step
		if math.Abs(got-want) > 1e-8*math.Abs(want) {
			t.Errorf("%s: bound %.12g, collapsed bound %.12g", kernel, got, want)
		}
		gotMean, gotVariance := moments(t, variational, test)
		wantMean, wantVariance := moments(t, collapsed, test)
		oracletest.Close(t, kernel+" mean", gotMean, wantMean, 1e-7)
		oracletest.Close(t, kernel+" variance", gotVariance, wantVariance, 1e-7)
	}
}

// moments returns the predictive moments of the targets.
func moments(t *testing.T, m family.Model, test family.Data) (mean, variance []float64) {
	t.Helper()
	p, err := m.Predict(test.X, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	n, outputs := p.Dims()
	mean = make([]float64, n*outputs)
	variance = make([]float64, n*outputs)
	p.(predictive.Regression).Moments(mean, variance)
	return mean, variance
}
