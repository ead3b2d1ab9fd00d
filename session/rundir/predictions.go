package rundir

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Predictions holds the predictions for the points of a test set in original units. Arrays of
// length N*P are row-major, one row per point.
type Predictions struct {
	// N is the number of points, and P is the number of targets. Of is the number of points in the test set.
	// It exceeds N if the points were thinned to save memory.
	N, P, Of int
	// Names holds the names of the targets, [P].
	Names []string
	// Rows holds the row numbers in the data set, [N], ascending.
	Rows []int
	// LogLik holds the joint log predictive density of all targets of a point, or the log probability of its
	// class, [N].
	LogLik []float64
	// LogLikByTarget holds the log predictive density of each target, or NaN if it was not
	// observed, [N*P]. It is nil with a single target.
	LogLikByTarget []float64
	// Distance holds the Euclidean distance from each point to the nearest training input in
	// standardised inputs, [N]. It is measured to Near of the Training inputs. If Near is less than
	// Training, these are a seeded sample and the distance is an upper bound. Inputs at which no
	// tested target was observed do not count.
	Distance       []float64
	Near, Training int
	// Classes holds the names of the classes in the order of their codes. It is nil for real
	// targets.
	Classes []string
	// Target holds the observed targets, [N*P]: -1 or +1 for two classes, the class index from 0
	// for more.
	Target []float64
	// Mean and Variance hold the moments of the predictive mixture including noise, and PIT holds
	// its distribution function at the target, [N*P]. They are nil for classes.
	Mean, Variance, PIT []float64
	// Probability holds the probability of class +1, [N], or of each of K > 2 classes, [N*K]. It is
	// nil for real targets.
	Probability []float64
}

// IsClassification reports whether the targets are classes.
func (p *Predictions) IsClassification() bool { return p.Probability != nil }

// Columns returns the number of probabilities per point: 1 for two classes, K for more.
func (p *Predictions) Columns() int {
	if len(p.Classes) > 2 {
		return len(p.Classes)
	}
	return 1
}

// Probabilities returns the probabilities of all classes at point i. It reuses dst if it is large
// enough.
func (p *Predictions) Probabilities(dst []float64, i int) []float64 {
	k := p.Columns()
	if k == 1 {
		return append(dst[:0], 1-p.Probability[i], p.Probability[i])
	}
	return append(dst[:0], p.Probability[i*k:(i+1)*k]...)
}

// ClassOf returns the index of the observed class of point i. It returns false if the class is
// missing.
func (p *Predictions) ClassOf(i int) (int, bool) {
	y := p.Target[i]
	switch {
	case math.IsNaN(y):
		return 0, false
	case p.Columns() > 1:
		return int(y), true
	case y > 0:
		return 1, true
	}
	return 0, true
}

// Tested returns the indices of the targets observed in the test set, because a split or a table may lack
// some. If no target was observed, it returns the index of the first one.
func (p *Predictions) Tested() []int {
	var list []int
	for j := range p.P {
		for i := j; i < len(p.Target); i += p.P {
			if !math.IsNaN(p.Target[i]) {
				list = append(list, j)
				break
			}
		}
	}
	if list == nil {
		return []int{0}
	}
	return list
}

// Thin returns at most the given number of points, evenly spread over the rows, or p itself if it has no more
// points. Otherwise the result shares only names with p.
func (p *Predictions) Thin(most int) *Predictions {
	if p == nil || p.N <= most {
		return p
	}
	out := *p
	out.N, out.Rows = most, make([]int, most)
	for i := range out.Rows {
		out.Rows[i] = p.Rows[i*p.N/most]
	}
	of := func(values []float64, width int) []float64 {
		if values == nil {
			return nil
		}
		kept := make([]float64, 0, most*width)
		for i := range most {
			k := i * p.N / most * width
			kept = append(kept, values[k:k+width]...)
		}
		return kept
	}
	out.LogLik = of(p.LogLik, 1)
	out.Distance = of(p.Distance, 1)
	out.Probability = of(p.Probability, p.Columns())
	out.Target = of(p.Target, p.P)
	out.Mean = of(p.Mean, p.P)
	out.Variance = of(p.Variance, p.P)
	out.PIT = of(p.PIT, p.P)
	out.LogLikByTarget = of(p.LogLikByTarget, p.P)
	return &out
}

// ErrorsInSD returns the absolute errors of the predictive means in predicted standard deviations, of all
// observed targets. It returns nil for classes.
func (p *Predictions) ErrorsInSD() (list []float64) {
	for k, mean := range p.Mean {
		z := math.Abs(p.Target[k]-mean) / math.Sqrt(p.Variance[k])
		if !math.IsNaN(z) {
			list = append(list, z)
		}
	}
	return list
}

// The worst points dominate the mean log-likelihood if it rises without them by more than worstFloor nats and
// by more than a third of its distance from the highest log-likelihood.
const (
	worstCount = 5
	worstFloor = 0.5
)

// WorstPoints are the test points with the lowest log-likelihoods, lowest first.
type WorstPoints struct {
	// Rows holds their row numbers in the data set, and LogLik their log-likelihoods.
	Rows   []int    `json:"rows"`
	LogLik []Number `json:"log_lik"`
	// Rest is the mean log-likelihood of the other points.
	Rest Number `json:"rest_log_lik"`
}

// Dominating returns the worst five points if they dominate the mean log-likelihood, and nil otherwise or if
// there are fewer than 20 points.
func (p *Predictions) Dominating() *WorstPoints {
	if p.N < 4*worstCount {
		return nil
	}
	order := make([]int, p.N)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(p.LogLik[i], p.LogLik[j]) })
	w := new(WorstPoints)
	worst, rest := 0.0, 0.0
	for k, i := range order {
		if k >= worstCount {
			rest += p.LogLik[i]
			continue
		}
		worst += p.LogLik[i]
		w.Rows = append(w.Rows, p.Rows[i])
		w.LogLik = append(w.LogLik, Number(p.LogLik[i]))
	}
	mean := (worst + rest) / float64(p.N)
	rest /= float64(p.N - worstCount)
	w.Rest = Number(rest)
	highest := p.LogLik[order[p.N-1]]
	if rest-mean <= max(worstFloor, (highest-mean)/3) {
		return nil
	}
	return w
}

// Text lists the points, such as "row 12: -310.2, row 7: -45.1; -2.134 without them".
func (w *WorstPoints) Text() string {
	var list []string
	for k, row := range w.Rows {
		list = append(list, fmt.Sprintf("row %d: %s", row, Nats(w.LogLik[k])))
	}
	return fmt.Sprintf("%s; %s without them", strings.Join(list, ", "), Nats(w.Rest))
}

// Nats formats a log-likelihood with four digits, or as a whole number if it is large.
func Nats(x Number) string {
	if math.Abs(float64(x)) >= 1000 {
		return fmt.Sprintf("%.0f", float64(x))
	}
	return fmt.Sprintf("%.4g", float64(x))
}
