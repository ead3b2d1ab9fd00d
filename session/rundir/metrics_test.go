package rundir

import (
	"encoding/json"
	"math"
	"slices"
	"testing"
)

func TestMetricsJSON(t *testing.T) {
	half := Number(0.5)
	text, err := json.Marshal(&Metrics{
		N:        3,
		Samples:  2,
		LogLik:   Number(math.Inf(-1)),
		NLL:      Number(math.Inf(1)),
		RMSE:     &half,
		StdCRPS:  &half,
		Coverage: map[string]Number{"50": 0.25},
	})
	want := `{"n":3,"samples":2,"log_lik":null,"nll":null,"rmse":0.5,"coverage":{"50":0.25},"crps_std":0.5}`
	if err != nil || string(text) != want {
		t.Errorf("got  %s (%v)\nwant %s", text, err, want)
	}
	var back Metrics
	err = json.Unmarshal(text, &back)
	if err != nil || !math.IsNaN(float64(back.NLL)) || *back.RMSE != 0.5 ||
		back.Coverage["50"] != 0.25 || *back.StdCRPS != 0.5 || back.CRPS != nil || back.StdNLL != nil {
		t.Errorf("read %+v, %v", back, err)
	}
}

// Scores that do not apply are not reported as overflowed.
func TestOverflowedScores(t *testing.T) {
	inf := Number(math.Inf(1))
	one := Number(1)
	m := &Metrics{
		LogLik:  -inf,
		NLL:     inf,
		RMSE:    &one,
		CRPS:    &inf,
		Outputs: []*Metrics{{RMSE: &inf}, {MAE: &one}},
	}
	if got := m.Overflowed(); !slices.Equal(got, []string{"crps", "log_lik", "nll", "rmse"}) {
		t.Errorf("null are %q", got)
	}
	if got := (&Metrics{RMSE: &one}).Overflowed(); len(got) != 0 {
		t.Errorf("null are %q", got)
	}
}
