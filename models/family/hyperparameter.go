package family

import "strings"

// Kind is the type of a hyperparameter's value.
type Kind int

const (
	Int       Kind = iota // a whole number
	Float                 // a real number
	Bool                  // on or off
	Choice                // one of Choices
	IntList               // whole numbers separated by commas
	FloatList             // real numbers separated by commas
	Text                  // free text, checked by the family
)

var kindNames = [...]string{
	Int:       "int",
	Float:     "float",
	Bool:      "bool",
	Choice:    "choice",
	IntList:   "int-list",
	FloatList: "float-list",
	Text:      "text",
}

// String returns the name of the kind, for example "int-list".
func (k Kind) String() string { return kindNames[k] }

// Number says whether values are numbers, or lists of them, which Min and Max bound.
func (k Kind) Number() bool { return k == Int || k == Float || k == IntList || k == FloatList }

// Section is the heading that a hyperparameter stands under in a form.
type Section string

const (
	DataSection      Section = "data"
	ModelSection     Section = "model"
	KernelSection    Section = "kernel"
	InferenceSection Section = "inference"
	TrainingSection  Section = "training"
)

// Condition says that a hyperparameter applies only while another one has one of
// these values. The other one stands before it in its list.
type Condition struct {
	Name string
	Is   []string
}

// String says the condition as on a command line, "optimizer=natgrad"; "" for none.
func (c *Condition) String() string {
	if c == nil {
		return ""
	}
	return c.Name + "=" + strings.Join(c.Is, " or ")
}

// Hyperparameter declares one thing that can be set before a run. The set-up
// form, the flags, validation, help and run directories are made from it.
type Hyperparameter struct {
	Name    string `json:"name"`
	Kind    Kind   `json:"-"`
	Default string `json:"default"`
	// Source says where the default is from; "" if that is this program.
	Source  string  `json:"source,omitempty"`
	Section Section `json:"section"`
	// Before is the value in runs of versions of this program that did not have the
	// hyperparameter, "" if that is the default.
	Before string `json:"-"`
	// First marks what people change first; a form folds the rest away.
	First bool `json:"-"`
	// When is nil for what always applies.
	When *Condition `json:"-"`
	// Min and Max bound Int, Float and each entry of a list, inclusive; MinOpen makes Min exclusive.
	Min     float64 `json:"-"`
	Max     float64 `json:"-"`
	MinOpen bool    `json:"min_open,omitempty"`
	// Choices are the values of a Choice, and of a Text some that there are.
	Choices []string `json:"choices,omitempty"`
	// Help is one line.
	Help string `json:"help"`
	// Paper is the value that the source paper uses, with the source; "" if it says none.
	Paper string `json:"paper,omitempty"`
	// Check refuses a value that is one of its kind and within bounds; nil accepts all.
	Check func(text string) error `json:"-"`
}
