package session

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"gonum.org/v1/gonum/mat"

	"dgplab/models"
	"dgplab/models/predictive"
)

const (
	// patience is how long work may go on after it was asked to end. Then it is
	// abandoned, so that a process ends within two seconds unless its checkpoint is huge.
	patience = time.Second / 2
	// longStep is the time of a step in seconds from which on the next one may be
	// abandoned.
	longStep = 0.1
	// mostCopied is the most numbers of a state that are copied before a step: 512 MB.
	// Larger ones are those of chains that have room for many samples.
	mostCopied = 1 << 26
)

// errAbandoned is the error of work that did not end in time.
var errAbandoned = errors.New("the work was abandoned")

// panicked is a panic of another goroutine.
type panicked struct {
	value any
	stack []byte
}

func (p *panicked) String() string { return fmt.Sprint(p.value) }

// abandonable returns what work returns. When ctx ends and work does not end within
// patience, abandonable returns errAbandoned, wrapped with the error of ctx, and work goes
// on by itself until it ends or the process does: what it writes must not be used. A panic
// of work becomes one of the caller, of a *panicked. A nil ctx never ends.
func abandonable[T any](ctx context.Context, work func() (T, error)) (T, error) {
	if ctx == nil || ctx.Done() == nil {
		return work()
	}
	type outcome struct {
		value T
		err   error
		panic *panicked
	}
	ended := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			if value := recover(); value != nil {
				o.panic = &panicked{value, debug.Stack()}
			}
			ended <- o
		}()
		o.value, o.err = work()
	}()
	done := ctx.Done()
	var late <-chan time.Time
	for {
		select {
		case o := <-ended:
			if o.panic != nil {
				panic(o.panic)
			}
			return o.value, o.err
		case <-done:
			done, late = nil, time.After(patience)
		case <-late:
			var none T
			return none, fmt.Errorf("%w: %w", errAbandoned, ctx.Err())
		}
	}
}

// ask returns what the model of t is asked for. When the run has to end, an answer that
// takes too long is abandoned, and the model is not called again. ask must not change the
// state of the model.
func ask[T any](t *trainer, of func() (T, error)) (T, error) {
	if t.abandoned {
		var none T
		return none, t.firm.Err()
	}
	answer, err := abandonable(t.firm, of)
	t.abandoned = errors.Is(err, errAbandoned)
	return answer, err
}

// takeStep has the model take a step. Where the last step was long, or not known, a copy of
// the state is kept meanwhile, unless that is very large: then the step may be abandoned.
func (t *trainer) takeStep(ctx context.Context) (models.Report, error) {
	if t.abandoned {
		return models.Report{}, t.firm.Err()
	}
	t.timeStep()
	state := t.model.State()
	if t.lastStep > 0 && t.lastStep < longStep || numbersOf(state) > mostCopied {
		t.room = nil
		return t.model.Step(ctx)
	}
	t.room = copied(t.room, state)
	t.before = t.room
	said, err := ask(t, func() (models.Report, error) { return t.model.Step(ctx) })
	if !t.abandoned {
		t.before = nil
	}
	return said, err
}

// modelState returns the state of the model, or a copy of what it was before a step that
// was abandoned.
func (t *trainer) modelState() []models.Array {
	if t.before != nil {
		return t.before
	}
	return t.model.State()
}

// predictAt returns what the model predicts at x, [n, D].
func (t *trainer) predictAt(x *mat.Dense, samples int, seed uint64) (predictive.Predictive, error) {
	return ask(t, func() (predictive.Predictive, error) { return t.model.Predict(x, samples, seed) })
}

// numbersOf returns the number of all numbers in arrays.
func numbersOf(arrays []models.Array) int {
	sum := 0
	for _, a := range arrays {
		sum += len(a.Data)
	}
	return sum
}

// copied returns a copy of the state of a model. It takes the place of room, an earlier copy
// of the same model's state or nil.
func copied(room, state []models.Array) []models.Array {
	if room == nil {
		room = make([]models.Array, len(state))
	}
	for i, a := range state {
		room[i].Name = a.Name
		room[i].Data = append(room[i].Data[:0], a.Data...)
	}
	return room
}
