package compare

import (
	"fmt"
	"math"
	"slices"

	"dgplab/session/rundir"
)

// Pair is A against B on the same test points.
type Pair struct {
	// A and B are the IDs of the runs.
	A     string `json:"a"`
	B     string `json:"b"`
	Split string `json:"split"`
	// Points counts test points, Of those of the test part: more where a set of
	// predictions was thinned.
	Points int `json:"points"`
	Of     int `json:"-"`
	// Share is that of points where A has the higher log-likelihood; equal ones
	// count half, and it is NaN where one of them is. Difference is the mean of A's
	// log-likelihood less B's, and DifferenceSE its standard error over points.
	Share        rundir.Number `json:"share"`
	Difference   rundir.Number `json:"difference"`
	DifferenceSE rundir.Number `json:"-"`
	// Tests are of the differences over points.
	Tests `json:"-"`
	// Ratio is that of the split; see Ratio.
	Ratio float64 `json:"-"`

	block string
}

// Tests are both tests of some differences: Student's t with its probability, by
// ResampledT over splits, and that of Wilcoxon's test, which knows no such correction.
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

// Against compares two sets of predictions point by point. It is an error if
// they are not of the same points.
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
			differences[i] = 0 // also where both are infinite
		case math.IsNaN(differences[i]):
			d.Share = nan
		}
	}
	d.Share /= rundir.Number(a.N)
	d.Tests = testsOf(differences, 0)
	s := ScoreOf([][]float64{differences})
	d.Difference, d.DifferenceSE = s.Mean, s.SE
	return d, nil
}

// samePoints returns an error unless two sets of predictions are of the same rows
// and tested targets, up to rounding. A model may have had other targets too.
func samePoints(a, b *rundir.Predictions) error {
	x := a.Tested()
	y := b.Tested()
	if a.N == 0 || b.N == 0 {
		return fmt.Errorf("there are no test points")
	}
	if a.N != b.N || len(x) != len(y) || a.OfClasses() != b.OfClasses() || !slices.Equal(a.Rows, b.Rows) {
		return fmt.Errorf("not the same test points: %d of %d targets and %d of %d", a.N, len(x), b.N, len(y))
	}
	for k, j := range x {
		if err := sameTarget(a, b, j, y[k]); err != nil {
			return err
		}
	}
	return nil
}

// sameTarget returns an error unless target j of a is target k of b.
func sameTarget(a, b *rundir.Predictions, j, k int) error {
	if j < len(a.Names) && k < len(b.Names) && a.Names[j] != b.Names[k] {
		return fmt.Errorf("not the same test points: %s and %s", a.Names[j], b.Names[k])
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
			return fmt.Errorf("not the same test points: the targets of row %d are %v and %v",
				a.Rows[i], x, y)
		}
	}
	return nil
}

// Comparison is the direct comparison of A and B on a data set, as in tables 2
// and S4 of Lindinger et al., 2020, arXiv:2005.11110.
type Comparison struct {
	Dataset string `json:"dataset"`
	// A and B are the labels of the methods.
	A string `json:"a"`
	B string `json:"b"`
	// Over is what means, standard errors and tests are over, and N how many of
	// them: splits (their seeds averaged first), seeds of one split, or the points
	// of one pair.
	N    int  `json:"n"`
	Over Over `json:"over"`
	// Share and Difference are those of Pair; of one pair Share has no standard error.
	Share        rundir.Number `json:"share"`
	ShareSE      rundir.Number `json:"share_se"`
	Difference   rundir.Number `json:"difference"`
	DifferenceSE rundir.Number `json:"difference_se"`
	// Tests are of the difference. HolmP is the probability of the t-test adjusted for the
	// comparisons beside which this one stands; see Together.
	Tests
	HolmP rundir.Number `json:"t_p_holm"`
	// Ratio is the number of test points for each training point that the t-test is
	// corrected by; 0 where it is not.
	Ratio float64 `json:"test_train_ratio"`
	// Single says that there is only one pair: one split, one seed. Its verdict is
	// always "~".
	Single bool `json:"single"`
	// Verdict is "A" or "B", which the t-test, by HolmP, finds to have the higher
	// log-likelihood, or "~". Remark says what it is not about, "" for nothing.
	Verdict string `json:"verdict"`
	Remark  string `json:"remark,omitempty"`
	// Inconclusive names "A", "B" or "A and B", whose runs had not settled when training
	// ended: then the verdict is "~". It is "" if both had.
	Inconclusive string `json:"inconclusive,omitempty"`
	Pairs        []Pair `json:"duels"`
}

// What verdicts are not about.
const (
	singleRemark  = "one split, one seed: no verdict"
	seedsRemark   = "of the noise of training alone: one split"
	unknownRemark = "optimistic: rows that splits have in common are not corrected for"
)

// Direct combines pairs.
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
		return c
	}
	shares := blockwise(pairs, func(d Pair) rundir.Number { return d.Share })
	differences := blockwise(pairs, func(d Pair) rundir.Number { return d.Difference })
	share := ScoreOf(shares)
	difference := ScoreOf(differences)
	c.N, c.Over = share.N, share.Over
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

// pairsRatio returns the mean of Ratio over splits.
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

// decide sets the adjusted probability and the verdict that follows, none where one of
// the methods had not settled.
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

// Together decides comparisons that are looked at together, by Holm's method. Those of
// one pair have no verdict and do not count.
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

// blockwise returns a value of the pairs, those on the same test points together.
func blockwise(pairs []Pair, value func(Pair) rundir.Number) [][]float64 {
	return Grouped(pairs, func(d Pair) ([2]string, float64, bool) {
		return [2]string{d.Split, d.block}, float64(value(d)), true
	})
}
