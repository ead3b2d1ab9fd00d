package session

import (
	"fmt"
	"slices"

	"dgplab/datasets"
	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/config"
)

// memoryOf returns the estimated peak memory of a run in bytes: the model, the data, the inputs of
// predictions and, if the state with the best validation is kept, a copy of the parameters with two moments
// per parameter. For a model that does not estimate its memory, it counts the parameters, a gradient and two
// moments per parameter.
func memoryOf(r *config.Resolved, size models.Size, rows, columns, validation int) float64 {
	model := size.Memory
	if model == 0 {
		model = 8 * 4 * float64(size.Parameters)
	}
	if r.KeepBest && validation > 0 {
		model += 8 * 3 * float64(size.Parameters)
	}
	// There are three copies of the data: the parts, the model's copy and temporary copies.
	// Besides the inputs of predictions, the model allocates memory for one chunk of them.
	const copies, predictions = 3, 1.3
	points, _ := family.PredictionSize(rows)
	return model + 8*(copies*float64(rows)+predictions*points)*float64(columns)
}

// pointsSetting is a hyperparameter of families that can be trained on a subset of the points.
const pointsSetting = "points"

// refusal wraps the error of a run that does not fit into memory and adds advice.
func refusal(r *config.Resolved, err error) error {
	advice := ""
	if slices.ContainsFunc(r.Spec.Hyperparameters, func(h models.Hyperparameter) bool {
		return h.Name == pointsSetting
	}) {
		advice = "--set " + pointsSetting + "=N uses N training points; "
	}
	return fmt.Errorf("the run %w (%s--allow-memory skips this check)", err, advice)
}

// admit checks that the model fits into memory before allocating any of it. It reserves the memory until
// leave is called.
func (t *trainer) admit(ds *datasets.Dataset) error {
	n, d := t.probe.Data.Train.X.Dims()
	_, p := t.probe.Data.Train.Y.Dims()
	size, err := t.Resolved.Size(ds, t.probe.Data)
	if err != nil {
		return err
	}
	validation := t.probe.Data.Validation.Len()
	rows := n + validation + t.probe.Data.Test.Len()
	done, err := t.env.memory.Admit(memoryOf(t.Resolved, size, rows, d+p, validation), t.allowMemory)
	if err != nil {
		return refusal(t.Resolved, err)
	}
	t.size, t.admitted = size, done
	return nil
}

// leave releases the memory reserved by admit.
func (t *trainer) leave() {
	if t.admitted != nil {
		t.admitted()
	}
}
