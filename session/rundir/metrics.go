package rundir

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Metrics holds the scores on a test set, in original units unless stated otherwise. In JSON, non-finite
// scores are null.
type Metrics struct {
	// Output is the name of the scored output, or "" if there are several.
	Output string `json:"output,omitempty"`
	// N is the number of test points, and Samples is the number of samples per point.
	N       int    `json:"n"`
	Samples int    `json:"samples"`
	LogLik  Number `json:"log_lik"`
	NLL     Number `json:"nll"`
	// Regression.
	RMSE     *Number           `json:"rmse,omitempty"`
	MAE      *Number           `json:"mae,omitempty"`
	SMSE     *Number           `json:"smse,omitempty"`
	CRPS     *Number           `json:"crps,omitempty"`
	Coverage map[string]Number `json:"coverage,omitempty"` // keys "50", "90", "95"
	// Regression, in standardised units.
	StdLogLik *Number `json:"log_lik_std,omitempty"`
	StdNLL    *Number `json:"nll_std,omitempty"`
	StdRMSE   *Number `json:"rmse_std,omitempty"`
	StdCRPS   *Number `json:"crps_std,omitempty"`
	// Classification.
	ErrorRate *Number `json:"error_rate,omitempty"`
	Accuracy  *Number `json:"accuracy,omitempty"`
	LogLoss   *Number `json:"log_loss,omitempty"`
	// Brier score and expected calibration error.
	Brier *Number `json:"brier,omitempty"`
	ECE   *Number `json:"ece,omitempty"`
	// Outputs holds the scores of each tested real output if there are several.
	Outputs []*Metrics `json:"outputs,omitempty"`
}

// ForOutput returns the scores of the named output, ignoring case, or nil if there are none.
func (m *Metrics) ForOutput(output string) *Metrics {
	if strings.EqualFold(m.Output, output) {
		return m
	}
	for _, o := range m.Outputs {
		if strings.EqualFold(o.Output, output) {
			return o
		}
	}
	return nil
}

// Overflowed returns, in ascending order, the names of the scores that are null in files because they are
// infinite. m may be nil.
func (m *Metrics) Overflowed() []string {
	text, err := json.Marshal(m)
	if err != nil {
		return nil
	}
	var scores map[string]any
	var single struct {
		Outputs []map[string]any `json:"outputs"`
	}
	if json.Unmarshal(text, &scores) != nil || json.Unmarshal(text, &single) != nil {
		return nil
	}
	names := map[string]bool{}
	for _, fields := range append(single.Outputs, scores) {
		for name, value := range fields {
			if value == nil {
				names[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// UnmarshalJSON decodes scores. LogLik and NLL become NaN if they are null or missing.
func (m *Metrics) UnmarshalJSON(text []byte) error {
	type fields Metrics // without this method
	in := fields{LogLik: Number(nan), NLL: Number(nan)}
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	in.Outputs = slices.DeleteFunc(in.Outputs, func(o *Metrics) bool { return o == nil })
	*m = Metrics(in)
	return nil
}
