// Package datasets provides data from built-in generators, named downloads and CSV files, and
// splits and standardises it for models.
package datasets

import (
	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/table"
	"dgplab/datasets/task"
)

// Dataset is a table of inputs and targets in original units.
type Dataset struct {
	Name  string
	Title string
	// Origin describes the source: a sentence, a repository or a file path.
	Origin string
	Task   task.Task
	X      *mat.Dense // [N, D]
	Y      *mat.Dense // [N, P], NaN for missing targets
	// Classes names the classes of the single target in the order of their codes, which are -1 and
	// +1 for two classes and 0, 1, ... for more. It is nil for real targets.
	Classes []string
	// LogTargets makes Prepare take the logarithms of the targets. Y holds the original values.
	LogTargets bool
	// MeanInputs makes Prepare replace missing inputs (NaN in X) by the mean of the training set.
	// If it is not set, X has no missing inputs.
	MeanInputs bool
	// Noise holds the known noise variance of the single target in each row, in units of its square, and
	// Weights the weights of the likelihood of each row. They are nil if there are none.
	Noise, Weights []float64
	// LearnedNoise is set if the noise has a learned part besides the known one.
	LearnedNoise bool
	// Columns describes the columns of a file. It is nil for other sets.
	Columns *table.Description
	// WholeRows makes Prepare exclude rows with a held-out target from training.
	WholeRows bool
	// Uses describes the part of the data that the model can use, or "" for all of it; see For.
	Uses string
	// Inputs and Targets name the columns.
	Inputs, Targets []string
	// TestRows holds the official test rows of each split, ascending. It is nil without official
	// splits.
	TestRows [][]int
	// Notes describes how a file was read. Warnings are shown with all results on the data.
	Notes, Warnings []table.Note

	layout  table.Layout // layout of the file from which the data were read
	divider *divider     // column by which a split divides the rows, or nil
	// fileRows holds for each row its number in the file, from 0, and allRows is the number of rows in the
	// file, if some of them were left out; otherwise they are nil and 0.
	fileRows []int
	allRows  int
}

// Kind classifies data sets by their source.
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

// Info is an entry of the catalogue.
type Info struct {
	Name  string    `json:"name"`
	Title string    `json:"title"`
	Kind  Kind      `json:"kind"`
	Task  task.Task `json:"task"`
	// N, D and P are the numbers of rows, inputs and targets. Splits is the number of official
	// splits.
	N      int `json:"n"`
	D      int `json:"d"`
	P      int `json:"p"`
	Splits int `json:"splits"`
	// Classes is the number of classes of the target, or 0 for regression.
	Classes int `json:"classes,omitempty"`
	// Bytes is the size of the download, or 0 for built-in sets.
	Bytes int64 `json:"bytes"`
	// Cached is true for built-in sets and for complete downloads.
	Cached bool `json:"cached"`
	// Default marks the data set used by default.
	Default bool   `json:"default"`
	Origin  string `json:"origin"`
}

// Part is the training, validation or test set. X [n, D] and Y [n, P] are standardised by the training
// set. Y is NaN for missing or held-out targets.
type Part struct {
	X, Y *mat.Dense
	// Inputs and Targets hold X and Y in original units, as the data set gave them: a value that was
	// standardised does not come back to the last digit. Missing inputs are replaced by the mean. Inputs
	// is nil for the training set, to save memory.
	Inputs, Targets *mat.Dense
	Rows            []int // rows of the data set
	// Noise holds the known noise variances, in standardised units, and Weights the weights of the rows. They
	// are nil if the data set has none.
	Noise, Weights []float64
}

// Len returns the number of rows. A part without rows may have no matrices.
func (p Part) Len() int {
	if p.X == nil || p.X.IsEmpty() {
		return 0
	}
	n, _ := p.X.Dims()
	return n
}

// Prepared is a split and standardised data set.
type Prepared struct {
	Train, Validation, Test Part
	Scaling                 Scaling
	Task                    task.Task
	Classes                 []string // classes of the data set
	Inputs                  []string // names of the inputs
	LearnedNoise            bool     // see Dataset.LearnedNoise
	Warnings                []string
	// TestSHA256 is the Checksum of the test set in original units, without missing values.
	TestSHA256 string
	// ContentSHA256 is the checksum of all rows of a table of the user in original units, with the names of
	// inputs and targets. It is empty for other data sets, which their names identify.
	ContentSHA256 string
	// SplitSHA256 is the checksum of the file that names the rows of the parts, or "" without one.
	SplitSHA256 string
}

// Scaling maps original to standardised units by (v - Mean) / SD for each column. If Log is set, v
// is the logarithm of a target. Classes are not scaled (mean 0, SD 1).
type Scaling struct {
	InputMean, InputSD   []float64 // [D]
	TargetMean, TargetSD []float64 // [P]
	// InputMin and InputMax are the ranges of the inputs in the training set, [D]. They are nil in models
	// that an earlier version packed.
	InputMin, InputMax []float64
	// LeftOut is set for inputs that a model does not see: their standardised values are 0, which leaves them
	// out of stationary kernels and of linear mean functions. It is nil if there are none.
	LeftOut []bool `json:",omitempty"`
	Log     bool
}
