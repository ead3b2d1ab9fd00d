package probe

import (
	"math"

	"dgplab/models/stats"
)

// Criterion chooses the next inputs of an experiment.
type Criterion string

const (
	// ALM chooses the largest variance (MacKay, "Information-Based Objective Functions for Active Data
	// Selection", 1992).
	ALM Criterion = "alm"
	// ALC chooses the largest reduction of the mean variance over the candidates (Cohn, "Neural Network
	// Exploration Using Optimal Experiment Design", 1994).
	ALC Criterion = "alc"
	// IMSE chooses the largest reduction of the variance integrated over the box of the training inputs
	// (Sacks, Welch, Mitchell, Wynn, "Design and Analysis of Computer Experiments", 1989).
	IMSE Criterion = "imse"
	// EI chooses the largest expected improvement on the best mean (Jones, Schonlau, Welch, "Efficient
	// Global Optimization of Expensive Black-Box Functions", 1998, eq. 15).
	EI Criterion = "ei"
)

// Criteria lists all criteria.
var Criteria = []Criterion{ALM, ALC, IMSE, EI}

// design chooses candidates one after the other. All functions are Gaussian and standardised.
type design struct {
	criterion  Criterion
	candidates int
	// references are the points whose mean variance ALC and IMSE reduce.
	references []int
	// mean and covariance are the moments of each function at n points, [P][n] and [P][n*n], the
	// candidates first. covariance is overwritten. noise is the noise variance of each function.
	mean, covariance [][]float64
	noise            []float64
	// independent is set if covariance holds variances alone, [P][n].
	independent bool
	// best is the lowest mean, or the highest with maximise, for EI.
	best     float64
	maximise bool
	taken    []bool
}

// next takes the candidate with the largest criterion, the first of equal ones, and conditions the
// covariances on an observation there. For EI the observation is assumed to equal its mean (Ginsbourger,
// Le Riche, Carraro, "Kriging Is Well-Suited to Parallelize Optimization", 2010, section 4.1).
func (d *design) next() (candidate int, score float64) {
	if d.taken == nil {
		d.taken = make([]bool, d.candidates)
	}
	candidate, score = -1, math.Inf(-1)
	for i, taken := range d.taken {
		if taken {
			continue
		}
		if s := d.score(i); candidate < 0 || s > score {
			candidate, score = i, s
		}
	}
	d.taken[candidate] = true
	if d.criterion == EI && d.improvement(candidate) > 0 {
		d.best = d.mean[0][candidate]
	}
	if !d.independent {
		d.condition(candidate)
	}
	return candidate, score
}

// score returns the criterion of a candidate, summed over the functions.
func (d *design) score(i int) (sum float64) {
	if d.criterion == EI {
		return d.expectedImprovement(i)
	}
	for k := range d.covariance {
		v := d.variance(k, i)
		if d.criterion == ALM {
			sum += v
			continue
		}
		row := d.row(k, i)
		var reduced float64
		for _, r := range d.references {
			reduced += row[r] * row[r]
		}
		if total := v + d.noise[k]; total > 0 {
			sum += reduced / total / float64(len(d.references))
		}
	}
	return sum
}

// row returns the covariances of point i with all points under function k.
func (d *design) row(k, i int) []float64 {
	n := len(d.mean[k])
	return d.covariance[k][i*n : (i+1)*n]
}

// variance returns the variance of function k at point i, at least 0.
func (d *design) variance(k, i int) float64 {
	if d.independent {
		return max(d.covariance[k][i], 0)
	}
	return max(d.row(k, i)[i], 0)
}

// improvement returns the amount by which the mean of a candidate is better than the best.
func (d *design) improvement(i int) float64 {
	if d.maximise {
		return d.mean[0][i] - d.best
	}
	return d.best - d.mean[0][i]
}

// expectedImprovement returns E max(0, improvement) of a candidate.
func (d *design) expectedImprovement(i int) float64 {
	better := d.improvement(i)
	sd := math.Sqrt(d.variance(0, i))
	if sd == 0 {
		return max(better, 0)
	}
	z := better / sd
	return better*stats.CDF(z) + sd*math.Exp(stats.LogPDF(z, 0, 1))
}

// condition replaces the covariances by the covariances given an observation at point i.
func (d *design) condition(i int) {
	done := make(map[*float64]bool) // Functions can share a covariance.
	for k, c := range d.covariance {
		if done[&c[0]] {
			continue
		}
		done[&c[0]] = true
		n := len(d.mean[k])
		total := d.variance(k, i) + d.noise[k]
		if total <= 0 {
			continue
		}
		own := make([]float64, n)
		copy(own, d.row(k, i))
		for a, v := range own {
			for b, w := range own {
				c[a*n+b] -= v * w / total
			}
		}
	}
}
