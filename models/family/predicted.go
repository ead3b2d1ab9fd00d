package family

// PredictionSize returns about how many points, and points times draws, the predictions of a
// run have, counted once for each shape in which it asks for them: along the inputs, over
// training rows, of the validation and of the test part of n training points. A model
// that records its predictions keeps a record of each shape, and a run's memory is mostly
// these where the data are small.
func PredictionSize(n int) (points, columns float64) {
	const (
		// Chunks of 256 points of 16 draws, and of 1,024 points of 4 draws, with what is
		// left over of each.
		alongPoints, alongColumns = 2000, 12000
		// The validation and the test part have a ninth of the points each, with a
		// hundred draws, and at most so many in a chunk.
		share, draws, most = 1. / 9, 100, 4096
	)
	part := share * float64(n)
	return alongPoints + 2*min(part, most/draws), alongColumns + 2*min(part*draws, most)
}
