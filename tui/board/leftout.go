package board

import (
	"fmt"
	"math"

	"dgplab/session"
	"dgplab/tui/report"
	"dgplab/viz"
	"dgplab/viz/chart"
	"dgplab/viz/plots"
)

// hasLeftOut reports whether a run has leave-one-out predictions.
func hasLeftOut(s *session.Snapshot) bool { return s.LeaveOneOut != nil && s.LeftOut != nil }

// leftOutRuns returns the runs with leave-one-out predictions, which take the place of the predictions of
// the test points.
func (b *Board) leftOutRuns() (list []*Run) {
	for _, r := range b.representativeRuns() {
		if r.Snapshot != nil && hasLeftOut(r.Snapshot) {
			snap := *r.Snapshot
			snap.Predictions = snap.LeftOut
			list = append(list, &Run{ID: r.ID, Snapshot: &snap, Index: r.Index, Brief: r.Brief})
		}
	}
	return list
}

// newLeftOutPanel returns the panel of the predictions of training points from all others: the
// observations against them or, for classes, their reliability.
func newLeftOutPanel() *Panel {
	target := &Choice{
		name: "target", position: new(position), arrows: anyArrow,
		Count: func(b *Board) int { return len(targetsOf(b.leftOutRuns())) },
		label: func(b *Board, i int) string { return report.Printable(targetsOf(b.leftOutRuns())[i]) },
	}
	return &Panel{
		Name: "Left out", short: "LOO", title: "Leave-one-out predictions",
		Guide:   leftOutGuide,
		applies: func(b *Board) bool { return b.anyRun(hasLeftOut) },
		absent: func(b *Board) string {
			return unless(len(b.leftOutRuns()) > 0, "no run on the screen has leave-one-out predictions")
		},
		Choices: []*Choice{target},
		heading: func(b *Board) (title string, notes []string) {
			return "", b.leftOutNotes()
		},
		picture: func(b *Board) viz.Picture { return b.leftOutPicture(b.Value(target)) },
		footnote: func(b *Board) string {
			if r := b.Current(); r != nil && r.Snapshot != nil {
				return r.Snapshot.LeaveOneOut.Warning()
			}
			return ""
		},
		All:     true,
		file:    "leave-one-out",
		caption: func(b *Board) string { return "Leave-one-out predictions, " + b.shownTitle() },
	}
}

// leftOutNotes returns the scores of the chosen run, or nil if it has none.
func (b *Board) leftOutNotes() (notes []string) {
	r := b.Current()
	if r == nil || r.Snapshot == nil || r.Snapshot.LeaveOneOut == nil {
		return nil
	}
	l := r.Snapshot.LeaveOneOut
	notes = append(notes, report.Scores(&l.Metrics, "log_lik", "coverage95", "error_rate"))
	points := report.Plural(l.N, "training point", "training points")
	if l.N < l.Of {
		points = fmt.Sprintf("%s of %s training points", report.Grouped(l.N), report.Grouped(l.Of))
	}
	return append(notes, points, l.Method())
}

// leftOutPicture returns the observations of a target against the predictions, or the reliability of
// probabilities if all runs are classification runs.
func (b *Board) leftOutPicture(target int) viz.Picture {
	runs := b.leftOutRuns()
	list, _ := evaluatedOf(b.Theme, runs, target)
	if len(list) == 0 {
		return nil
	}
	if list[0].IsClassification() {
		return reliability(b, runs)
	}
	p := plots.Predictions{XName: "observed" + list[0].ofTarget(), YName: "predicted from all others"}
	for _, r := range list {
		if !r.IsClassification() {
			p.List = append(p.List, r.leftOutPrediction(cleanText(b.Theme, r.Brief)))
		}
	}
	return p
}

// leftOutPrediction returns the predictions with the intervals of Gaussians of their moments.
func (r evaluatedRun) leftOutPrediction(label string) plots.Prediction {
	const width = 1.96 // standard deviations of the central 95 % of a Gaussian
	p := plots.Prediction{Label: label, Run: r.Index}
	interval := chart.Range{Name: "95 % (mean ± 1.96 sd)"}
	for k := r.target; k < len(r.Mean); k += r.P {
		sd := math.Sqrt(r.Variance[k])
		p.Observed = append(p.Observed, r.Target[k])
		p.Mean = append(p.Mean, r.Mean[k])
		interval.Lo = append(interval.Lo, r.Mean[k]-width*sd)
		interval.Hi = append(interval.Hi, r.Mean[k]+width*sd)
	}
	p.Ranges = []chart.Range{interval}
	return p
}
