package rundir

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"
)

// Metrics holds the scores on a test set, in original units unless stated otherwise.
type Metrics struct {
	// Output is the name of the scored output, or "" if there are several.
	Output string `json:"output,omitempty"`
	// N is the number of test points, and Samples is the number of samples per point.
	N       int     `json:"n"`
	Samples int     `json:"samples"`
	LogLik  float64 `json:"log_lik"`
	NLL     float64 `json:"nll"`
	// Regression.
	RMSE     *float64           `json:"rmse,omitempty"`
	MAE      *float64           `json:"mae,omitempty"`
	SMSE     *float64           `json:"smse,omitempty"`
	CRPS     *float64           `json:"crps,omitempty"`
	Coverage map[string]float64 `json:"coverage,omitempty"` // keys "50", "90", "95"
	// Regression, in units of standardised targets.
	StdLogLik *float64 `json:"log_lik_std,omitempty"`
	StdNLL    *float64 `json:"nll_std,omitempty"`
	StdRMSE   *float64 `json:"rmse_std,omitempty"`
	StdCRPS   *float64 `json:"crps_std,omitempty"`
	// Classification.
	ErrorRate *float64 `json:"error_rate,omitempty"`
	Accuracy  *float64 `json:"accuracy,omitempty"`
	LogLoss   *float64 `json:"log_loss,omitempty"`
	// Brier score and expected calibration error.
	Brier *float64 `json:"brier,omitempty"`
	ECE   *float64 `json:"ece,omitempty"`
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

// Overflowed returns the names of the scores that are null in files because they are infinite, in
// ascending order. m may be nil.
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

// metricsJSON is Metrics with nullable numbers.
type metricsJSON struct {
	Output    string            `json:"output,omitempty"`
	N         int               `json:"n"`
	Samples   int               `json:"samples"`
	LogLik    Number            `json:"log_lik"`
	NLL       Number            `json:"nll"`
	RMSE      *Number           `json:"rmse,omitempty"`
	MAE       *Number           `json:"mae,omitempty"`
	SMSE      *Number           `json:"smse,omitempty"`
	CRPS      *Number           `json:"crps,omitempty"`
	Coverage  map[string]Number `json:"coverage,omitempty"`
	StdLogLik *Number           `json:"log_lik_std,omitempty"`
	StdNLL    *Number           `json:"nll_std,omitempty"`
	StdRMSE   *Number           `json:"rmse_std,omitempty"`
	StdCRPS   *Number           `json:"crps_std,omitempty"`
	ErrorRate *Number           `json:"error_rate,omitempty"`
	Accuracy  *Number           `json:"accuracy,omitempty"`
	LogLoss   *Number           `json:"log_loss,omitempty"`
	Brier     *Number           `json:"brier,omitempty"`
	ECE       *Number           `json:"ece,omitempty"`
	Outputs   []*Metrics        `json:"outputs,omitempty"`
}

// MarshalJSON encodes non-finite values as null.
func (m Metrics) MarshalJSON() ([]byte, error) {
	out := metricsJSON{
		Output: m.Output, N: m.N, Samples: m.Samples, LogLik: Number(m.LogLik),
		NLL: Number(m.NLL), Outputs: m.Outputs,
		RMSE: (*Number)(m.RMSE), MAE: (*Number)(m.MAE), SMSE: (*Number)(m.SMSE), CRPS: (*Number)(m.CRPS),
		StdLogLik: (*Number)(m.StdLogLik), StdNLL: (*Number)(m.StdNLL), StdRMSE: (*Number)(m.StdRMSE),
		StdCRPS:   (*Number)(m.StdCRPS),
		ErrorRate: (*Number)(m.ErrorRate), Accuracy: (*Number)(m.Accuracy), LogLoss: (*Number)(m.LogLoss),
		Brier: (*Number)(m.Brier), ECE: (*Number)(m.ECE),
	}
	if m.Coverage != nil {
		out.Coverage = make(map[string]Number, len(m.Coverage))
		for level, share := range m.Coverage {
			out.Coverage[level] = Number(share)
		}
	}
	return json.Marshal(out)
}

// UnmarshalJSON decodes the output of MarshalJSON. LogLik and NLL become NaN if they are null.
func (m *Metrics) UnmarshalJSON(text []byte) error {
	in := metricsJSON{LogLik: Number(math.NaN()), NLL: Number(math.NaN())}
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	in.Outputs = slices.DeleteFunc(in.Outputs, func(o *Metrics) bool { return o == nil })
	*m = Metrics{
		Output: in.Output, N: in.N, Samples: in.Samples, LogLik: float64(in.LogLik),
		NLL: float64(in.NLL), Outputs: in.Outputs,
		RMSE: (*float64)(in.RMSE), MAE: (*float64)(in.MAE), SMSE: (*float64)(in.SMSE),
		CRPS:      (*float64)(in.CRPS),
		StdLogLik: (*float64)(in.StdLogLik), StdNLL: (*float64)(in.StdNLL), StdRMSE: (*float64)(in.StdRMSE),
		StdCRPS:   (*float64)(in.StdCRPS),
		ErrorRate: (*float64)(in.ErrorRate), Accuracy: (*float64)(in.Accuracy),
		LogLoss: (*float64)(in.LogLoss),
		Brier:   (*float64)(in.Brier), ECE: (*float64)(in.ECE),
	}
	if in.Coverage != nil {
		m.Coverage = make(map[string]float64, len(in.Coverage))
		for level, share := range in.Coverage {
			m.Coverage[level] = float64(share)
		}
	}
	return nil
}
