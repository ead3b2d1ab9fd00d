package train

import (
	"slices"
	"testing"

	"dgplab/models/family"
	"dgplab/models/infer"
)

func TestReadRates(t *testing.T) {
	list := RateHyperparameters("0.1", "0.5", "0.9")
	for _, c := range []struct {
		set  map[string]string
		want Rates
	}{
		{nil, Rates{infer.Schedule{Rate: 0.1, Shape: infer.StableDecay, Length: 7, Decay: 0.5, Every: 1000,
			DecayShare: 0.25}, 0.9}},
		{map[string]string{"learning_rate": "0.2", "schedule": "cosine", "decay_rate": "0.7",
			"decay_steps": "30", "warm_up": "4", "beta2": "0"},
			Rates{infer.Schedule{Rate: 0.2, Shape: infer.Cosine, WarmUp: 4, Length: 7, Decay: 0.7,
				Every: 30, DecayShare: 0.25}, 0}},
	} {
		values, err := family.Resolve(list, c.set)
		if err != nil {
			t.Fatal(err)
		}
		got := ReadRates(values, 7)
		if got != c.want {
			t.Errorf("%v: %+v, want %+v", c.set, got, c.want)
		}
		beta2 := c.want.Beta2
		if beta2 == 0 {
			beta2 = infer.DefaultBeta2
		}
		if adam := got.Adam(3); adam.Beta2 != beta2 || adam.Schedule != c.want.Schedule ||
			len(adam.First) != 3 {
			t.Errorf("%v: %+v", c.set, adam)
		}
	}
	for name, values := range map[string]struct{ good, bad []string }{
		"learning_rate": {[]string{"1e-9", "1"}, []string{"0", "1.1"}},
		"decay_rate":    {[]string{"1e-9", "1"}, []string{"0", "1.1"}},
		"decay_steps":   {[]string{"1", "1000000000"}, []string{"0", "1000000001"}},
		"decay_share":   {[]string{"0", "0.9"}, []string{"-0.1", "0.91"}},
		"warm_up":       {[]string{"0", "1000000000"}, []string{"-1", "1000000001"}},
		"beta2":         {[]string{"0", "0.999999"}, []string{"-0.1", "0.9999991"}},
		"schedule":      {[]string{"stable-decay", "stairs", "cosine", "linear"}, []string{"ramp"}},
	} {
		for _, value := range append(values.good, values.bad...) {
			_, err := family.Resolve(list, map[string]string{name: value})
			if good := slices.Contains(values.good, value); good != (err == nil) {
				t.Errorf("%s=%s: %v", name, value, err)
			}
		}
	}
}
