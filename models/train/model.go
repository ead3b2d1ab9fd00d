// Package train combines an objective (a Problem) and an optimisation method (an infer.Method) into
// the training part of a model: steps, reports, checkpoint state and errors.
package train

import (
	"context"
	"errors"
	"fmt"

	"dgplab/models/family"
	"dgplab/models/infer"
	"dgplab/models/linalg"
	"dgplab/models/param"
)

// Problem is an infer.Problem that also provides the values that training reports.
type Problem interface {
	infer.Problem
	// Terms returns the terms of the objective at the last evaluation, in the order of the family's
	// Objective.Terms. They are valid until the next evaluation.
	Terms() []float64
	// Rescues returns the number of rescued factorisations since the problem was created.
	Rescues() int
	// State returns the arrays that training changes in addition to Parameters.
	State() []param.Array
}

// Model implements the parts of a family.Model that do not depend on the family. Models of families
// embed it.
type Model struct {
	objective family.Objective
	problem   Problem
	method    infer.Method
	step      []float64 // number of completed steps, [1]; a float64 because it is part of State
	rescued   int       // rescues reported so far
	terms     []float64 // of the last step with the log prior; nil without priors
}

// New returns a model before its first step. It panics if the gauges of the method differ from the
// gauges declared by the objective, which is a bug in the family.
func New(objective family.Objective, problem Problem, method infer.Method) (*Model, error) {
	gauges := method.Gauges()
	if len(gauges) != len(objective.Gauges) {
		panic(fmt.Sprintf("train: the objective declares %d gauges, the method has %d",
			len(objective.Gauges), len(gauges)))
	}
	for i, g := range gauges {
		if g != objective.Gauges[i] {
			panic(fmt.Sprintf("train: gauge %d is %q, the objective declares %q",
				i, g.Key, objective.Gauges[i].Key))
		}
	}
	m := &Model{objective: objective, problem: problem, method: method, step: make([]float64, 1)}
	// Recompute the values from the free parameters, as after a restart.
	return m, m.Restored()
}

// Step implements family.Model.
func (m *Model) Step(ctx context.Context) (family.Report, error) {
	if err := ctx.Err(); err != nil {
		return family.Report{}, err
	}
	move, err := m.method.Step(ctx, m.problem, uint64(m.StepsDone()))
	if err != nil {
		m.rescued = m.problem.Rescues() // A repeated step counts its rescues again.
		return family.Report{}, m.WithStep(err)
	}
	m.step[0]++
	report := family.Report{
		Objective: move.Objective, Terms: m.problem.Terms(), Gauges: move.Gauges, Converged: move.Converged,
	}
	if schedule := m.RateSchedule(); schedule != nil {
		report.Phase = schedule.Phase(m.StepsDone())
	}
	if set := m.problem.Parameters(); set.HasPriors() {
		m.terms = append(append(m.terms[:0], report.Terms...), set.LastLogPrior())
		report.Terms = m.terms
	}
	rescues := m.problem.Rescues()
	report.Rescues, m.rescued = rescues-m.rescued, rescues
	return report, nil
}

// Control implements family.Controlled.
func (m *Model) Control(list []param.Control) error { return m.problem.Parameters().Control(list) }

// WithStep adds the step, and the name of the non-finite quantity, to an error of a problem or a
// method.
func (m *Model) WithStep(err error) error {
	var indefinite *linalg.NotPositiveDefiniteError
	var nan *linalg.NaNError
	switch {
	case errors.As(err, &indefinite):
		indefinite.Step = m.StepsDone()
	case errors.As(err, &nan):
		nan.Step = m.StepsDone()
	}
	// This is a type assertion, not errors.As, because the index of a wrapped error does not
	// identify a parameter.
	bad, ok := err.(*infer.NonFiniteError)
	if !ok {
		return err
	}
	where := "the " + m.objective.Name
	if bad.Index != infer.Objective {
		where = "the gradient of " + m.problem.Parameters().NameAt(bad.Index)
	}
	lower := ""
	if m.objective.Sampled() {
		lower = "step size"
	}
	return &family.NonFiniteError{Where: where, Step: m.StepsDone(), Lower: lower}
}

// StepsDone implements family.Model.
func (m *Model) StepsDone() int { return int(m.step[0]) }

// RateSchedule implements family.Scheduled.
func (m *Model) RateSchedule() *infer.Schedule {
	scheduled, ok := m.method.(infer.Scheduled)
	if !ok {
		return nil
	}
	return scheduled.RateSchedule()
}

// NumParameters returns the number of free values that the method updates.
func (m *Model) NumParameters() int { return m.problem.Parameters().Size() }

// State implements family.Model.
func (m *Model) State() []family.Array {
	list := []family.Array{
		{Name: "step", Data: m.step},
		{Name: "parameters", Data: m.problem.Parameters().Free},
	}
	return append(append(list, m.method.State()...), m.problem.State()...)
}

// Restored implements family.Model.
func (m *Model) Restored() error {
	if err := CheckState(m.State()); err != nil {
		return err
	}
	m.problem.Parameters().Forward()
	return nil
}

// CheckState returns an error that names the array of the first non-finite number in a restored
// state, if any.
func CheckState(state []family.Array) error {
	for _, a := range state {
		var bad *infer.NonFiniteError
		if errors.As(infer.CheckFinite(a.Data), &bad) {
			return fmt.Errorf("the checkpoint is damaged: entry %d of %s is %v", bad.Index, a.Name, bad.Value)
		}
	}
	return nil
}
