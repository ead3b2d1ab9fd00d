package linalg

import (
	"fmt"
	"math"
)

// Jitters of the ladder, relative to the mean diagonal. The jitter rises by factors of ten until
// the matrix is positive definite.
const (
	firstJitter = 1e-6
	lastJitter  = 1e-2
)

// Jitter is the state of a jitter ladder: the amount to add to a diagonal and the number of
// increases. The zero value adds nothing.
type Jitter struct {
	// Rescues is the number of increases.
	Rescues  int
	relative float64
	mean     float64
}

// Amount returns the amount to add to the diagonal.
func (j *Jitter) Amount() float64 { return j.relative * j.mean }

// Increase raises the jitter for the n x n matrix a, which was not positive definite. It returns a
// *NaNError if a is not finite, and a *NotPositiveDefiniteError at the end of the ladder.
func (j *Jitter) Increase(a []float64, n int, matrix string) error {
	if j.relative == 0 {
		var sum float64
		for i := 0; i < n; i++ {
			for _, v := range a[i*n : i*n+i+1] {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					return &NaNError{Matrix: matrix, Step: -1}
				}
			}
			sum += a[i*n+i]
		}
		j.mean = math.Abs(sum) / float64(n)
		j.relative = firstJitter / 10
	}
	if j.relative > lastJitter/2 || j.mean == 0 {
		return &NotPositiveDefiniteError{Matrix: matrix, Step: -1, Jitter: j.relative}
	}
	j.relative *= 10
	j.Rescues++
	return nil
}

// NaNError reports a matrix that contains NaN or Inf, for which jitter is no remedy.
type NaNError struct {
	// Matrix names the matrix, for example "K_MM of layer 2".
	Matrix string
	// Step is the training step, or -1 if there is none.
	Step int
}

func (e *NaNError) Error() string {
	return fmt.Sprintf("%s%s contains NaN or Inf; lower the learning rate or check the data",
		stepPrefix(e.Step), e.Matrix)
}

func stepPrefix(step int) string {
	if step < 0 {
		return ""
	}
	return fmt.Sprintf("step %d: ", step)
}
