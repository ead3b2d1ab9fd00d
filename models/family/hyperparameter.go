package family

import (
	"fmt"
	"strings"
)

// Kind is the type of a hyperparameter's value.
type Kind int

const (
	Int        Kind = iota // integer
	Float                  // real number
	Bool                   // on or off
	Choice                 // one of Choices
	IntList                // integers separated by commas
	FloatList              // real numbers separated by commas
	Text                   // free text, validated by Check
	Expression             // one of Choices, or text that Check accepts
)

var kindNames = [...]string{
	Int:        "int",
	Float:      "float",
	Bool:       "bool",
	Choice:     "choice",
	IntList:    "int-list",
	FloatList:  "float-list",
	Text:       "text",
	Expression: "expression",
}

// String returns the name of the kind, for example "int-list".
func (k Kind) String() string { return kindNames[k] }

// Number reports whether values are numbers or lists of numbers, which Min and Max bound.
func (k Kind) Number() bool { return k == Int || k == Float || k == IntList || k == FloatList }

// Section is the heading of a hyperparameter in a form.
type Section string

const (
	DataSection      Section = "data"
	ModelSection     Section = "model"
	KernelSection    Section = "kernel"
	InferenceSection Section = "inference"
	TrainingSection  Section = "training"
)

// Condition makes a hyperparameter apply only for certain values of another one, which must precede
// it in the list.
type Condition struct {
	Name string
	Is   []string
}

// String returns the condition in command-line form, for example "optimizer=natgrad", or "" if c is
// nil.
func (c *Condition) String() string {
	if c == nil {
		return ""
	}
	return c.Name + "=" + strings.Join(c.Is, " or ")
}

// Hyperparameter declares a setting of a model. The set-up form, flags, validation and help are
// derived from it.
type Hyperparameter struct {
	Name    string `json:"name"`
	Kind    Kind   `json:"-"`
	Default string `json:"default"`
	// Source cites the origin of the default, or "" if this program chose it.
	Source  string  `json:"source,omitempty"`
	Section Section `json:"section"`
	// PerLayer and PerHiddenLayer mark a list with one entry per layer, or per layer but the last. A
	// default that is a list is shortened, or its last entry repeated, for the number of "layers".
	PerLayer       bool `json:"-"`
	PerHiddenLayer bool `json:"-"`
	// AtMostHalf limits the default to half the number of training points. Other values are not
	// limited.
	AtMostHalf bool `json:"-"`
	// First marks the hyperparameters that a form shows without unfolding.
	First bool `json:"-"`
	// When is nil if the hyperparameter always applies.
	When *Condition `json:"-"`
	// Min and Max are inclusive bounds of an Int, a Float or each entry of a list. MinOpen excludes
	// Min.
	Min     float64 `json:"-"`
	Max     float64 `json:"-"`
	MinOpen bool    `json:"min_open,omitempty"`
	// Choices lists the values of a Choice. For Text and Expression it lists some valid values.
	Choices []string `json:"choices,omitempty"`
	// Help describes the hyperparameter in one line.
	Help string `json:"help"`
	// Paper is the value used in the source paper, with a citation, or "" if the paper gives none.
	Paper string `json:"paper,omitempty"`
	// Before is the value of recorded runs that are older than the hyperparameter, or "" if there are none.
	Before string `json:"-"`
	// Check validates a value that has the right kind and is within bounds. If Check is nil, all
	// such values are valid.
	Check func(text string) error `json:"-"`
}

// forLayers returns the default for a number of layers.
func (h Hyperparameter) forLayers(layers int) string {
	entries := strings.Split(h.Default, ",")
	if h.PerHiddenLayer {
		layers--
	}
	if !h.PerLayer && !h.PerHiddenLayer || len(entries) == 1 || layers < 1 {
		return h.Default
	}
	for len(entries) < layers {
		entries = append(entries, entries[len(entries)-1])
	}
	return strings.Join(entries[:layers], ",")
}

// DefaultFor returns the default for n training points, given the default for any number of points.
func (h Hyperparameter) DefaultFor(n int, value string) string {
	if !h.AtMostHalf {
		return value
	}
	counts, err := parseInts(value)
	if err != nil {
		panic("family: the default of " + h.Name + " is not a list of integers: " + err.Error())
	}
	texts := make([]string, len(counts))
	for i, count := range counts {
		texts[i] = fmt.Sprint(min(count, max(n/2, 1)))
	}
	return strings.Join(texts, ",")
}
