package family

// Default is a family's default for a training setting, with its source.
type Default struct {
	Value, Source string
}

// Names of the hyperparameters that determine the run length of sampling families: BurnIn steps,
// followed by Kept times Thinning steps.
const (
	BurnIn   = "burn_in"
	Kept     = "kept"
	Thinning = "thinning"
)

// Preset is a named, complete set of values for the family's hyperparameters and the training
// settings, with its source.
type Preset struct {
	Name   string            `json:"name"`
	Title  string            `json:"title"`
	Source string            `json:"source"`
	Values map[string]string `json:"-"`
}
