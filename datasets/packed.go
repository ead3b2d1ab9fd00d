package datasets

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/table"
	"dgplab/datasets/task"
)

// Packed is everything that predictions need of a data set but the values of its rows: how new rows are read,
// and how they are standardised. It is written as JSON.
type Packed struct {
	Name       string    `json:"name"`
	Title      string    `json:"title"`
	Origin     string    `json:"origin"`
	Task       task.Task `json:"task"`
	Classes    []string  `json:"classes,omitempty"`
	LogTargets bool      `json:"log_targets,omitempty"`
	MeanInputs bool      `json:"mean_inputs,omitempty"`
	Uses       string    `json:"uses,omitempty"`
	Inputs     []string  `json:"inputs"`
	Targets    []string  `json:"targets"`
	// File is true for the data set of a file, whose columns have kinds.
	File   bool         `json:"file"`
	Layout table.Layout `json:"layout"`
	// Scaling has no missing values.
	Scaling Scaling `json:"scaling"`
	// Rows is the number of training rows.
	Rows int `json:"rows"`
	// Noise and Weights are set if the training rows have known noise or weights. LearnedNoise is as for
	// Dataset.
	Noise        bool `json:"noise,omitempty"`
	LearnedNoise bool `json:"learned_noise,omitempty"`
	Weights      bool `json:"weights,omitempty"`
}

// Pack returns what predictions need of a data set and its parts.
func Pack(ds *Dataset, p *Prepared) Packed {
	return Packed{
		Name: ds.Name, Title: ds.Title, Origin: ds.Origin, Task: ds.Task, Classes: ds.Classes,
		LogTargets: ds.LogTargets, MeanInputs: ds.MeanInputs, Uses: ds.Uses, Inputs: ds.Inputs,
		Targets: ds.Targets, File: ds.Columns != nil, Layout: ds.layout, Scaling: p.Scaling,
		Rows: p.Train.Len(), Noise: p.Train.Noise != nil, LearnedNoise: ds.LearnedNoise,
		Weights: p.Train.Weights != nil,
	}
}

// Unpack returns a data set without values, and its parts, of which only the training set has rows.
func (k Packed) Unpack(train Part) (*Dataset, *Prepared) {
	ds := &Dataset{
		Name: k.Name, Title: k.Title, Origin: k.Origin, Task: k.Task, Classes: k.Classes,
		LogTargets: k.LogTargets, MeanInputs: k.MeanInputs, Uses: k.Uses, Inputs: k.Inputs,
		Targets: k.Targets, layout: k.Layout, Y: train.Y, LearnedNoise: k.LearnedNoise,
	}
	if k.File {
		ds.Columns = k.Description()
	}
	return ds, &Prepared{
		Train: train, Scaling: k.Scaling, Task: k.Task, Classes: k.Classes, Inputs: k.Inputs,
		LearnedNoise: k.LearnedNoise,
	}
}

// StandIn returns rows that stand in for the training rows of a model that was packed without them, at most
// 10,000: independent standard normal inputs and targets, or classes and counts in turn, with known noise and
// weights of 1 if the training rows have any.
func (k Packed) StandIn() Part {
	n := min(k.Rows, 10000)
	d, p := len(k.Inputs), len(k.Targets)
	x := mat.NewDense(n, d, nil)
	y := mat.NewDense(n, p, nil)
	r := rand.New(rand.NewPCG(1, 2))
	change(x, func(int, float64) float64 { return r.NormFloat64() })
	change(y, func(int, float64) float64 { return r.NormFloat64() })
	for i := range n {
		row := y.RawRowView(i)
		for j := range row {
			switch k.Task {
			case task.Binary:
				row[j] = codeOf(i%2, 2)
			case task.Multiclass:
				row[j] = codeOf(i%len(k.Classes), len(k.Classes))
			case task.Count:
				row[j] = float64(i % 10)
			}
		}
	}
	part := Part{X: x, Y: y, Targets: y}
	if k.Noise {
		part.Noise = slices.Repeat([]float64{1}, n)
	}
	if k.Weights {
		part.Weights = slices.Repeat([]float64{1}, n)
	}
	return part
}

// Description describes the columns.
func (k Packed) Description() *table.Description {
	return &table.Description{
		Columns: k.Layout.Columns(), Rows: k.Rows, D: len(k.Inputs), P: len(k.Targets), Task: k.Task.String(),
	}
}

// Check returns an error if the parts do not fit each other. The parts of a damaged file may not.
func (k Packed) Check() error {
	width, targets := k.Layout.Widths()
	d, p := len(k.Inputs), len(k.Targets)
	s := k.Scaling
	switch {
	case d != width || p != targets:
		return fmt.Errorf("%d inputs and %d targets, but the layout has %d and %d", d, p, width, targets)
	case len(s.InputMean) != d || len(s.InputSD) != d || len(s.TargetMean) != p || len(s.TargetSD) != p:
		return errors.New("the scaling has another number of columns than the data")
	case k.Noise && (p != 1 || k.Task != task.Regression || k.LogTargets):
		return errors.New("the noise of such targets cannot be known")
	case k.Rows < minTrain:
		return fmt.Errorf("%d training rows", k.Rows)
	case len(k.Classes) > 0 && p != 1:
		return errors.New("several targets have no names of classes")
	case k.Task == task.Multiclass && len(k.Classes) < 3:
		return errors.New("the classes have no names")
	}
	if s.LeftOut != nil && len(s.LeftOut) != d {
		return errors.New("the inputs left out have another number of columns than the data")
	}
	for _, list := range [][]float64{s.InputMin, s.InputMax} {
		if list != nil && len(list) != d {
			return errors.New("the ranges of the inputs have another number of columns than the data")
		}
	}
	for _, list := range [][]float64{s.InputMean, s.InputSD, s.TargetMean, s.TargetSD} {
		for _, v := range list {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return errors.New("the scaling is not finite")
			}
		}
	}
	for _, list := range [][]float64{s.InputSD, s.TargetSD} {
		for _, v := range list {
			if !(v > 0) {
				return errors.New("a scale is not positive")
			}
		}
	}
	return nil
}

// CheckRows returns an error if a model cannot have been trained on the rows.
func (k Packed) CheckRows(p Part) error {
	for _, v := range p.X.RawMatrix().Data {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return errors.New("an input is not finite")
		}
	}
	for _, v := range p.Y.RawMatrix().Data {
		valid := !math.IsInf(v, 0)
		switch k.Task {
		case task.Binary:
			valid = v == -1 || v == 1
		case task.Multiclass:
			valid = v >= 0 && v < float64(len(k.Classes)) && v == math.Trunc(v)
		case task.Count:
			valid = v >= 0 && v == math.Trunc(v)
		}
		if !valid && !math.IsNaN(v) {
			return fmt.Errorf("%v is not a target of the task %v", v, k.Task)
		}
	}
	for _, v := range slices.Concat(p.Noise, p.Weights) {
		if !(v > 0) || math.IsInf(v, 0) {
			return errors.New("a known noise or a weight is not finite and positive")
		}
	}
	return nil
}
