package view

// Units summarises samples of one layer.
type Units struct {
	// Lengthscales and Variance are the parameters of the kernel that the units share.
	Lengthscales Rounded `json:"lengthscales"`
	Variance     Float   `json:"variance"`
	// Input is the input along which functions are drawn: the first numeric input, counted from 0.
	// Name is its name, or "" if unknown, and Grid holds its values in standardised units, [G].
	// Other numeric inputs are held at the mean of the training inputs, and categories at their
	// most frequent level.
	Input int     `json:"input,omitempty"`
	Name  string  `json:"name,omitempty"`
	Grid  Rounded `json:"grid"`
	// Units has one entry per unit (GP) of the layer.
	Units []Unit `json:"units"`
	// Correlation holds the correlations of the units over data points and samples, [T][T].
	Correlation []Rounded `json:"correlation"`
}

// Unit summarises the samples of one unit at training inputs.
type Unit struct {
	// Name is the name of the output if the units are the outputs of the model.
	Name string `json:"name,omitempty"`
	Mean Float  `json:"mean"`
	SD   Float  `json:"sd"`
	Min  Float  `json:"min"`
	Max  Float  `json:"max"`
	// Histogram counts the samples in equal bins from Min to Max.
	Histogram []int `json:"histogram"`
	// Share is the fraction, from 0 to 1, of the variance over data and samples that is not due to
	// the mean function.
	Share Float `json:"share"`
	// Collapsed marks a unit whose samples are constant or follow its mean function.
	Collapsed bool `json:"collapsed"`
	// Curves holds several joint draws of the function along Grid, [C][G]. It is nil if no input is
	// numeric.
	Curves []Rounded `json:"curves"`
}
