package rundir

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/models/infer"
	"dgplab/models/view"
)

// SummaryFormat is the format of summary.json.
const SummaryFormat = 1

// Summary describes a run and its results so far. At the end of the run it is the content of summary.json and
// the last line of `dgplab train --json`. Values that were not measured are null.
type Summary struct {
	Format int    `json:"format"`
	ID     string `json:"id"`
	Stop   Stop   `json:"stop"` // "" before the end
	// Error is a one-line message if Stop is StopFailed.
	Error string `json:"error,omitempty"`
	Config
	Values models.Values `json:"values"`

	// Step is the last step.
	Step int `json:"steps"`
	// KeptStep is the step of the parameters used for scores and predictions.
	KeptStep       int     `json:"kept_step"`
	Seconds        float64 `json:"seconds"`
	StepsPerSecond Number  `json:"steps_per_second"`
	// Objective is the value at the last step, and ObjectiveIs describes it.
	Objective   Number           `json:"objective"`
	ObjectiveIs family.Objective `json:"objective_is"`
	// Evaluation is the objective over all training points after the last step, or nil if it is
	// unknown.
	Evaluation *Evaluation `json:"evaluation,omitempty"`
	// Terms holds the terms of the objective at the last step. In JSON they are fields with their
	// own keys.
	Terms []Reading `json:"-"`
	// BestVal is the highest validation log-likelihood and BestStep is its step. For samplers they belong to
	// the last validation.
	BestVal  Number `json:"best_val_log_lik"`
	BestStep int    `json:"best_step"`
	// Drift describes the changes of the run over its last steps. It is nil without report lines.
	Drift       *Drift  `json:"drift,omitempty"`
	Rescues     int     `json:"rescues"`
	Parameters  int     `json:"parameters"`
	Variational int     `json:"variational"`
	StepFLOPs   float64 `json:"step_flops,omitempty"`
	// Chains summarises the convergence of the Markov chains of a sampler.
	Chains *Chains `json:"chains,omitempty"`
	// Test is nil if the run was not evaluated.
	Test *Metrics `json:"test,omitempty"`
	// Worst holds the worst test points if they dominate the mean test log-likelihood.
	Worst *WorstPoints `json:"worst_points,omitempty"`
	// LeaveOneOut holds the scores of the training points, each predicted from all others. It is nil if
	// the family has no such predictions.
	LeaveOneOut *LeaveOneOut `json:"leave_one_out,omitempty"`
	// Hyper holds the learned quantities (noise variance, lengthscales, ...).
	Hyper Quantities `json:"hyper,omitempty"`
	Data  DataFacts  `json:"data,omitzero"`
	Dir   string     `json:"dir"`
	// Notes describe how the data were read and how the model was built.
	Notes    []string `json:"notes,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
	// Alarms holds the current alarms, oldest first.
	Alarms   []Alarm   `json:"alarms,omitempty"`
	Finished time.Time `json:"finished"`
}

// Chains summarises the Markov chains of a run. Gauges holds the last gauges of the sampler by key.
type Chains struct {
	view.ChainsSummary
	Gauges map[string]Number `json:"gauges,omitempty"`
}

// Evaluation is the objective over all training points.
type Evaluation struct {
	Step int `json:"step"`
	// Objective is the mean over Passes passes over all Points, each with its own draws, and SE is its
	// standard error. If Exact is true, Objective is the value at the last step.
	Objective Number `json:"objective"`
	SE        Number `json:"se"`
	Passes    int    `json:"passes,omitempty"`
	Points    int    `json:"points"`
	Exact     bool   `json:"exact,omitempty"`
}

// Quantities holds learned quantities. In JSON they are the members of an object; decoding sorts them by
// name.
type Quantities []models.Quantity

// MarshalJSON encodes non-finite values as null.
func (q Quantities) MarshalJSON() ([]byte, error) {
	byName := make(map[string][]Number, len(q))
	for _, quantity := range q {
		for _, v := range quantity.Value {
			byName[quantity.Name] = append(byName[quantity.Name], Number(v))
		}
	}
	return json.Marshal(byName)
}

// UnmarshalJSON decodes the output of MarshalJSON.
func (q *Quantities) UnmarshalJSON(text []byte) error {
	var byName map[string][]Number
	if err := json.Unmarshal(text, &byName); err != nil {
		return err
	}
	*q = nil
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		quantity := models.Quantity{Name: name}
		for _, v := range byName[name] {
			quantity.Value = append(quantity.Value, float64(v))
		}
		*q = append(*q, quantity)
	}
	return nil
}

// Take sets the results of the last step from a report line.
func (s *Summary) Take(p Point) {
	s.Step, s.Seconds, s.Objective, s.Rescues = p.Step, p.Seconds, Number(p.Objective), p.Rescues
	s.Terms = nil
	for _, term := range s.ObjectiveIs.Terms {
		s.Terms = append(s.Terms, Reading{term.Key, p.Reading(term.Key)})
	}
}

// Batch returns the number of training points per step. It is 0 for families without batches and
// before the data are known.
func (s *Summary) Batch() int { return BatchOf(s.Values, s.Data.N) }

// Epochs returns the number of passes over the training data, and the maximum, or 0 if the length
// of the run is not given in epochs.
func (s *Summary) Epochs() (done float64, limit int) {
	if s.Data.N > 0 {
		done = float64(s.Step) * float64(s.Batch()) / float64(s.Data.N)
	}
	return done, Epochs(s.Values)
}

// summaryFields is Summary without its methods.
type summaryFields Summary

// AppendJSON appends the summary as a JSON object without a newline. If event is not empty, it
// becomes the first field.
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

// MarshalJSON returns the encoding of AppendJSON without an event.
func (s *Summary) MarshalJSON() ([]byte, error) { return s.AppendJSON(nil, "") }

// UnmarshalJSON decodes the output of MarshalJSON.
func (s *Summary) UnmarshalJSON(text []byte) error {
	in := summaryFields(*s)
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	in.Terms = in.termsIn(text)
	*s = Summary(in)
	return nil
}

// termsIn returns the terms of the objective in a JSON object, in the order of their declaration.
func (s *summaryFields) termsIn(text []byte) (terms []Reading) {
	values := make([]Number, len(s.ObjectiveIs.Terms))
	found := make([]bool, len(values))
	visitMembers(text, func(key, value []byte) {
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

// Parts returns the terms of the objective at the last step with their display names.
func (s *Summary) Parts() []Named { return named(s.Terms, s.ObjectiveIs.Terms) }

// Term returns the term of the objective with the given key, or NaN if there is none.
func (s *Summary) Term(key string) float64 { return readingOf(s.Terms, key) }

// Stop is the reason why a run ended.
type Stop string

const (
	StopSteps Stop = "steps" // all steps were done
	StopEarly Stop = "early" // stopped by the early-stopping rule
	// StopSettled: the drift became too small to matter; see watch.Drift.
	StopSettled Stop = "settled"
	// StopConverged: further steps would not change the model.
	StopConverged Stop = "converged"
	StopAsked     Stop = "asked" // requested by the user or a signal
	// StopFinished: the user began the decay of the learning rate early, and it has ended.
	StopFinished Stop = "finished"
	// StopRung: the run has reached the end of a rung of successive halving and has steps left.
	StopRung   Stop = "rung"
	StopFailed Stop = "failed" // see Snapshot.Err
)

// Word returns the outcome of the run in one or two words.
func (s Stop) Word() string {
	switch s {
	case StopSteps, StopFinished:
		return "finished"
	case StopEarly:
		return "stopped early"
	case StopSettled:
		return "settled"
	case StopConverged:
		return "converged"
	case StopAsked, StopRung:
		return "stopped"
	}
	return "failed"
}

// ExtendedSteps returns the default step limit for continuing a finished run: half as many steps again. It
// returns 0 if the run ended for another reason.
func (s *Summary) ExtendedSteps() int {
	if s == nil {
		return 0
	}
	switch s.Stop {
	case StopSteps, StopFinished, StopSettled:
		return s.Step + (s.Step+1)/2
	}
	return 0
}

// StillImproving describes in one line the values that still improved when the run ended, because more steps
// may help such a run. It returns "" if no value is known to improve.
func (s *Summary) StillImproving() string {
	if s == nil || s.Stop == StopConverged || !s.Drift.Improving() {
		return ""
	}
	return s.Drift.Text(s.ObjectiveIs.Name)
}

// Decays reports whether the learning rate of the run has yet to fall to its last value. The scores are then
// expected to improve.
func (s *Summary) Decays() bool {
	if s.Drift == nil {
		return false
	}
	switch s.Drift.Phase {
	case infer.StablePhase:
		return true
	case infer.DecayPhase:
		return s.Stop == "" || s.Stop == StopAsked || s.Stop == StopFailed
	}
	return false
}

// Conclusive reports whether the scores of the run can be ranked. They cannot while the learning rate has
// yet to fall. They can if the run has settled or converged, or if it overfitted or stopped early and its
// scores belong to the parameters with the best validation. Runs without a drift report are conclusive.
func (s *Summary) Conclusive() bool {
	switch {
	case s != nil && s.Decays():
		return false
	case s == nil || s.Stop == StopConverged || s.Drift.Conclusive():
		return true
	case s.Stop == StopEarly || s.Drift.Overfitting():
		return s.scoresBest()
	}
	return false
}

// Verdict returns the verdict on the run, or "" if there is none.
func (s *Summary) Verdict() string {
	switch {
	case s == nil || s.Drift == nil:
		return ""
	case s.Stop == StopConverged && !s.Drift.Overfitting():
		return string(Settled)
	}
	return string(s.Drift.Verdict)
}

// KeepSetting is the setting that chooses the parameters to score. KeptBest chooses the parameters with the
// best validation.
const (
	KeepSetting = "keep"
	KeptBest    = "best"
)

// scoresBest reports whether the scored parameters have the best validation. The best is determined
// by a mean over several steps, so KeptStep can differ from BestStep.
func (s *Summary) scoresBest() bool {
	return s.Values[KeepSetting] == KeptBest && s.BestStep > 0
}

// DriftNote returns the verdict in one line if the scores cannot be ranked or the run overfitted. It returns
// "" if the run has settled or there is no verdict.
func (s *Summary) DriftNote() string {
	if s.Conclusive() && (s == nil || !s.Drift.Overfitting()) {
		return ""
	}
	text := s.Drift.Text(s.ObjectiveIs.Name)
	switch {
	case s.Decays():
		text = "is still in its " + s.Drift.Phase + " phase: its final value is expected to be higher"
	case s.Drift.Verdict == Improving:
		text = "has not converged: " + text
	case s.Drift.Verdict == Undecided:
		text = "is undecided: " + text
	case s.Drift.Verdict == Overfitting:
		text = "is " + text
	}
	return fmt.Sprintf("%s (at step %d)", text, s.Step)
}

// ReadSummary returns the summary of a run, or nil if there is none.
func ReadSummary(dir string) (*Summary, error) {
	path := filepath.Join(dir, summaryName)
	s := new(Summary)
	if err := ReadJSON(path, s); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return nil, err
	}
	if err := s.check(path); err != nil {
		return nil, err
	}
	return s, nil
}

// check returns an error if the content of the file at a path is incomplete.
func (s *Summary) check(path string) error {
	switch {
	case s.Format != SummaryFormat:
		return fmt.Errorf("%s: format %d; this program reads format %d", path, s.Format, SummaryFormat)
	case s.ObjectiveIs.Name == "":
		return fmt.Errorf("%s: objective_is has no name", path)
	}
	return nil
}
