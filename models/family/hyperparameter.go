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

// String says the condition as on a command line: "optimizer=natgrad".
func (c *Condition) String() string { return c.Name + "=" + strings.Join(c.Is, " or ") }

// Hyperparameter declares one thing that can be set before a run. The set-up
// form, the flags, validation, help and run directories are made from it.
type Hyperparameter struct {
	Name    string
	Kind    Kind
	Default string
	// Source says where the default is from; "" if that is this program.
	Source  string
	Section Section
	// First marks what people change first; a form folds the rest away.
	First bool
	// When is nil for what always applies.
	When *Condition
	// Min and Max bound Int, Float and each entry of a list, inclusive; MinOpen makes Min exclusive.
	Min, Max float64
	MinOpen  bool
	// Choices are the values of a Choice, and of a Text some that there are.
	Choices []string
	// Help is one line.
	Help string
	// Paper is the value that the source paper uses, with the source; "" if it says none.
	Paper string
	// Check refuses a Text value; nil accepts all.
	Check func(text string) error
}
