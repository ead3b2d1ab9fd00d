package family

// Kind is the type of a hyperparameter's value.
type Kind int

const (
	Int     Kind = iota // a whole number
	Float               // a real number
	Bool                // on or off
	Choice              // one of Choices
	IntList             // whole numbers separated by commas
	Text                // free text, checked by the family
)

// Hyperparameter declares one thing that can be set before a run. The set-up
// form, the flags, validation, help and run directories are made from it.
type Hyperparameter struct {
	Name    string
	Kind    Kind
	Default string
	// Min and Max bound Int, Float and each entry of IntList, inclusive; MinOpen makes Min exclusive.
	Min, Max float64
	MinOpen  bool
	Choices  []string
	// Help is one line.
	Help string
	// Paper is the value that the source paper uses, with the source; "" if it says none.
	Paper string
	// Check refuses a Text value; nil accepts all.
	Check func(text string) error
}
