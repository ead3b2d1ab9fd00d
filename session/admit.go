package session

import (
	"fmt"
	"slices"

	"dgplab/datasets"
	"dgplab/models"
)

// memoryOf returns about the most bytes that a run takes: what the model needs, and
// two copies of the rows and columns of its data. A model that does not tell has at
// least its parameters, a gradient and two moments of each.
func memoryOf(size models.Size, rows, columns int) float64 {
	model := size.Memory
	if model == 0 {
		model = 8 * 4 * float64(size.Parameters)
	}
	return model + 8*2*float64(rows)*float64(columns)
}

// pointsSetting is a hyperparameter of families that may be trained on some of the points.
const pointsSetting = "points"

// refusal says that a run does not fit, and what can be done.
func (r *resolved) refusal(err error) error {
	advice := ""
	if slices.ContainsFunc(r.spec.Hyperparameters, func(h models.Hyperparameter) bool { return h.Name == pointsSetting }) {
		advice = "--set " + pointsSetting + "=N takes N training points; "
	}
	return fmt.Errorf("the run %w (%s--allow-memory trains it all the same)", err, advice)
}

// admit makes sure that the model fits the memory before any of it is allocated, and
// sets the memory aside until leave is called.
func (t *trainer) admit(ds *datasets.Dataset) error {
	n, d := t.prepared.Train.X.Dims()
	_, p := t.prepared.Train.Y.Dims()
	size, err := t.resolved.size(ds, t.prepared)
	if err != nil {
		return err
	}
	rows := n + rowsOf(t.prepared.Validation.X) + rowsOf(t.prepared.Test.X)
	done, err := t.env.memory.Admit(memoryOf(size, rows, d+p), t.allowMemory)
	if err != nil {
		return t.resolved.refusal(err)
	}
	t.subject.size, t.admitted = size, done
	return nil
}

// leave gives back the memory that was set aside.
func (t *trainer) leave() {
	if t.admitted != nil {
		t.admitted()
	}
}
