// Package datasets is where data comes from: built-in generators, named
// downloads, CSV files; and what happens to it before a model sees it: splits
// and standardisation.
package datasets

import (
	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/columns"
	"dgplab/datasets/task"
)

// Dataset is a table of inputs and targets in original units.
type Dataset struct {
	Name  string
	Title string
	// Origin says where it comes from: a doc sentence, a repository, a file path.
	Origin string
	Task   task.Task
	X      *mat.Dense // [N, D]
	Y      *mat.Dense // [N, P], NaN where a target was not observed
	// Classes names the classes of the only target in the order of their codes: -1 and +1
	// of two, else 0, 1, ... It is nil without classes.
	Classes []string
	// LogTargets has Prepare take the logarithms of targets, which are as they are in Y.
	LogTargets bool
	// MeanInputs has Prepare put the mean of the training part for inputs that are NaN in X,
	// as none is otherwise.
	MeanInputs bool
	// Columns says what was made of the columns of a file, nil for other sets.
	Columns *columns.Table
	// WholeRows has Prepare keep rows out of training in which a split hides a target.
	WholeRows bool
	// Uses says which part of the data a training that cannot use all of it has, "" for
	// all; see For.
	Uses string
	// Inputs and Targets name the columns.
	Inputs, Targets []string
	// TestRows holds the official test rows of each split, ascending; nil if there are none.
	TestRows [][]int
	// Notes say how a file was read. Warnings are shown beside whatever is made of the data.
	Notes, Warnings []columns.Note

	layout layout // of the file that it was read from
}

// Kind says how a data set is had.
type Kind int

const (
	Builtin   Kind = iota // generated
	Fetchable             // in the catalogue, downloaded by name
	File                  // a path
)

// String returns "built-in", "download" or "file".
func (k Kind) String() string {
	switch k {
	case Fetchable:
		return "download"
	case File:
		return "file"
	}
	return "built-in"
}

// MarshalText implements encoding.TextMarshaler.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Info is one line of the catalogue.
type Info struct {
	Name  string    `json:"name"`
	Title string    `json:"title"`
	Kind  Kind      `json:"kind"`
	Task  task.Task `json:"task"`
	// N, D, P are rows, inputs and targets; Splits counts official splits.
	N      int `json:"n"`
	D      int `json:"d"`
	P      int `json:"p"`
	Splits int `json:"splits"`
	// Classes counts the classes of the target of a classification set; 0 for others.
	Classes int `json:"classes,omitempty"`
	// Bytes is the size of the download; 0 for built-in sets.
	Bytes int64 `json:"bytes"`
	// Cached is true for built-in sets and for downloads that are complete.
	Cached bool `json:"cached"`
	// Default marks the set that is chosen when none is named.
	Default bool   `json:"default"`
	Origin  string `json:"origin"`
}

// Part is one of training, validation and test, standardised by the training part.
type Part struct {
	X, Y *mat.Dense // [n, D], [n, P]; Y is NaN where a target is missing or held out
	Rows []int      // rows of the data set
}

// Prepared is a split and standardised data set.
type Prepared struct {
	Train, Validation, Test Part
	Scaling                 Scaling
	Task                    task.Task
	Classes                 []string // those of the data set
	Warnings                []string
}

// Scaling takes original units to standardised ones: (v - Mean) / SD, column by
// column, with Log of the logarithms of the targets. Classes are not scaled (mean 0, SD 1).
type Scaling struct {
	InputMean, InputSD   []float64 // [D]
	TargetMean, TargetSD []float64 // [P]
	Log                  bool
}
