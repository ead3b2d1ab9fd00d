package family

// WithoutValidation adds to a family's defaults of the settings of training that nothing is
// held out for validation, and why.
func WithoutValidation(training map[string]Default, source string) map[string]Default {
	if training == nil {
		training = map[string]Default{}
	}
	training["validation"] = Default{Value: "0", Source: source}
	training["early_stopping"] = Default{Value: "off", Source: source}
	return training
}

// OneLayer is why families of one layer hold nothing out.
const OneLayer = "one layer is trained on all points, as the sparse GP of Lindinger et al. 2020 (appendix " +
	"G); deep models hold a tenth out"
