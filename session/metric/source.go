package metric

import (
	"math"

	"dgplab/models/family"
	"dgplab/models/view"
	"dgplab/session"
	"dgplab/session/drift"
	"dgplab/session/rundir"
)

// Source is what the metrics of a run are read from. What is not known is NaN, and
// nothing is known of the objective before the first step.
type Source struct {
	Step, Parameters int
	Objective        float64
	// Is says what the objective is, and Parts are those that it has.
	Is             family.Objective
	Parts          []rundir.Named
	KL             float64 // the part of that name
	Rescues        int
	Seconds        float64
	StepsPerSecond float64
	BestStep       int // of BestVal; 0 where nothing was validated
	BestVal        float64
	Test           *rundir.Metrics // nil before the run was evaluated
	Drift          *drift.Report   // nil where too little was reported
	// Evaluation is of the objective over all points; nil where there is none.
	Evaluation *rundir.Evaluation
	// Chains is how well the chains of a run have sampled; nil where there are none.
	Chains *view.ChainsSummary
	// Uses says what of the data the run is trained on, "" for all.
	Uses string
}

var unknown = Source{
	Objective:      math.NaN(),
	KL:             math.NaN(),
	Seconds:        math.NaN(),
	StepsPerSecond: math.NaN(),
	BestVal:        math.NaN(),
}

// OfSummary returns what the summary of a run says; nothing of nil.
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

// OfRun returns what the files of a run say: its summary, or else its last report
// line.
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

// OfSnapshot returns what a run says as it goes; nothing of nil.
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
