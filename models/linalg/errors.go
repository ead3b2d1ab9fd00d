package linalg

import "fmt"

// NotPositiveDefiniteError reports a matrix that is not positive definite even with the largest
// allowed jitter.
type NotPositiveDefiniteError struct {
	// Matrix names the matrix, for example "K_MM of layer 2".
	Matrix string
	// Step is the training step, or -1 if there is none.
	Step int
	// Jitter is the last jitter tried, relative to the mean diagonal.
	Jitter float64
}

func (e *NotPositiveDefiniteError) Error() string {
	return fmt.Sprintf("%s%s is not positive definite, even with jitter %.0e of its mean diagonal; "+
		"lower the learning rate, use fewer inducing points or check for constant or repeated inputs",
		stepPrefix(e.Step), e.Matrix, e.Jitter)
}
