package models_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"dgplab/datasets/task"
	"dgplab/models"
	"dgplab/models/family"
	"dgplab/models/familytest"
	"dgplab/models/likelihood"
	"dgplab/models/predictive"
)

// targets replaces the targets of data by draws from a likelihood around a sine of the first input.
func targets(data models.Data, d likelihood.Declaration) models.Data {
	r := rand.New(rand.NewPCG(3, 4))
	data.Task, data.Classes = d.Tasks[0], 3
	n, _ := data.X.Dims()
	for i := range n {
		f := math.Sin(2 * data.X.At(i, 0))
		y := f + 0.3*r.NormFloat64()
		switch data.Task {
		case task.Binary:
			y = math.Copysign(1, y)
		case task.Multiclass:
			y = math.Floor(math.Min(math.Max(1.5*y+1.5, 0), 2))
		case task.Count:
			y = math.Floor(5 * math.Exp(y))
		}
		data.Y.Set(i, 0, y)
	}
	return data
}

// declared returns the declarations of the likelihoods of all tasks.
func declared(t *testing.T) (list []likelihood.Declaration) {
	t.Helper()
	for _, name := range likelihood.Names() {
		for _, of := range task.All() {
			if d, err := likelihood.Find(name, of); err == nil && name == d.Name {
				list = append(list, d)
				break
			}
		}
	}
	if len(list) != len(likelihood.Names())-1 {
		t.Fatalf("%d declarations of the names %v", len(list), likelihood.Names())
	}
	return list
}

// Every family must train and predict finite values with each likelihood of its choice. The default
// family must also learn: the log density of the training targets rises.
func TestFamiliesTrainUnderEveryLikelihood(t *testing.T) {
	for _, spec := range models.Families() {
		at := slices.IndexFunc(spec.Hyperparameters, func(h models.Hyperparameter) bool {
			return h.Name == "likelihood"
		})
		if at < 0 || testing.Short() && spec.Name != "svgp" && spec.Name != "dspp" && spec.Name != "sghmc" {
			continue
		}
		for _, d := range declared(t) {
			if !slices.Contains(spec.Hyperparameters[at].Choices, d.Name) {
				continue
			}
			t.Run(spec.Name+", "+d.Name, func(t *testing.T) { trainUnder(t, spec, d) })
		}
	}
}

// trainUnder trains a small model of the family with the likelihood.
func trainUnder(t *testing.T, spec models.Spec, d likelihood.Declaration) {
	data := targets(familytest.Wave(60, 1), d)
	set := familytest.Applicable(spec, map[string]string{
		"layers": "2", "width": "2", "inducing": "6", "orthogonal": "4", "samples": "3",
		"batch": "40", "learning_rate": "0.05", "burn_in": "6",
	})
	set["likelihood"] = d.Name
	m, err := spec.New(familytest.Values(t, spec, set), data, 1)
	if err != nil {
		t.Fatal(err)
	}
	before := logLik(t, m, data)
	steps := 8
	if spec.Name == models.DefaultFamily {
		steps = 60
	}
	familytest.Steps(t, m, steps)
	after := logLik(t, m, data)
	if math.IsNaN(after) || math.IsInf(after, 0) {
		t.Errorf("log-likelihood %v after training", after)
	}
	if spec.Name == models.DefaultFamily && !(after > before) {
		t.Errorf("log-likelihood %v, before training %v", after, before)
	}
	if leaver, ok := m.(family.LeaveOneOuter); ok {
		if _, err := leaver.LeaveOneOut(t.Context(), []int{0, 1}, 1); err != nil {
			t.Errorf("leave-one-out: %v", err)
		}
	}
}

// logLik returns the mean log density of the targets of a fifth of the training points. It tests that
// their other scores are finite.
func logLik(t *testing.T, m models.Model, data models.Data) float64 {
	t.Helper()
	n, _ := data.X.Dims()
	var rows []int
	for i := 0; i < n; i += 5 {
		rows = append(rows, i)
	}
	x, y := data.Rows(rows)
	predicted, err := m.Predict(x, 4, 1)
	if err != nil {
		t.Fatal(err)
	}
	checkMixture(t, predicted, y)
	var tally predictive.Tally
	tally.Add(predicted, y, y, predictive.Units{})
	scores := tally.Scores()
	if data.Task == task.Regression && !(scores.RMSE >= 0 && scores.MAE >= 0 && scores.CRPS >= 0) {
		t.Errorf("scores %+v", scores)
	}
	return scores.LogLik
}

// checkMixture checks the densities of a prediction of one target: the mean over the components, the
// density by output, and the density of a single point with the same weights.
func checkMixture(t *testing.T, p predictive.Predictive, y []float64) {
	t.Helper()
	mixture, ok := p.(predictive.Mixture)
	if !ok {
		return
	}
	var weights []float64
	switch p := p.(type) {
	case *predictive.Gaussians:
		weights = p.Weights
	case *predictive.Compound:
		weights = p.Weights
	case *predictive.Probit:
		weights = p.Weights
	case *predictive.Classes:
		weights = p.Weights
	}
	n, _ := p.Dims()
	want := make([]float64, n)
	p.LogDensity(want, y)
	components := make([]float64, len(weights)*n)
	mixture.ComponentLogDensity(components, y)
	byOutput := slices.Clone(want)
	if r, ok := p.(predictive.Regression); ok {
		r.LogDensityByOutput(byOutput, y)
	}
	for i := range n {
		var density float64
		for s, w := range weights {
			density += w * math.Exp(components[s*n+i])
		}
		var single [1]float64
		mixture.Reweighted(i, weights).LogDensity(single[:], y[i:i+1])
		for _, got := range []float64{math.Log(density), byOutput[i], single[0]} {
			if !(math.Abs(got-want[i]) <= 1e-10*(1+math.Abs(want[i]))) {
				t.Errorf("%T: log density %v of target %d, want %v", p, got, i, want[i])
			}
		}
	}
}
