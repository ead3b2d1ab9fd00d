package session

import (
	"context"
	"errors"

	"gonum.org/v1/gonum/mat"

	"dgplab/models"
	"dgplab/models/predictive"
	"dgplab/session/interrupt"
)

const (
	// longStep is the minimum duration in seconds of a step that counts as long. The step after a
	// long step can be abandoned.
	longStep = 0.1
	// maxCopied bounds the number of values of a state that is copied before a step: 512 MB. Only
	// chains with room for many samples have larger states.
	maxCopied = 1 << 26
)

// ask returns the result of a query of t's model. If the run has to end and the query takes too
// long, it is abandoned and the model is not called again. The query must not change the state of
// the model.
func ask[T any](t *trainer, of func() (T, error)) (T, error) {
	if t.abandoned {
		var none T
		return none, t.abortCtx.Err()
	}
	answer, err := interrupt.Call(t.abortCtx, of)
	t.abandoned = errors.Is(err, interrupt.ErrAbandoned)
	return answer, err
}

// takeStep takes a training step. If the previous step was long or there was none, takeStep first
// copies the state of the model, and the step can then be abandoned. It does not copy states larger
// than maxCopied.
func (t *trainer) takeStep(ctx context.Context) (models.Report, error) {
	if t.abandoned {
		return models.Report{}, t.abortCtx.Err()
	}
	t.timeStep()
	state := t.model.State()
	if t.lastStep > 0 && t.lastStep < longStep || totalLen(state) > maxCopied {
		t.room = nil
		return t.model.Step(ctx)
	}
	t.room = copyState(t.room, state)
	t.before = t.room
	result, err := ask(t, func() (models.Report, error) { return t.model.Step(ctx) })
	if !t.abandoned {
		t.before = nil
	}
	return result, err
}

// modelState returns the state of the model. If a step was abandoned, it returns the copy from
// before that step.
func (t *trainer) modelState() []models.Array {
	if t.before != nil {
		return t.before
	}
	return t.model.State()
}

// predictAt returns the predictions of the model at x, [n, D].
func (t *trainer) predictAt(x *mat.Dense, samples int, seed uint64) (predictive.Predictive, error) {
	return ask(t, func() (predictive.Predictive, error) { return t.model.Predict(x, samples, seed) })
}

// totalLen returns the total length of arrays.
func totalLen(arrays []models.Array) int {
	sum := 0
	for _, a := range arrays {
		sum += len(a.Data)
	}
	return sum
}

// copyState returns a copy of the state of a model. It reuses room, which is nil or an earlier copy of
// the same state.
func copyState(room, state []models.Array) []models.Array {
	if room == nil {
		room = make([]models.Array, len(state))
	}
	for i, a := range state {
		room[i].Name = a.Name
		room[i].Data = append(room[i].Data[:0], a.Data...)
	}
	return room
}
