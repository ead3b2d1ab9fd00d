package family

// PredictionSize returns the approximate numbers of points, and of points times samples, in the
// cached predictions of a run on n training points. Models that record predictions on a tape cache
// one recording per shape, so each shape counts once: predictions along the inputs, at training
// rows, and for the validation and test sets. For small data these recordings dominate the memory
// of a run.
func PredictionSize(n int) (points, columns float64) {
	const (
		// Slices and training rows: chunks of 256 points with 16 samples, plus the remainder.
		// Columns count the chunks of the partial dependence as well.
		slicePoints, alongColumns = 650, 12000
		// The partial dependence has some 42 points per training row, in chunks of 1,024 points
		// with 4 samples, plus the remainder.
		perRow, dependencePoints = 42, 1400
		// The validation and test sets each have a ninth of the points and use a hundred samples,
		// with a limit on the columns per chunk.
		share, draws, most = 1. / 9, 100, 4096
	)
	part := share * float64(n)
	alongPoints := slicePoints + min(perRow*float64(n), dependencePoints)
	return alongPoints + 2*min(part, most/draws), alongColumns + 2*min(part*draws, most)
}
