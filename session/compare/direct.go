package compare

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"dgplab/models/stats"
	"dgplab/session/rundir"
)

// Pair compares runs A and B on the same test points.
type Pair struct {
	// A and B are the IDs of the runs.
	A     string `json:"a"`
	B     string `json:"b"`
	Split string `json:"split"`
	// Points is the number of compared points. Of is the number of points in the test set, which is
	// larger if the stored predictions are a subset.
	Points int `json:"points"`
	Of     int `json:"-"`
	// Share is the fraction of points at which A has the higher log-likelihood, where a tie counts as half.
	// It is NaN if any log-likelihood is NaN. Difference is the mean log-likelihood of A minus that of B, and
	// DifferenceSE is its standard error over points.
	Share        rundir.Number `json:"share"`
	Difference   rundir.Number `json:"difference"`
	DifferenceSE rundir.Number `json:"-"`
	// Distances are means over points and targets.
	Distances
	// Tests are computed from the differences over points.
	Tests `json:"-"`
	// Ratio is the test/train ratio of the split; see the function Ratio.
	Ratio float64 `json:"-"`

	block string
}

// Distances holds the distances between predictive distributions, approximated by Gaussians with the same
// moments. They are NaN for classes.
type Distances struct {
	// KL is the Kullback-Leibler divergence KL(A||B) in nats: the expected log density ratio of A to B under
	// A.
	KL rundir.Number `json:"kl"`
	// Wasserstein is the 1-Wasserstein distance between A and B, in units of the target.
	Wasserstein rundir.Number `json:"wasserstein"`
}

// PointDistances returns the distances between predictions at each of the same points, as means over
// targets, [N]. It returns nil for classes.
func PointDistances(a, b *rundir.Predictions) []Distances {
	if a.Mean == nil || b.Mean == nil {
		return nil
	}
	list := make([]Distances, a.N)
	x := a.Tested()
	y := b.Tested()
	for i := range list {
		d := &list[i]
		for k, j := range x {
			at := i*a.P + j
			other := i*b.P + y[k]
			off := a.Mean[at] - b.Mean[other]
			ratio := a.Variance[at] / b.Variance[other]
			d.KL += rundir.Number(0.5 * (ratio - 1 - math.Log(ratio) + off*off/b.Variance[other]))
			// The optimal coupling of two Gaussians moves x by an affine map.
			spread := math.Abs(math.Sqrt(a.Variance[at]) - math.Sqrt(b.Variance[other]))
			d.Wasserstein += rundir.Number(stats.MeanAbs(off, spread))
		}
		d.KL /= rundir.Number(len(x))
		d.Wasserstein /= rundir.Number(len(x))
	}
	return list
}

// distances returns the mean distances between predictions for the same points.
func distances(a, b *rundir.Predictions) Distances {
	list := PointDistances(a, b)
	if list == nil {
		return Distances{nan, nan}
	}
	var d Distances
	for _, one := range list {
		d.KL += one.KL
		d.Wasserstein += one.Wasserstein
	}
	d.KL /= rundir.Number(len(list))
	d.Wasserstein /= rundir.Number(len(list))
	return d
}

// Tests holds the results of two tests of differences: Student's t-test (ResampledT over splits) and
// Wilcoxon's signed-rank test, which is not corrected for shared rows.
type Tests struct {
	T         rundir.Number `json:"t"`
	TP        rundir.Number `json:"t_p"`
	WilcoxonP rundir.Number `json:"wilcoxon_p"`
}

func testsOf(differences []float64, ratio float64) Tests {
	t := ResampledT(differences, ratio)
	w := Wilcoxon(differences)
	return Tests{rundir.Number(t.Statistic), rundir.Number(t.P), rundir.Number(w.P)}
}

// Against compares two sets of predictions point by point. It returns an error if their points differ.
func Against(a, b *rundir.Predictions) (Pair, error) {
	if err := samePoints(a, b); err != nil {
		return Pair{}, err
	}
	d := Pair{Points: a.N, Of: a.Of}
	differences := make([]float64, a.N)
	for i, l := range a.LogLik {
		differences[i] = l - b.LogLik[i]
		switch {
		case l > b.LogLik[i]:
			d.Share++
		case l == b.LogLik[i]:
			d.Share += 0.5
			differences[i] = 0 // also if both are infinite
		case math.IsNaN(differences[i]):
			d.Share = nan
		}
	}
	d.Share /= rundir.Number(a.N)
	d.Tests = testsOf(differences, 0)
	d.Distances = distances(a, b)
	s := ScoreOf([][]float64{differences})
	d.Difference, d.DifferenceSE = s.Mean, s.SE
	return d, nil
}

// samePoints returns an error unless both sets of predictions have the same rows and, up to rounding, the
// same test targets. A model may have additional targets.
func samePoints(a, b *rundir.Predictions) error {
	x := a.Tested()
	y := b.Tested()
	if a.N == 0 || b.N == 0 {
		return errors.New("no test points")
	}
	if a.N != b.N || len(x) != len(y) || a.IsClassification() != b.IsClassification() ||
		!slices.Equal(a.Rows, b.Rows) {
		return fmt.Errorf("different test points: %d with %d targets and %d with %d",
			a.N, len(x), b.N, len(y))
	}
	for k, j := range x {
		if err := sameTarget(a, b, j, y[k]); err != nil {
			return err
		}
	}
	return nil
}

// sameTarget returns an error unless target j of a equals target k of b.
func sameTarget(a, b *rundir.Predictions, j, k int) error {
	if a.Names[j] != b.Names[k] {
		return fmt.Errorf("different targets: %s and %s", a.Names[j], b.Names[k])
	}
	size := 0.0
	for i := range a.N {
		if y := a.Target[i*a.P+j]; !math.IsNaN(y) {
			size = math.Max(size, math.Abs(y))
		}
	}
	for i := range a.N {
		x, y := a.Target[i*a.P+j], b.Target[i*b.P+k]
		missing := math.IsNaN(x) && math.IsNaN(y)
		if !missing && !(math.Abs(x-y) <= 1e-9*size) {
			return fmt.Errorf("different test points: the targets of row %d are %v and %v", a.Rows[i], x, y)
		}
	}
	return nil
}

// Comparison is the direct comparison of A and B on a data set, as in tables 2 and S4 of Lindinger
// et al., 2020, arXiv:2005.11110.
type Comparison struct {
	Dataset string `json:"dataset"`
	// A and B are the labels of the methods.
	A string `json:"a"`
	B string `json:"b"`
	// N is the sample size of means, standard errors and tests. Over is the sampling unit: splits (averaged
	// over their seeds), seeds of one split, or the points of a single pair.
	N    int  `json:"n"`
	Over Over `json:"over"`
	// Share and Difference are defined as in Pair. A single pair has no ShareSE.
	Share        rundir.Number `json:"share"`
	ShareSE      rundir.Number `json:"share_se"`
	Difference   rundir.Number `json:"difference"`
	DifferenceSE rundir.Number `json:"difference_se"`
	// Distances are means over splits or seeds.
	Distances
	// Tests holds the tests of the difference. HolmP is the p-value of the t-test, corrected for the
	// comparisons reported together; see Together.
	Tests
	HolmP rundir.Number `json:"t_p_holm"`
	// Ratio is the test/train ratio in the correction of the t-test, or 0 without correction.
	Ratio float64 `json:"test_train_ratio"`
	// Single is set if there is only one pair, with one split and one seed. The verdict is then
	// always "~".
	Single bool `json:"single"`
	// Verdict is "A" or "B" if that method has the significantly higher log-likelihood, by HolmP, and "~"
	// otherwise. Remark names a limitation of the verdict, or is "".
	Verdict string `json:"verdict"`
	Remark  string `json:"remark,omitempty"`
	// Inconclusive is "A", "B" or "A and B" if runs of these methods had not settled when training ended, and
	// "" otherwise. If it is set, the verdict is "~".
	Inconclusive string `json:"inconclusive,omitempty"`
	// Decaying is "A", "B" or "A and B" if the learning rate of runs of these methods has yet to fall, and ""
	// otherwise. The final scores of these runs are expected to be higher. They are inconclusive.
	Decaying string `json:"decaying,omitempty"`
	Pairs    []Pair `json:"duels"`
}

// Limitations of verdicts.
const (
	singleRemark  = "one split, one seed: no verdict"
	seedsRemark   = "training noise only: one split"
	unknownRemark = "optimistic: not corrected for rows shared by splits"
)

// Direct combines pairs into a comparison.
func Direct(pairs []Pair) Comparison {
	c := Comparison{Pairs: pairs, Verdict: "~", Single: len(pairs) == 1, HolmP: nan}
	if c.Single {
		d := pairs[0]
		c.Over = OverPoints
		c.N = d.Points
		c.Tests = d.Tests
		c.Remark = singleRemark
		c.Share = d.Share
		c.ShareSE = nan
		c.Difference = d.Difference
		c.DifferenceSE = d.DifferenceSE
		c.Distances = d.Distances
		return c
	}
	shares := blockwise(pairs, func(d Pair) rundir.Number { return d.Share })
	differences := blockwise(pairs, func(d Pair) rundir.Number { return d.Difference })
	share := ScoreOf(shares)
	difference := ScoreOf(differences)
	c.N, c.Over = share.N, share.Over
	c.KL = ScoreOf(blockwise(pairs, func(d Pair) rundir.Number { return d.KL })).Mean
	c.Wasserstein = ScoreOf(blockwise(pairs, func(d Pair) rundir.Number { return d.Wasserstein })).Mean
	c.Share, c.ShareSE = share.Mean, share.SE
	c.Difference, c.DifferenceSE = difference.Mean, difference.SE
	switch c.Over {
	case OverSplits:
		c.Ratio = pairsRatio(pairs)
		if c.Ratio == 0 {
			c.Remark = unknownRemark
		}
	case OverSeeds:
		c.Remark = seedsRemark
	}
	c.Tests = testsOf(perBlock(differences), c.Ratio)
	c.decide(float64(c.TP))
	return c
}

// pairsRatio returns the mean test/train ratio over splits.
func pairsRatio(pairs []Pair) float64 {
	var list []float64
	seen := map[[2]string]bool{}
	for _, d := range pairs {
		if key := [2]string{d.Split, d.block}; !seen[key] {
			seen[key] = true
			list = append(list, d.Ratio)
		}
	}
	return meanRatio(list)
}

// decide sets the adjusted p-value and the resulting verdict. The verdict is "~" if runs of a method had not
// settled.
func (c *Comparison) decide(p float64) {
	c.HolmP, c.Verdict = rundir.Number(p), "~"
	switch {
	case c.Inconclusive != "":
	case p < Alpha && c.Difference > 0:
		c.Verdict = "A"
	case p < Alpha && c.Difference < 0:
		c.Verdict = "B"
	}
}

// Together sets the verdicts of comparisons that are reported together, with Holm's correction. Comparisons
// with a single pair get no verdict and are not counted.
func Together(list []*Comparison) {
	p := make([]float64, len(list))
	for i, c := range list {
		p[i] = float64(c.TP)
		if c.Single {
			p[i] = math.NaN()
		}
	}
	for i, adjusted := range Holm(p) {
		list[i].decide(adjusted)
	}
}

// blockwise returns one value per pair, grouped by test points.
func blockwise(pairs []Pair, value func(Pair) rundir.Number) [][]float64 {
	return Grouped(pairs, func(d Pair) ([2]string, float64, bool) {
		return [2]string{d.Split, d.block}, float64(value(d)), true
	})
}
