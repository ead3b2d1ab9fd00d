package linalg

import (
	"fmt"
	"math"
)

// The ladder of relative jitters that a matrix climbs until it is positive
// definite: decades of its mean diagonal.
const (
	firstJitter = 1e-6
	lastJitter  = 1e-2
)

// Jitter is the state of one climb: what is added to a diagonal, and how often
// it had to grow. The zero value adds nothing.
type Jitter struct {
	// Rescues counts the rungs climbed.
	Rescues  int
	relative float64
	mean     float64
}

// Amount returns what is to be added to the diagonal.
func (j *Jitter) Amount() float64 { return j.relative * j.mean }

// Climb takes the next rung for the n x n matrix a that turned out not to be
// positive definite. The error is a *NaNError when a is not finite, and a
// *NotPositiveDefiniteError at the end of the ladder.
func (j *Jitter) Climb(a []float64, n int, place string) error {
	if j.relative == 0 {
		var sum float64
		for i := 0; i < n; i++ {
			for _, v := range a[i*n : i*n+i+1] {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					return &NaNError{Matrix: place, Step: -1}
				}
			}
			sum += a[i*n+i]
		}
		j.mean = math.Abs(sum) / float64(n)
		j.relative = firstJitter / 10
	}
	if j.relative > lastJitter/2 || j.mean == 0 {
		return &NotPositiveDefiniteError{Matrix: place, Step: -1, Jitter: j.relative}
	}
	j.relative *= 10
	j.Rescues++
	return nil
}

// NaNError reports a matrix that holds NaN or Inf: no jitter can help it.
type NaNError struct {
	// Matrix names it, for example "K_MM of layer 2".
	Matrix string
	// Step is the training step, or -1 where there is none.
	Step int
}

func (e *NaNError) Error() string {
	return fmt.Sprintf("%s%s holds NaN or Inf; lower the learning rate or check the data",
		stepPrefix(e.Step), e.Matrix)
}

func stepPrefix(step int) string {
	if step < 0 {
		return ""
	}
	return fmt.Sprintf("step %d: ", step)
}
