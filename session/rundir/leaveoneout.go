package rundir

import (
	"fmt"
	"strconv"
)

// LeaveOneOut holds the scores of training targets, each predicted from all other training points.
// Samples is the number of posterior draws.
type LeaveOneOut struct {
	Metrics
	// Of is the number of training points; it exceeds N if a sample of them was predicted.
	Of int `json:"of"`
	// Exact is true for predictions in closed form. Otherwise they are importance-weighted averages over
	// posterior draws: LargestK is the largest shape of the tail of the weights of a point, and
	// Unreliable the number of points whose shape exceeds Reliable.
	Exact      bool    `json:"exact"`
	Reliable   *Number `json:"reliable_k,omitempty"`
	LargestK   *Number `json:"largest_k,omitempty"`
	Unreliable int     `json:"unreliable"`
}

// Method describes how the predictions were computed, in a few words.
func (l *LeaveOneOut) Method() string {
	if l.Exact {
		return "in closed form"
	}
	return "by importance sampling from " + strconv.Itoa(l.Samples) + " draws"
}

// Warning describes unreliable predictions in one line, or is "" if there are none.
func (l *LeaveOneOut) Warning() string {
	if l == nil || l.Unreliable == 0 || l.Reliable == nil {
		return ""
	}
	return fmt.Sprintf("%d of %d leave-one-out predictions are unreliable: k-hat of their importance "+
		"weights exceeds %.2f", l.Unreliable, l.N, float64(*l.Reliable))
}
