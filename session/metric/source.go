package metric

import (
	"math"

	"dgplab/models/family"
	"dgplab/models/view"
	"dgplab/session"
	"dgplab/session/drift"
	"dgplab/session/rundir"
)

// Source holds the values that metrics are read from. Unknown values are NaN. The objective is
// unknown before the first step.
type Source struct {
	Step, Parameters int
	Objective        float64
	// Is describes the objective. Parts are its terms.
	Is             family.Objective
	Parts          []rundir.Named
	KL             float64 // the KL term
	Rescues        int
	Seconds        float64
	StepsPerSecond float64
	BestStep       int // step of BestVal; 0 before the first validation
	BestVal        float64
	Test           *rundir.Metrics // nil until the run is evaluated
	Drift          *drift.Report   // nil if there are too few reports
	// Evaluation holds the objective over all points, or nil.
	Evaluation *rundir.Evaluation
	// Chains summarises the MCMC diagnostics. It is nil for runs without chains.
	Chains *view.ChainsSummary
	// Uses describes the subset of the data used for training; "" means all of it.
	Uses string
}

var unknown = Source{
	Objective:      math.NaN(),
	KL:             math.NaN(),
	Seconds:        math.NaN(),
	StepsPerSecond: math.NaN(),
	BestVal:        math.NaN(),
}

// OfSummary reads the summary of a run. All values are unknown if s is nil.
func OfSummary(s *rundir.Summary) Source {
	if s == nil {
		return unknown
	}
	out := Source{
		Step: s.Steps, Parameters: s.Parameters, Objective: float64(s.Objective), Is: s.ObjectiveIs,
		Parts: s.Parts(), KL: s.Term(family.KL.Key), Rescues: s.Rescues,
		Seconds: s.Seconds, StepsPerSecond: float64(s.StepsPerSecond), BestStep: s.BestStep,
		BestVal: float64(s.BestVal), Test: s.Test, Drift: s.Drift, Evaluation: s.Evaluation,
	}
	if s.Data != nil {
		out.Uses = s.Data.Uses
	}
	if s.Chains != nil {
		out.Chains = &s.Chains.ChainsSummary
	}
	return out
}

// OfRun reads the files of a run: its summary, or its last report line if there is no summary.
func OfRun(i *rundir.Info) Source {
	if i.Summary != nil {
		return OfSummary(i.Summary)
	}
	s := unknown
	s.Step = i.Step
	if p := i.Last; p.Step > 0 {
		s.Objective = p.Objective
		s.Is = i.Objective
		s.Parts = p.Named(i.Objective.Terms)
		s.KL = p.Reading(family.KL.Key)
		s.Rescues, s.Seconds = p.Rescues, p.Seconds
	}
	return s
}

// OfSnapshot reads a snapshot of a training run. All values are unknown if s is nil.
func OfSnapshot(s *session.Snapshot) Source {
	if s == nil {
		return unknown
	}
	out := Source{
		Step: s.Step, Parameters: s.Parameters, Objective: s.Last.Objective, Is: s.Objective,
		Parts: s.Last.Named(s.Objective.Terms), KL: s.Last.Reading(family.KL.Key), Rescues: s.Rescues,
		Seconds: math.NaN(), StepsPerSecond: s.StepsPerSecond, BestStep: s.BestStep, BestVal: s.BestVal,
		Test: s.Test, Drift: s.Drift, Evaluation: s.Evaluation, Uses: s.Uses,
	}
	if s.Step > 0 {
		out.Seconds = s.Seconds
	}
	if d := s.Diagnostics; d != nil && d.Chains != nil {
		out.Chains = d.Chains.Summary()
	}
	return out
}
