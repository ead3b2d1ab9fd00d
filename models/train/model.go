// Package train makes a model of what is maximised (a Problem) and of how
// parameters move (an infer.Method): the steps, their reports, the state of a
// checkpoint and errors that name their step are the same for all families.
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

// Problem is an infer.Problem with what training reports of it.
type Problem interface {
	infer.Problem
	// Terms returns the parts of the objective at the last evaluation, in the order
	// of the family's Objective.Terms. They are valid until the next one.
	Terms() []float64
	// Rescues returns how often a factorisation has been rescued so far.
	Rescues() int
	// State names what training changes and Parameters does not hold.
	State() []param.Array
}

// Model trains: it is the part of a family.Model that knows no mathematics. A
// family's model embeds it.
type Model struct {
	objective family.Objective
	problem   Problem
	method    infer.Method
	step      []float64 // steps done, [1], a float64 so that it is part of State
	rescued   int       // rescues counted so far
}

// New returns a model that has taken no step. It panics when the method's gauges
// are not those that the objective declares, which is a family's bug.
func New(objective family.Objective, problem Problem, method infer.Method) (*Model, error) {
	gauges := method.Gauges()
	if len(gauges) != len(objective.Gauges) {
		panic(fmt.Sprintf("train: the objective declares %d gauges, the method has %d",
			len(objective.Gauges), len(gauges)))
	}
	for i, g := range gauges {
		if g != objective.Gauges[i] {
			panic(fmt.Sprintf("train: gauge %d is %q, the objective says %q",
				i, g.Key, objective.Gauges[i].Key))
		}
	}
	m := &Model{objective: objective, problem: problem, method: method, step: make([]float64, 1)}
	// Values are what the free numbers say to the last bit, as after a restart.
	return m, m.Restored()
}

// Step implements family.Model.
func (m *Model) Step(ctx context.Context) (family.Report, error) {
	if err := ctx.Err(); err != nil {
		return family.Report{}, err
	}
	move, err := m.method.Step(ctx, m.problem, uint64(m.StepsDone()))
	if err != nil {
		return family.Report{}, m.At(err)
	}
	m.step[0]++
	report := family.Report{
		Objective: move.Objective, Terms: m.problem.Terms(), Gauges: move.Gauges, Converged: move.Converged,
	}
	rescues := m.problem.Rescues()
	report.Rescues, m.rescued = rescues-m.rescued, rescues
	return report, nil
}

// At enters the step, and the name of what is not finite, into an error of a
// problem or a method.
func (m *Model) At(err error) error {
	var indefinite *linalg.NotPositiveDefiniteError
	var nan *linalg.NaNError
	switch {
	case errors.As(err, &indefinite):
		indefinite.Step = m.StepsDone()
	case errors.As(err, &nan):
		nan.Step = m.StepsDone()
	}
	bad, ok := err.(*infer.NonFiniteError) // itself: an index within something else names no parameter
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

// NumParameters returns the number of free entries that the method moves.
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
	for _, a := range m.State() {
		var bad *infer.NonFiniteError
		if errors.As(infer.CheckFinite(a.Data), &bad) {
			return fmt.Errorf("the checkpoint is damaged: entry %d of %s is %v", bad.Index, a.Name, bad.Value)
		}
	}
	m.problem.Parameters().Forward()
	return nil
}
