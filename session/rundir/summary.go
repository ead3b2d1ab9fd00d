package rundir

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"dgplab/models"
)

// SummaryFormat is the format of summary.json.
const SummaryFormat = 1

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
	Data     *DataFacts          `json:"data,omitempty"`
	Dir      string              `json:"dir"`
	Warnings []string            `json:"warnings,omitempty"`
	Finished time.Time           `json:"finished"`
}

// Stop is why a run ended.
type Stop string

const (
	StopSteps  Stop = "steps"  // the number of steps was reached
	StopEarly  Stop = "early"  // the early-stopping rule
	StopAsked  Stop = "asked"  // a person or a signal asked
	StopFailed Stop = "failed" // see Snapshot.Err
)

// Word says in a word or two where a run stands that ended so.
func (s Stop) Word() string {
	switch s {
	case StopSteps:
		return "finished"
	case StopEarly:
		return "stopped early"
	case StopAsked:
		return "stopped"
	}
	return "failed"
}

// ReadSummary returns the summary of a run, nil if there is none.
func ReadSummary(dir string) (*Summary, error) {
	path := filepath.Join(dir, summaryName)
	s := new(Summary)
	if err := ReadJSON(path, s); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return nil, err
	}
	if s.Format != SummaryFormat {
		return nil, fmt.Errorf("%s: format %d; this program reads format %d", path, s.Format, SummaryFormat)
	}
	return s, nil
}
