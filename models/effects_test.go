package models_test

import (
	"fmt"
	"strconv"
	"testing"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/models/familytest"
)

// others returns values of a hyperparameter other than its default.
func others(h family.Hyperparameter) (list []string) {
	switch h.Kind {
	case family.Int:
		n, err := strconv.Atoi(h.Default)
		if err == nil && float64(n+1) <= h.Max {
			list = append(list, strconv.Itoa(n+1))
		}
	case family.Bool:
		list = append(list, map[string]string{"on": "off", "off": "on"}[h.Default])
	case family.Choice, family.Expression:
		for _, choice := range h.Choices {
			if choice != h.Default {
				list = append(list, choice)
			}
		}
	case family.IntList:
		list = append(list, "7")
	}
	return list
}

// changed returns values of a hyperparameter other than the value of a small model.
func changed(h family.Hyperparameter, value string) []string {
	switch h.Kind {
	case family.Float, family.FloatList:
		v, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return nil
		}
		for _, other := range []float64{v / 2, v * 2, v + 0.5} {
			text := strconv.FormatFloat(other, 'g', -1, 64)
			if other != v && h.Validate(text) == nil {
				return []string{text}
			}
		}
	case family.IntList:
		v, err := strconv.Atoi(value)
		if err == nil {
			return []string{strconv.Itoa(v + 1)}
		}
	}
	h.Default = value
	return others(h)
}

// inert lists hyperparameters and values that do not affect the small models, with the reason.
var inert = map[string]string{
	"likelihood=gaussian": "it is the default for real targets",
	"epsilon":             "it applies to classes",
	"output_cov":          "it applies to several targets",
	"ftol":                "the models do not converge",
	"tolerance":           "the models do not converge",
	"step_size":           "it adapts during burn-in",
	"mask":                "it is a text",
	family.FixSetting:     "it is a text",
	family.BoundSetting:   "it is a text",
	family.PriorSetting:   "it is a text",
}

// TestHyperparametersHaveEffects checks that each hyperparameter affects the parameters or the
// predictions of a model after some steps.
func TestHyperparametersHaveEffects(t *testing.T) {
	for _, spec := range models.Families() {
		small := familytest.Applicable(spec, map[string]string{"layers": "2", "width": "2", "inducing": "5",
			"orthogonal": "3", "samples": "3", "batch": "10", "burn_in": "3", "kept": "5", "thinning": "1",
			"hidden_width": "3", "learning_rate": "0.01", "decay_steps": "2", "decay_rate": "0.5",
			"warm_up": "8", "decay_share": "0.75",
			"hyper_every": "3", "hyper_steps": "2", "hyper_after": "2", "restarts": "2",
			"points": "10"})
		result := func(set map[string]string) string {
			data := familytest.Wave(24, 1)
			data.Steps = 20
			m, err := spec.New(familytest.Values(t, spec, set), data, 7)
			if err != nil {
				return err.Error() // The value does not apply to the data.
			}
			familytest.Steps(t, m, 10)
			p, err := m.Predict(data.X, 3, 1)
			if err != nil {
				t.Fatal(err)
			}
			density := make([]float64, 24)
			p.LogDensity(density, data.Y.RawMatrix().Data)
			return fmt.Sprint(density, m.State())
		}
		for _, h := range spec.Hyperparameters {
			set := familytest.Merged(map[string]string{h.Name: h.Default}, small)
			if h.When != nil {
				set[h.When.Name] = h.When.Is[0]
			}
			before := result(set)
			values := changed(h, set[h.Name])
			for _, v := range values {
				set[h.Name] = v
				name := h.Name + "=" + v
				if inert[name] == "" {
					name = h.Name
				}
				if inert[name] == "" && result(set) == before {
					t.Errorf("%s: %s=%s has no effect", spec.Name, h.Name, v)
				}
			}
			if len(values) == 0 && inert[h.Name] == "" {
				t.Errorf("%s: %s has no other value", spec.Name, h.Name)
			}
		}
	}
}
