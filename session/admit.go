package session

import (
	"fmt"
	"slices"

	"dgplab/datasets"
	"dgplab/models"
	"dgplab/models/family"
)

// memoryOf returns about the most bytes that a run takes: what the model needs, the rows
// and columns of its data, the inputs of its predictions, and, where the best of validated
// states is kept, a copy of the parameters and of two moments of each. A model that does not
// tell its need has at least its parameters, a gradient and two moments of each.
func (r *resolved) memoryOf(size models.Size, rows, columns, validation int) float64 {
	model := size.Memory
	if model == 0 {
		model = 8 * 4 * float64(size.Parameters)
	}
	if r.keepBest && validation > 0 {
		model += 8 * 3 * float64(size.Parameters)
	}
	// The data set, its parts, the copy of the model, and what is made of them on the way;
	// the inputs of predictions are kept by the model, and those of one chunk are on the way.
	const copies, predictions = 4, 1.3
	points, _ := family.PredictionSize(rows)
	return model + 8*(copies*float64(rows)+predictions*points)*float64(columns)
}

// pointsSetting is a hyperparameter of families that may be trained on some of the points.
const pointsSetting = "points"

// refusal says that a run does not fit, and what can be done.
func (r *resolved) refusal(err error) error {
	advice := ""
	if slices.ContainsFunc(r.spec.Hyperparameters, func(h models.Hyperparameter) bool {
		return h.Name == pointsSetting
	}) {
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
	validation := rowsOf(t.prepared.Validation.X)
	rows := n + validation + rowsOf(t.prepared.Test.X)
	done, err := t.env.memory.Admit(t.resolved.memoryOf(size, rows, d+p, validation), t.allowMemory)
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
