package rundir

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"time"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/models/view"
	"dgplab/session/drift"
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

	Steps int `json:"steps"`
	// KeptStep is the step of the parameters that were scored, and that predictions are made
	// with.
	KeptStep       int     `json:"kept_step"`
	Seconds        float64 `json:"seconds"`
	StepsPerSecond Number  `json:"steps_per_second"`
	// Objective is that of the last step, and ObjectiveIs what it means.
	Objective   Number           `json:"objective"`
	ObjectiveIs family.Objective `json:"objective_is"`
	// Evaluation is the objective over all training points after the last step; nil in older
	// files and where it is not known.
	Evaluation *Evaluation `json:"evaluation,omitempty"`
	// Terms are the parts of the objective at the last step. In JSON they stand
	// beside it, under their keys.
	Terms []Reading `json:"-"`
	// BestVal and BestStep are the highest validation log-likelihood, or the last one of
	// samples of a posterior, and its step.
	BestVal  Number `json:"best_val_log_lik"`
	BestStep int    `json:"best_step"`
	// Drift is how fast the run still changed when it ended; nil in older files, and
	// where too little was reported.
	Drift       *drift.Report `json:"drift,omitempty"`
	Rescues     int           `json:"rescues"`
	Parameters  int           `json:"parameters"`
	Variational int           `json:"variational"`
	StepFLOPs   float64       `json:"step_flops,omitempty"`
	// Chains is the worst of the chains of a run that samples.
	Chains *Chains `json:"chains,omitempty"`
	// Test is absent when the run was not evaluated.
	Test *Metrics `json:"test,omitempty"`
	// Hyper holds the learned quantities (noise variance, lengthscales, ...).
	Hyper map[string][]Number `json:"hyper,omitempty"`
	Data  *DataFacts          `json:"data,omitempty"`
	Dir   string              `json:"dir"`
	// Notes say how the data were read and how the model came about. Older files have them
	// among the warnings.
	Notes    []string `json:"notes,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
	// Alarms are what was wrong when the run ended, the oldest first; nil in older files.
	Alarms   []Alarm   `json:"alarms,omitempty"`
	Finished time.Time `json:"finished"`
}

// Chains is how well the chains of a run have sampled, with what the sampler said last of
// itself, by the keys of the gauges.
type Chains struct {
	view.ChainsSummary
	Gauges map[string]Number `json:"gauges,omitempty"`
}

// Evaluation is an objective over all training points.
type Evaluation struct {
	Step int `json:"step"`
	// Objective is the mean over Passes through all Points, each with draws of its own, and
	// SE its standard error. An Exact one is the value of the last step.
	Objective Number `json:"objective"`
	SE        Number `json:"se"`
	Passes    int    `json:"passes,omitempty"`
	Points    int    `json:"points"`
	Exact     bool   `json:"exact,omitempty"`
}

// summaryFields is Summary without its methods.
type summaryFields Summary

// AppendJSON appends the summary as one JSON object without a newline. With an
// event, that is the first field.
func (s *Summary) AppendJSON(dst []byte, event string) ([]byte, error) {
	text, err := json.Marshal((*summaryFields)(s))
	if err != nil {
		return dst, err
	}
	dst = append(dst, '{')
	if event != "" {
		dst = append(strconv.AppendQuote(append(dst, `"event":`...), event), ',')
	}
	dst = append(dst, text[1:len(text)-1]...)
	return append(appendReadings(dst, s.Terms), '}'), nil
}

// MarshalJSON writes what AppendJSON writes without an event.
func (s *Summary) MarshalJSON() ([]byte, error) { return s.AppendJSON(nil, "") }

// UnmarshalJSON reads what MarshalJSON wrote. That of a version which did not say
// what its objective is has an ELBO.
func (s *Summary) UnmarshalJSON(text []byte) error {
	in := summaryFields(*s)
	if in.ObjectiveIs.Name == "" {
		in.ObjectiveIs = elbo()
	}
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	in.Terms = in.termsIn(text)
	*s = Summary(in)
	return nil
}

// termsIn returns the parts of the objective among the members of a JSON object, in
// the order in which they are declared.
func (s *summaryFields) termsIn(text []byte) (terms []Reading) {
	values := make([]Number, len(s.ObjectiveIs.Terms))
	found := make([]bool, len(values))
	members(text, func(key, value []byte) {
		for i, term := range s.ObjectiveIs.Terms {
			if string(key) == term.Key {
				found[i] = json.Unmarshal(value, &values[i]) == nil
			}
		}
	})
	for i, term := range s.ObjectiveIs.Terms {
		if found[i] {
			terms = append(terms, Reading{term.Key, float64(values[i])})
		}
	}
	return terms
}

// Parts returns the parts of the objective at the last step.
func (s *Summary) Parts() []Named { return named(s.Terms, s.ObjectiveIs.Terms) }

// Term returns the part of the objective of that key, NaN if there is none.
func (s *Summary) Term(key string) float64 { return readingOf(s.Terms, key) }

// Stop is why a run ended.
type Stop string

const (
	StopSteps Stop = "steps" // the number of steps was reached
	StopEarly Stop = "early" // the early-stopping rule
	// StopSettled: nothing drifted any more by what matters; see package drift.
	StopSettled Stop = "settled"
	// StopConverged: no further step would change the model.
	StopConverged Stop = "converged"
	StopAsked     Stop = "asked"  // a person or a signal asked
	StopFailed    Stop = "failed" // see Snapshot.Err
)

// Word says in a word or two where a run stands that ended so.
func (s Stop) Word() string {
	switch s {
	case StopSteps:
		return "finished"
	case StopEarly:
		return "stopped early"
	case StopSettled:
		return "settled"
	case StopConverged:
		return "converged"
	case StopAsked:
		return "stopped"
	}
	return "failed"
}

// Extended returns the limit of steps with which a run that has done its steps goes on when
// nobody says which: half as many again; 0 for a run that ended for another reason.
func (s *Summary) Extended() int {
	if s == nil || s.Stop != StopSteps && s.Stop != StopSettled {
		return 0
	}
	return s.Steps + (s.Steps+1)/2
}

// StillImproving returns in one line what still improved when the run ended, "" if nothing is
// known to have. More steps may help such a run.
func (s *Summary) StillImproving() string {
	if s == nil || s.Stop == StopConverged || !s.Drift.Improving() {
		return ""
	}
	return s.Drift.Text(s.ObjectiveIs.Name)
}

// Conclusive reports whether the scores of the run can be ranked: it has settled, or no step
// would have changed it, or it was overfitting or stopped early and its scores are those of the
// parameters with the best validation. Runs of versions without drift are conclusive.
func (s *Summary) Conclusive() bool {
	switch {
	case s == nil || s.Stop == StopConverged || s.Drift.Conclusive():
		return true
	case s.Stop == StopEarly || s.Drift.Overfitting():
		return s.scoresBest()
	}
	return false
}

// Verdict returns the verdict on the run, "" where none is known.
func (s *Summary) Verdict() string {
	switch {
	case s == nil || s.Drift == nil:
		return ""
	case s.Stop == StopConverged && !s.Drift.Overfitting():
		return string(drift.Settled)
	}
	return string(s.Drift.Verdict)
}

// KeepSetting names the setting of which parameters a run is scored with; with KeptBest they
// are those with the best validation.
const (
	KeepSetting = "keep"
	KeptBest    = "best"
)

// scoresBest reports whether the scored parameters are those with the best validation. That is
// a mean over several steps, so KeptStep need not be BestStep. Older files have no KeptStep.
func (s *Summary) scoresBest() bool {
	return s.Values[KeepSetting] == KeptBest && s.KeptStep > 0 && s.BestStep > 0
}

// DriftNote returns the verdict on the run in one line where its scores cannot be ranked or it
// was overfitting, "" where it has settled and where no verdict is known.
func (s *Summary) DriftNote() string {
	if s.Conclusive() && (s == nil || !s.Drift.Overfitting()) {
		return ""
	}
	text := s.Drift.Text(s.ObjectiveIs.Name)
	switch s.Drift.Verdict {
	case drift.Improving:
		text = "has not converged: " + text
	case drift.Undecided:
		text = "is undecided: " + text
	case drift.Overfitting:
		text = "is " + text
	}
	return fmt.Sprintf("%s (at step %d)", text, s.Steps)
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
	s.Config = s.Config.Recorded()
	return s, nil
}
