package family

// ConvergenceHyperparameters returns the convergence tolerances of infer.LBFGS; see
// infer.Tolerances.
func ConvergenceHyperparameters() []Hyperparameter {
	return []Hyperparameter{
		{Name: "tolerance", Section: InferenceSection, First: true, Kind: Float, Default: "1e-5", Min: 1e-12,
			Max:  1,
			Help: "convergence threshold on the largest gradient entry, relative to the objective"},
		{Name: "ftol", Section: InferenceSection, Kind: Float, Default: "2.2e-9", Min: 0, Max: 1,
			Source: "SciPy's L-BFGS-B: 1e7 times machine epsilon",
			Help:   "convergence threshold on the relative increase of the objective per step; 0: none"},
	}
}
