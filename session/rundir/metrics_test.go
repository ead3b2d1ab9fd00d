package rundir

import (
	"encoding/json"
	"math"
	"slices"
	"testing"
)

func TestMetricsJSON(t *testing.T) {
	half := 0.5
	text, err := json.Marshal(&Metrics{
		N:        3,
		Samples:  2,
		LogLik:   math.Inf(-1),
		NLL:      math.Inf(1),
		RMSE:     &half,
		StdCRPS:  &half,
		Coverage: map[string]float64{"50": 0.25},
	})
	want := `{"n":3,"samples":2,"log_lik":null,"nll":null,"rmse":0.5,"coverage":{"50":0.25},"crps_std":0.5}`
	if err != nil || string(text) != want {
		t.Errorf("got  %s (%v)\nwant %s", text, err, want)
	}
	var back Metrics
	if err := json.Unmarshal(text, &back); err != nil || !math.IsNaN(back.NLL) || *back.RMSE != 0.5 ||
		back.Coverage["50"] != 0.25 || *back.StdCRPS != 0.5 || back.CRPS != nil || back.StdNLL != nil {
		t.Errorf("read %+v, %v", back, err)
	}
}

// Scores that do not apply have not overflowed.
func TestOverflowedScores(t *testing.T) {
	inf, one := math.Inf(1), 1.0
	m := &Metrics{
		LogLik:  math.Inf(-1),
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
