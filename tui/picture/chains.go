package picture

import (
	"fmt"
	"slices"

	"dgplab/models/view"
	"dgplab/viz/axes"
	"dgplab/viz/calibration"
	"dgplab/viz/curves"
	"dgplab/viz/points"
)

// chainName names a chain, counted from 0.
func chainName(chain int) string { return fmt.Sprintf("chain %d", chain+1) }

// Trace is the draws of a quantity, chain by chain, in the order in which they were kept.
func Trace(q *view.ChainQuantity) curves.Curve {
	c := curves.Curve{X: axes.Draws}
	for chain, draws := range q.Kept.Draws {
		s := curves.Series{Label: chainName(chain), Run: chain, Y: draws, Exact: true}
		for i := range draws {
			s.X = append(s.X, float64((i+1)*q.Kept.Every))
		}
		c.Series = append(c.Series, s)
	}
	return c
}

// Autocorrelation is that of the draws of a quantity, by chain.
func Autocorrelation(q *view.ChainQuantity) curves.Curve {
	c := curves.Curve{X: axes.Lags}
	for chain, rho := range q.Kept.Autocorrelation {
		c.Series = append(c.Series, curves.Series{Label: chainName(chain), Run: chain, Y: rho, Exact: true})
	}
	return c
}

// Ranks are histograms of the ranks of the draws of a quantity, one for each chain.
func Ranks(q *view.ChainQuantity) (list []calibration.Bars) {
	for chain, counts := range q.Kept.Ranks {
		b := calibration.RankBars(counts)
		b.Label, b.Run = chainName(chain), chain
		list = append(list, b)
	}
	return list
}

// marginalBins is the number of bins of a marginal histogram.
const marginalBins = 30

// Marginal is the histogram of the draws of a quantity, those of all chains together, with
// the Gaussian that has their mean and standard deviation.
func Marginal(q *view.ChainQuantity) calibration.Bars {
	var all []float64
	for _, draws := range q.Kept.Draws {
		all = append(all, draws...)
	}
	b := calibration.Histogram(all, min(marginalBins, max(len(all)/8, 4)), float64(q.Mean), float64(q.SD))
	b.XName = q.Name
	return b
}

// Pair is the draws of two quantities of the same chains against each other.
func Pair(a, b *view.ChainQuantity) points.Scatter {
	s := points.Scatter{XName: a.Name, YName: b.Name}
	for chain, draws := range a.Kept.Draws {
		s.Clouds = append(s.Clouds, points.Cloud{
			Label: chainName(chain),
			Run:   chain,
			X:     draws,
			Y:     b.Kept.Draws[chain],
		})
	}
	return s
}

// LeastP is the least p-value that is told from others: how far one lies in the tail says
// nothing.
const LeastP = 1e-16

// Normality is the p-values of tests that quantities are Gaussian, corrected for their
// number, in the order of the quantities: those that are rejected and the others.
func Normality(c *view.Chains) points.Scatter {
	s := points.Scatter{XName: "quantity", YName: "corrected p-value", LogY: true,
		Clouds: []points.Cloud{{Label: fmt.Sprintf("not below %g", view.NormalityLevel)}, {Label: "rejected",
			Run: 1}}}
	for i, p := range c.Corrected() {
		if p != p {
			continue
		}
		of := &s.Clouds[0]
		if p < view.NormalityLevel {
			of = &s.Clouds[1]
		}
		of.X = append(of.X, float64(i+1))
		of.Y = append(of.Y, max(p, LeastP))
	}
	s.Clouds = slices.DeleteFunc(s.Clouds, func(c points.Cloud) bool { return len(c.X) == 0 })
	return s
}

// MixingText says in a line how well chains have sampled.
func MixingText(s *view.ChainsSummary) string {
	text := fmt.Sprintf("%d with %d draws each", s.Chains, s.Draws)
	if s.Tested == 0 {
		return text
	}
	return fmt.Sprintf("%s; R-hat up to %.3f (%s), effective sizes from %d (bulk) and %d (tail) on; %d of "+
		"%d beyond R-hat %g or size %d",
		text, float64(s.Rhat), s.Worst, int(s.ESSBulk), int(s.ESSTail), s.Unmixed, s.Tested,
		view.MaxRhat, view.MinESS)
}

// NormalityText says what came of tests that quantities of a kind are Gaussian.
func NormalityText(n view.Normality) string {
	kind := string(n.Kind)
	if n.Tested != 1 {
		kind += "s"
	}
	return fmt.Sprintf("%d of %d %s rejected", n.Rejected, n.Tested, kind)
}
