package board

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"dgplab/session"
	"dgplab/session/compare"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz"
	"dgplab/viz/plots"
)

// newDifferencePanels returns three panels that compare method A and another method point by point: a
// histogram of the differences of the test log-likelihoods, a scatter plot of these, and the distances of
// the predictive distributions. All show the same other method.
func newDifferencePanels() (differences, points, distances *Panel) {
	other := &Choice{
		name: "comparison", position: new(position), arrows: anyArrow,
		Count: func(b *Board) int { return len(b.comparison().matches) },
		label: func(b *Board, i int) string { return b.comparison().matches[i].b.Brief },
	}
	chosen := func(b *Board) match { return b.comparison().matches[b.Value(other)] }
	complete := func(p Panel) *Panel {
		p.applies = func(b *Board) bool { return b.countRuns(isEvaluated) > 1 }
		p.absent = func(b *Board) string { return unless(len(b.comparison().matches) > 0, noPairs) }
		p.Choices = []*Choice{other}
		p.All = true
		p.heading = func(b *Board) (string, []string) {
			m := chosen(b)
			names := fmt.Sprintf("A: %s, B: %s", provisional(m.a), provisional(m.b))
			return "", []string{cleanText(b.Theme, names), m.extent()}
		}
		p.caption = func(b *Board) string {
			m := chosen(b)
			a, other := m.names()
			title := fmt.Sprintf("%s, A: %s, B: %s", p.title, a, other)
			if unsettled := m.unsettled(); unsettled != "" {
				title += ", " + unsettled + " not settled"
			}
			return title
		}
		return &p
	}
	differences = complete(Panel{
		Name: "Differences", short: "Diff", title: "Test log-likelihood of A minus B",
		Guide:   differencesGuide,
		picture: func(b *Board) viz.Picture { return differenceHistogram(chosen(b)) },
		file:    "differences",
	})
	points = complete(Panel{
		Name: "Points", short: "Points", title: "Test log-likelihood of A and B",
		Guide: pointsGuide,
		picture: func(b *Board) viz.Picture {
			m := chosen(b)
			if b.inFiles {
				a, other := m.names()
				return pointScatter(b.Theme, m, a, other)
			}
			return pointScatter(b.Theme, m, provisional(m.a), provisional(m.b))
		},
		file: "points",
	})
	quantity := &Choice{
		name: "distance", position: new(position), arrows: upDown, shown: inPicture,
		Count: func(*Board) int { return len(distanceNames) },
		label: func(_ *Board, i int) string { return distanceNames[i] },
	}
	distances = complete(Panel{
		Name: "Distances", short: "Dist", title: "Distance of A from B",
		Guide:   distancesGuide,
		picture: func(b *Board) viz.Picture { return divergenceScatter(chosen(b), b.Value(quantity)) },
		file:    "divergences",
	})
	across := *other
	across.arrows = leftRight
	distances.Choices = []*Choice{&across, quantity}
	heading := distances.heading
	distances.heading = func(b *Board) (string, []string) {
		_, notes := heading(b)
		return [...]string{"KL divergence", "Wasserstein distance"}[b.Value(quantity)] + " of A from B", notes
	}
	distances.applies = func(b *Board) bool {
		return b.countRuns(func(s *session.Snapshot) bool {
			return isEvaluated(s) && s.Predictions.Mean != nil
		}) > 1
	}
	return differences, points, distances
}

// distanceNames are the distances of two predictive distributions.
var distanceNames = [...]string{"KL(A||B), nats", "1-Wasserstein distance, units of the target"}

// divergenceScatter returns the distances of the predictive distributions of A and B at each test point,
// against the distance to the nearest training input. The farthest points are labelled with their row
// numbers.
func divergenceScatter(m match, quantity int) plots.Scatter {
	_, of := m.points()
	c := plots.Cloud{Label: "A from B", Run: m.a.Index, Of: of}
	var rows []int
	for _, pair := range m.pairs {
		a := pair[0].predictions()
		for i, d := range compare.PointDistances(a, pair[1].predictions()) {
			c.X = append(c.X, a.Distance[i])
			c.Y = append(c.Y, float64([...]rundir.Number{d.KL, d.Wasserstein}[quantity]))
			rows = append(rows, a.Rows[i])
		}
	}
	s := plots.Scatter{XName: "distance to the nearest training input", XShort: "distance to training",
		YName: distanceNames[quantity], LogY: true, Points: testPoints, Clouds: []plots.Cloud{c}}
	order := make([]int, len(rows))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(c.Y[j], c.Y[i]) })
	named := map[int]bool{}
	for _, i := range order {
		if len(named) < namedPoints && !named[rows[i]] {
			named[rows[i]] = true
			s.Names = append(s.Names,
				plots.PointName{X: c.X[i], Y: c.Y[i], Text: fmt.Sprintf("row %d", rows[i])})
		}
	}
	return s
}

func isEvaluated(s *session.Snapshot) bool { return s.Predictions != nil && s.Predictions.N > 0 }

// provisional returns the label of a run. It is preceded by ~ if the run has not settled.
func provisional(r *Run) string {
	if r.unsettled() {
		return "~" + r.Brief
	}
	return r.Brief
}

// unsettledNote explains the mark ~ in the title of a figure if a run has it.
func unsettledNote(runs []*Run) string {
	if slices.ContainsFunc(runs, (*Run).unsettled) {
		return ", ~ not settled"
	}
	return ""
}

// unsettled returns "A", "B" or "A and B" if runs of these methods have not settled, and "" otherwise.
func (m match) unsettled() string {
	var list []string
	for k, name := range []string{"A", "B"} {
		if slices.ContainsFunc(m.pairs, func(pair [2]*Run) bool { return pair[k].unsettled() }) {
			list = append(list, name)
		}
	}
	return strings.Join(list, " and ")
}

// comparedPoint is a test point with the log-likelihoods of A and B.
type comparedPoint struct {
	row  int
	a, b float64
}

// comparedPoints returns the points of all compared pairs of runs. It omits points at which a log-likelihood
// is not finite; left counts them.
func (m match) comparedPoints() (list []comparedPoint, left int) {
	for _, pair := range m.pairs {
		x := pair[0].predictions()
		y := pair[1].predictions()
		for i, row := range x.Rows {
			p := comparedPoint{row, x.LogLik[i], y.LogLik[i]}
			if d := p.a - p.b; math.IsNaN(d) || math.IsInf(d, 0) {
				left++
				continue
			}
			list = append(list, p)
		}
	}
	return list, left
}

// leastBins and mostBins bound the number of bins of a histogram of differences.
const leastBins, mostBins = 10, 60

// differenceHistogram returns the histogram of the differences of log-likelihoods. One of its bins begins at
// 0.
func differenceHistogram(m match) plots.Histogram {
	points, left := m.comparedPoints()
	h := plots.Histogram{
		XName: "log-likelihood of A minus B, nats per point", XShort: "A minus B, nats", YName: "points",
		Label: fmt.Sprintf("A better on %s", report.Share(float64(m.Share))),
		Run:   m.a.Index, Left: left, At: []float64{0},
	}
	if len(points) == 0 {
		return h
	}
	lo, hi := 0.0, 0.0
	for _, p := range points {
		lo = min(lo, p.a-p.b)
		hi = max(hi, p.a-p.b)
	}
	n := min(max(2*int(math.Sqrt(float64(len(points)))), leastBins), mostBins)
	width := (hi - lo) / float64(n)
	if !(width > 0) {
		width = 1
	}
	first := math.Floor(lo / width)
	last := max(math.Ceil(hi/width), first+1)
	h.Lo, h.Hi = first*width, last*width
	h.Values = make([]float64, int(last-first))
	for _, p := range points {
		h.Values[min(int(math.Floor((p.a-p.b)/width)-first), len(h.Values)-1)]++
	}
	return h
}

// namedPoints is the number of points with a name in a scatter plot.
const namedPoints = 6

// pointScatter returns a scatter plot of the log-likelihoods of A and B. The points with the largest
// differences are labelled with their row numbers. a and other are the names of A and B.
func pointScatter(th *kit.Theme, m match, a, other string) plots.Scatter {
	points, _ := m.comparedPoints()
	_, of := m.points()
	c := plots.Cloud{Label: "A above the line is better", Run: m.a.Index, Of: of}
	for _, p := range points {
		c.X = append(c.X, p.b)
		c.Y = append(c.Y, p.a)
	}
	s := plots.Scatter{
		XName:    "B: " + cleanText(th, other),
		YName:    "A: " + cleanText(th, a),
		Diagonal: true,
		Points:   testPoints,
		Clouds:   []plots.Cloud{c},
	}
	slices.SortStableFunc(points, func(p, q comparedPoint) int {
		return cmp.Compare(math.Abs(q.a-q.b), math.Abs(p.a-p.b))
	})
	named := map[int]bool{}
	for _, p := range points { // Runs with other seeds have the same rows.
		if len(named) < namedPoints && !named[p.row] {
			named[p.row] = true
			s.Names = append(s.Names, plots.PointName{X: p.b, Y: p.a, Text: fmt.Sprintf("row %d", p.row)})
		}
	}
	return s
}
