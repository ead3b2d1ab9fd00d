package family

// WithoutValidation adds defaults that disable the validation split to a family's defaults for
// training settings. source gives their source.
func WithoutValidation(training map[string]Default, source string) map[string]Default {
	if training == nil {
		training = map[string]Default{}
	}
	training["validation"] = Default{Value: "0", Source: source}
	training["early_stopping"] = Default{Value: "off", Source: source}
	return training
}

// OneLayer explains why single-layer families use no validation split.
const OneLayer = "single-layer models train on all points, like the sparse GP of Lindinger et al. 2020 " +
	"(appendix G); deep models hold out a tenth"
