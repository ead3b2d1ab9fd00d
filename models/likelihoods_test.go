package models_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"dgplab/datasets/task"
	"dgplab/models"
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

// Every family with a choice of likelihoods must learn from targets of each of them: the log density of
// its targets rises, and predictions are finite.
func TestFamiliesLearnUnderEveryLikelihood(t *testing.T) {
	for _, spec := range models.Families() {
		at := slices.IndexFunc(spec.Hyperparameters, func(h models.Hyperparameter) bool {
			return h.Name == "likelihood"
		})
		if at < 0 || testing.Short() && spec.Name != "svgp" && spec.Name != "dspp" && spec.Name != "sghmc" {
			continue
		}
		for _, d := range likelihood.Declarations() {
			if !slices.Contains(spec.Hyperparameters[at].Choices, d.Name) {
				continue
			}
			t.Run(spec.Name+", "+d.Name, func(t *testing.T) {
				data := targets(familytest.Wave(60, 1), d)
				set := familytest.Applicable(spec, map[string]string{
					"layers": "2", "width": "2", "inducing": "6", "orthogonal": "4", "samples": "3",
					"batch": "40", "learning_rate": "0.05", "burn_in": "60",
				})
				set["likelihood"] = d.Name
				m, err := spec.New(familytest.Values(t, spec, set), data, 1)
				if err != nil {
					t.Fatal(err)
				}
				before := logLik(t, m, data)
				familytest.Steps(t, m, 60)
				if after := logLik(t, m, data); !(after > before) {
					t.Errorf("log-likelihood %v, before training %v", after, before)
				}
			})
		}
	}
}

// logLik returns the mean log density of the training targets.
func logLik(t *testing.T, m models.Model, data models.Data) float64 {
	t.Helper()
	predicted, err := m.Predict(data.X, 4, 1)
	if err != nil {
		t.Fatal(err)
	}
	var tally predictive.Tally
	tally.Add(predicted, data.Y.RawMatrix().Data, predictive.Units{})
	return tally.Scores().LogLik
}
