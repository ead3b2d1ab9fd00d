package board

import (
	"fmt"
	"io"
	"strconv"

	"dgplab/models/view"
	"dgplab/session/rundir"
	"dgplab/tui/report"
	"dgplab/viz"
	"dgplab/viz/chart"
	"dgplab/viz/curves"
	"dgplab/viz/figure"
	"dgplab/viz/plots"
)

// chainsOf finds the draws of Markov chains.
var chainsOf = finderOf(func(v view.Views) *view.Chains { return v.Chains },
	func(c *view.Chains) int { return len(c.Quantities) })

// keptQuantities returns the quantities with kept draws, in the order of decreasing R-hat.
func keptQuantities(b *Board) (list []*view.ChainQuantity) {
	c := chainsOf.in(b)
	if c == nil {
		return nil
	}
	for _, i := range c.WorstFirst() {
		if c.Quantities[i].Kept != nil {
			list = append(list, &c.Quantities[i])
		}
	}
	return list
}

// quantityChoice returns the choice of a quantity. The first choice is the quantity with the largest R-hat.
// The choice follows the name of the quantity if the order by R-hat changes.
func quantityChoice(p *position) *Choice {
	return &Choice{
		name: "quantity", position: p, arrows: anyArrow, named: true,
		Count: func(b *Board) int { return len(keptQuantities(b)) },
		label: func(b *Board, i int) string { return keptQuantities(b)[i].Name },
	}
}

// quantity returns the chosen quantity of the selected run, or nil if there is none.
func (b *Board) quantity(c *Choice) *view.ChainQuantity {
	if list := keptQuantities(b); len(list) > 0 {
		return list[b.Value(c)]
	}
	return nil
}

// chainsPanel completes a panel of the chains of the selected run. shows reports whether there is something
// to show.
func chainsPanel(shows func(b *Board) bool, p Panel) *Panel {
	p.lead = func(b *Board) []string { return []string{b.whichRun()} }
	p.absent = func(b *Board) string { return unless(shows(b), withoutDraws(b)) }
	return modelPanel(chainsOf, "", p)
}

// withoutDraws returns the text of a panel if there are no draws.
func withoutDraws(b *Board) string {
	snap := b.Snapshot()
	switch {
	case !chainsOf.present(b):
		return b.withoutView("this model does not sample")
	case snap != nil && !snap.State.Going():
		return "the run ended during burn-in: no draws were kept"
	}
	return "burn-in: no draws are kept yet"
}

// quantityPanel describes a panel about the draws of one quantity.
type quantityPanel struct {
	name, short, guide string
	chains             int // the minimum number of chains
	// note returns a note for the title. It may be nil.
	note    func(q *view.ChainQuantity) string
	picture func(q *view.ChainQuantity) viz.Picture
	file    string
	// y is the name of the vertical axis of a curve in a file. If it is empty, the name of the quantity is
	// used.
	y string
	// labelled replaces the picture in files, and numbers replaces its CSV. Both may be nil.
	labelled func(q *view.ChainQuantity) viz.Picture
	numbers  func(b *Board) report.Figure
}

// newQuantityPanel returns a panel about the chosen quantity.
func newQuantityPanel(p *position, of quantityPanel) *Panel {
	c := quantityChoice(p)
	c.note = func(b *Board) string {
		return fmt.Sprintf("R-hat %s, %d of %d", rhatText(b.quantity(c).Rhat), b.Value(c)+1, c.Count(b))
	}
	options := func(b *Board) figure.Options {
		q := b.quantity(c)
		o := figure.Options{Title: of.name + ": " + q.Name + ", " + b.diagnosedStep(), Y: q.Name}
		if of.y != "" {
			o.Y = of.y
		}
		return o
	}
	shows := func(b *Board) bool { return b.quantity(c) != nil && chainsOf.in(b).Chains >= of.chains }
	return chainsPanel(shows, Panel{
		Name: of.name, short: of.short, Guide: of.guide,
		Choices: []*Choice{c},
		heading: func(b *Board) (title string, notes []string) {
			q := b.quantity(c)
			if of.note != nil {
				notes = append(notes, of.note(q))
			}
			return of.name + ": " + report.Printable(q.Name),
				append(notes, chainsText(chainsOf.in(b)), b.atStep())
		},
		picture: func(b *Board) viz.Picture { return of.picture(b.quantity(c)) },
		figures: func(b *Board) []report.Figure {
			q := b.quantity(c)
			picture := of.picture(q)
			if of.labelled != nil {
				picture = of.labelled(q)
			}
			file := b.fileOf(of.file, c)
			if of.numbers != nil {
				return []report.Figure{of.numbers(b), {Name: file, Picture: picture, Options: options(b)}}
			}
			return []report.Figure{report.NewFigure(file, picture, options(b))}
		},
	})
}

// newTracePanel returns the panel with the draws of a quantity in the order of sampling.
func newTracePanel(quantity *position) *Panel {
	return newQuantityPanel(quantity, quantityPanel{
		name: "Trace", short: "Trace", file: "trace",
		guide:   traceGuide,
		picture: func(q *view.ChainQuantity) viz.Picture { return tracePicture(q) },
		numbers: func(b *Board) report.Figure {
			c := chainsOf.in(b)
			return report.Figure{Name: "draws", CSV: func(w io.Writer) error { return drawsCSV(w, c) }}
		},
	})
}

// newMarginalPanel returns the panel with the histogram of the draws of a quantity.
func newMarginalPanel(quantity *position) *Panel {
	return newQuantityPanel(quantity, quantityPanel{
		name: "Marginal", short: "Marg", file: "marginal",
		guide: marginalGuide,
		note: func(q *view.ChainQuantity) string {
			return fmt.Sprintf("skewness %s, kurtosis %s",
				report.Number(float64(q.Skewness)), report.Number(float64(q.Kurtosis)))
		},
		picture: func(q *view.ChainQuantity) viz.Picture { return marginalPicture(q) },
		labelled: func(q *view.ChainQuantity) viz.Picture {
			b := marginalPicture(q)
			b.Label = q.Name
			return plots.Histograms{b}
		},
	})
}

// newRanksPanel returns the panel with the ranks of the draws of a quantity by chain. They are uniform if the
// chains have mixed, and always for a single chain, which has no such panel.
func newRanksPanel(quantity *position) *Panel {
	return newQuantityPanel(quantity, quantityPanel{
		name: "Ranks", short: "Rank", file: "ranks", chains: 2,
		guide:   ranksGuide,
		picture: func(q *view.ChainQuantity) viz.Picture { return ranksPicture(q) },
	})
}

// newAutocorrelationPanel returns the panel with the autocorrelation of the draws of a quantity.
func newAutocorrelationPanel(quantity *position) *Panel {
	return newQuantityPanel(quantity, quantityPanel{
		name: "Autocorrelation", short: "ACF", file: "autocorrelation", y: "autocorrelation",
		guide: autocorrelationGuide,
		note: func(q *view.ChainQuantity) string {
			return fmt.Sprintf("worth %s draws", report.Number(float64(q.ESSBulk)))
		},
		picture: func(q *view.ChainQuantity) viz.Picture { return autocorrelationPicture(q) },
	})
}

// newPairPanel returns the panel with a scatter plot of two quantities.
func newPairPanel(quantity *position) *Panel {
	x := quantityChoice(quantity)
	x.arrows, x.shown = leftRight, inPicture
	y := quantityChoice(new(position))
	y.arrows, y.shown = upDown, inPicture
	y.first = func(b *Board) int { return (b.Value(x) + 1) % y.Count(b) }
	return chainsPanel(func(b *Board) bool { return x.Count(b) > 1 }, Panel{
		Name: "Pair", short: "Pair",
		Guide:   pairGuide,
		Choices: []*Choice{x, y},
		heading: func(b *Board) (title string, notes []string) {
			return "Pair with " + report.Printable(b.quantity(y).Name),
				[]string{chainsText(chainsOf.in(b)), b.atStep()}
		},
		picture: func(b *Board) viz.Picture { return pairPicture(b.quantity(x), b.quantity(y)) },
		file:    "pair",
		caption: func(b *Board) string { return "Draws at " + b.diagnosedStep() },
	})
}

// chainsText returns a text with the numbers of chains and draws.
func chainsText(c *view.Chains) string {
	return fmt.Sprintf("%s, %s each",
		report.Plural(c.Chains, "chain", "chains"), report.Plural(c.Draws, "draw", "draws"))
}

// rhatText formats an R-hat with three decimals, or as "-" if it is undefined.
func rhatText(x rundir.Number) string {
	if x != x {
		return "-"
	}
	return fmt.Sprintf("%.3f", float64(x))
}

// sizeText formats an effective sample size, or returns "-" if it is undefined.
func sizeText(x rundir.Number) string {
	if x != x {
		return "-"
	}
	return report.Grouped(int(x))
}

// drawsCSV writes all kept draws. Chains and draws are counted from 1.
func drawsCSV(out io.Writer, c *view.Chains) error {
	t := figure.NewTable(out, "quantity", "kind", "chain", "draw", "value")
	for _, i := range c.WithDraws() {
		q := c.Quantities[i]
		for chain, draws := range q.Kept.Draws {
			for k, v := range draws {
				t.Row(q.Name, string(q.Kind), strconv.Itoa(chain+1),
					strconv.Itoa((k+1)*q.Kept.Every), figure.Exact(v))
			}
		}
	}
	return t.Close()
}

// chainName returns the name of a chain, counted from 0.
func chainName(chain int) string { return fmt.Sprintf("chain %d", chain+1) }

// tracePicture returns the draws of a quantity by chain, in the order of sampling.
func tracePicture(q *view.ChainQuantity) curves.Curve {
	c := curves.Curve{X: chart.Draws}
	for chain, draws := range q.Kept.Draws {
		s := curves.Series{Label: chainName(chain), Run: chain, Y: draws, Exact: true}
		for i := range draws {
			s.X = append(s.X, float64((i+1)*q.Kept.Every))
		}
		c.Series = append(c.Series, s)
	}
	return c
}

// autocorrelationPicture returns the autocorrelation of the draws of a quantity by chain.
func autocorrelationPicture(q *view.ChainQuantity) curves.Curve {
	c := curves.Curve{X: chart.Lags}
	for chain, rho := range q.Kept.Autocorrelation {
		c.Series = append(c.Series, curves.Series{Label: chainName(chain), Run: chain, Y: rho, Exact: true})
	}
	return c
}

// ranksPicture returns a histogram of the ranks of the draws of a quantity for each chain.
func ranksPicture(q *view.ChainQuantity) (list plots.Histograms) {
	for chain, counts := range q.Kept.Ranks {
		b := plots.NewRankHistogram(counts)
		b.Label, b.Run = chainName(chain), chain
		list = append(list, b)
	}
	return list
}

// marginalBins is the maximum number of bins of a marginal histogram.
const marginalBins = 30

// marginalPicture returns the histogram of the draws of a quantity in all chains, with the Gaussian of the
// same mean and standard deviation.
func marginalPicture(q *view.ChainQuantity) plots.Histogram {
	var all []float64
	for _, draws := range q.Kept.Draws {
		all = append(all, draws...)
	}
	b := plots.NewHistogram(all, min(marginalBins, max(len(all)/8, 4)), float64(q.Mean), float64(q.SD))
	b.XName = q.Name
	return b
}

// pairPicture returns the draws of two quantities of the same chains against each other.
func pairPicture(x, y *view.ChainQuantity) plots.Scatter {
	s := plots.Scatter{XName: x.Name, YName: y.Name}
	for chain, draws := range x.Kept.Draws {
		s.Clouds = append(s.Clouds, plots.Cloud{
			Label: chainName(chain),
			Run:   chain,
			X:     draws,
			Y:     y.Kept.Draws[chain],
		})
	}
	return s
}
