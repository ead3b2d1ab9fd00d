package family

// ConvergenceHyperparameters returns the convergence tolerances of infer.LBFGS; see
// infer.Tolerances.
func ConvergenceHyperparameters() []Hyperparameter {
	return []Hyperparameter{
		{Name: "tolerance", Section: InferenceSection, First: true, Kind: Float, Default: "1e-5", Min: 1e-12,
			Max: 1,
			Help: "largest entry of the gradient, relative to the objective, at which training has " +
				"converged"},
		{Name: "ftol", Section: InferenceSection, Kind: Float, Default: "2.2e-9", Min: 0, Max: 1,
			Source: "SciPy's L-BFGS-B: 1e7 times the distance from 1 to the next number",
			Help: "rise of the objective in a step, relative to it, at which training has converged too; " +
				"0 for none"},
	}
}
