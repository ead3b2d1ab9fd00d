package session

import (
	"encoding/json"
	"math"
	"time"

	"dgplab/models"
)

// summaryVersion is the format of summary.json.
const summaryVersion = 1

// Summary is how a run ended: the content of summary.json, and the last line of
// `dgplab train --json`. Values that were not measured are null.
type Summary struct {
	Format int    `json:"format"`
	ID     string `json:"id"`
	Stop   Stop   `json:"stop"`
	// Error is one line, set when Stop is StopFailed.
	Error string `json:"error,omitempty"`
	Config
	Values models.Values `json:"values"`

	Steps          int     `json:"steps"`
	Seconds        float64 `json:"seconds"`
	StepsPerSecond Number  `json:"steps_per_second"`
	// Objective, ExpectedLogLik and KL are those of the last step.
	Objective      Number `json:"objective"`
	ExpectedLogLik Number `json:"expected_log_lik"`
	KL             Number `json:"kl"`
	// BestVal and BestStep are the highest validation log-likelihood and its step.
	BestVal     Number  `json:"best_val_log_lik"`
	BestStep    int     `json:"best_step"`
	Rescues     int     `json:"rescues"`
	Parameters  int     `json:"parameters"`
	Variational int     `json:"variational"`
	StepFLOPs   float64 `json:"step_flops,omitempty"`
	// Test is absent when the run was not evaluated.
	Test *Metrics `json:"test,omitempty"`
	// Hyper holds the learned quantities (noise variance, lengthscales, ...).
	Hyper    map[string][]Number `json:"hyper,omitempty"`
	Data     *dataFacts          `json:"data,omitempty"`
	Dir      string              `json:"dir"`
	Warnings []string            `json:"warnings,omitempty"`
	Finished time.Time           `json:"finished"`
}

// metricsJSON is Metrics with numbers that may be null.
type metricsJSON struct {
	N         int               `json:"n"`
	Samples   int               `json:"samples"`
	LogLik    Number            `json:"log_lik"`
	NLL       Number            `json:"nll"`
	RMSE      *Number           `json:"rmse,omitempty"`
	CRPS      *Number           `json:"crps,omitempty"`
	Coverage  map[string]Number `json:"coverage,omitempty"`
	ErrorRate *Number           `json:"error_rate,omitempty"`
	Accuracy  *Number           `json:"accuracy,omitempty"`
	LogLoss   *Number           `json:"log_loss,omitempty"`
}

// MarshalJSON writes values that are not finite as null.
func (m Metrics) MarshalJSON() ([]byte, error) {
	out := metricsJSON{
		N: m.N, Samples: m.Samples, LogLik: Number(m.LogLik), NLL: Number(m.NLL),
		RMSE: (*Number)(m.RMSE), CRPS: (*Number)(m.CRPS),
		ErrorRate: (*Number)(m.ErrorRate), Accuracy: (*Number)(m.Accuracy), LogLoss: (*Number)(m.LogLoss),
	}
	if m.Coverage != nil {
		out.Coverage = make(map[string]Number, len(m.Coverage))
		for level, share := range m.Coverage {
			out.Coverage[level] = Number(share)
		}
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON wrote; log_lik and nll are NaN where the
// file has null.
func (m *Metrics) UnmarshalJSON(text []byte) error {
	in := metricsJSON{LogLik: Number(math.NaN()), NLL: Number(math.NaN())}
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	*m = Metrics{
		N: in.N, Samples: in.Samples, LogLik: float64(in.LogLik), NLL: float64(in.NLL),
		RMSE: (*float64)(in.RMSE), CRPS: (*float64)(in.CRPS),
		ErrorRate: (*float64)(in.ErrorRate), Accuracy: (*float64)(in.Accuracy), LogLoss: (*float64)(in.LogLoss),
	}
	if in.Coverage != nil {
		m.Coverage = make(map[string]float64, len(in.Coverage))
		for level, share := range in.Coverage {
			m.Coverage[level] = float64(share)
		}
	}
	return nil
}

// summaryOf collects the summary of an ended run.
func summaryOf(s *Snapshot, data *dataFacts, flops float64, finished time.Time) *Summary {
	sum := &Summary{
		Format: summaryVersion, ID: s.ID, Stop: s.Stop, Config: s.Config, Values: s.Values,
		Steps: s.Step, Seconds: s.Seconds, StepsPerSecond: Number(s.StepsPerSecond),
		Objective: Number(s.Last.Objective), ExpectedLogLik: Number(s.Last.ExpectedLogLik), KL: Number(s.Last.KL),
		BestVal: Number(s.BestVal), BestStep: s.BestStep, Rescues: s.Rescues,
		Parameters: s.Parameters, Variational: s.Variational, StepFLOPs: flops,
		Test: s.Test, Data: data, Dir: s.Dir, Warnings: s.Warnings, Finished: finished.UTC().Truncate(time.Second),
	}
	if s.Err != nil {
		sum.Error = s.Err.Error()
	}
	for _, q := range s.Hyper {
		if sum.Hyper == nil {
			sum.Hyper = map[string][]Number{}
		}
		for _, v := range q.Value {
			sum.Hyper[q.Name] = append(sum.Hyper[q.Name], Number(v))
		}
	}
	return sum
}
