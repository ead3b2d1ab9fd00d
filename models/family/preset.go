package family

// Default is the value of a setting of training that a family wants in place of
// the usual one, and why.
type Default struct {
	Value, Source string
}

// The hyperparameters of families that sample from a posterior that say how long a run
// is: BurnIn steps, then Kept times Thinning.
const (
	BurnIn   = "burn_in"
	Kept     = "kept"
	Thinning = "thinning"
)

// Preset is a named, complete set of values with a source: of the family's
// hyperparameters and of the settings of training.
type Preset struct {
	Name   string            `json:"name"`
	Title  string            `json:"title"`
	Source string            `json:"source"`
	Values map[string]string `json:"-"`
}
