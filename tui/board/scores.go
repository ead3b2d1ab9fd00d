package board

import (
	"math"
	"slices"
	"strings"

	"dgplab/models"
	"dgplab/session"
	"dgplab/session/compare"
	"dgplab/session/metric"
	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz"
	"dgplab/viz/plots"
	"dgplab/viz/tables"
)

// scoreKeys holds the keys of the test scores in panels.
var scoreKeys = []string{"log_lik", "rmse", "rmse_std", "crps", "crps_std", "error_rate", "log_loss"}

// newScoresPanel returns the panel with the test scores of methods with several runs, by split or seed.
func newScoresPanel() *Panel {
	score := &Choice{
		name: "score", position: new(position), arrows: anyArrow,
		Count: func(b *Board) int { return len(b.comparison().scores.keys) },
		label: func(b *Board, i int) string { return metric.Get(b.comparison().scores.keys[i]).Name },
	}
	picture := func(b *Board) plots.Dots {
		all := b.comparison().scores
		return scoreDots(b, all.methods, all.keys[b.Value(score)])
	}
	return &Panel{
		Name: "Scores", short: "Scores", title: "Scores by split and seed",
		Guide:   scoresGuide,
		lines:   func(b *Board, _ int) int { return picture(b).Lines() },
		applies: func(b *Board) bool { return b.countRuns(isEvaluated) > 1 },
		absent: func(b *Board) string {
			return unless(len(b.comparison().scores.keys) > 0,
				"no method has scores on several splits or seeds")
		},
		Choices: []*Choice{score},
		heading: func(b *Board) (title string, notes []string) {
			name := metric.Get(b.comparison().scores.keys[b.Value(score)]).Name
			return "Scores: " + name, []string{"by split and seed"}
		},
		picture: func(b *Board) viz.Picture { return picture(b) },
		All:     true,
		file:    "scores",
		caption: func(b *Board) string {
			return "Test scores by split and seed, " + b.exportTitle() + unsettledNote(b.Runs)
		},
	}
}

// repeatedScores are the methods on the data set of the selected run, and the scores that they have.
type repeatedScores struct {
	methods [][]*Run
	keys    []string
}

// findScores returns the methods on the data set of the selected run and their scores. There are no
// scores if no method has several runs.
func findScores(set *compare.Set, byID map[string]*Run, chosen *Run) (r repeatedScores) {
	if chosen.Snapshot == nil {
		return r
	}
	r.methods = make([][]*Run, len(set.Methods))
	var runs []*Run
	for _, of := range set.Runs {
		q := byID[of.ID]
		if sameDataOf(q.Snapshot, chosen.Snapshot, false) {
			runs = append(runs, q)
			r.methods[of.Method] = append(r.methods[of.Method], q)
		}
	}
	r.methods = slices.DeleteFunc(r.methods, func(g []*Run) bool { return len(g) == 0 })
	if !slices.ContainsFunc(r.methods, func(g []*Run) bool { return len(g) > 1 }) {
		return repeatedScores{}
	}
	several := slices.ContainsFunc(runs, func(q *Run) bool {
		return metric.OfSnapshot(q.Snapshot).SeveralTargets()
	})
	for _, key := range scoreKeys {
		m := metric.Get(key)
		if strings.HasSuffix(key, "_std") && !several {
			continue
		}
		if slices.ContainsFunc(runs, func(q *Run) bool {
			x, ok := m.Of(metric.OfSnapshot(q.Snapshot))
			return ok && !math.IsNaN(x)
		}) {
			r.keys = append(r.keys, key)
		}
	}
	return r
}

// scoreDots returns the picture of the scores of each method's runs, with the mean and its standard error,
// over splits if there are several.
func scoreDots(b *Board, methods [][]*Run, key string) plots.Dots {
	m := metric.Get(key)
	d := plots.Dots{
		Columns: []string{"method", "runs", m.Short},
		XName:   m.Title() + ", " + m.Sense(),
		DotName: "each run", RangeName: "mean and s.e.", Empty: "no scores",
	}
	for _, g := range methods {
		row := plots.DotRow{Label: methodName(b, methods, g), Run: g[0].Index, Tick: math.NaN()}
		for _, r := range g {
			if x, ok := m.Of(metric.OfSnapshot(r.Snapshot)); ok {
				row.Values = append(row.Values, x)
			}
		}
		score := compare.ScoreOf(compare.Grouped(g, func(r *Run) (split string, x float64, ok bool) {
			x, ok = m.Of(metric.OfSnapshot(r.Snapshot))
			return r.Snapshot.Split, x, ok && !math.IsNaN(x) && !math.IsInf(x, 0)
		}))
		row.Lo = float64(score.Mean - score.SE)
		row.Hi = float64(score.Mean + score.SE)
		row.Texts = []string{report.Grouped(len(row.Values)),
			report.WithError(float64(score.Mean), float64(score.SE))}
		d.Rows = append(d.Rows, row)
	}
	return d
}

// methodName returns the family of a method, or the label of its first run if another method has the same
// family. It is preceded by ~ if the scores of a run may still change.
func methodName(b *Board, methods [][]*Run, g []*Run) string {
	name := g[0].Snapshot.Family
	for _, other := range methods {
		if other[0].Snapshot != g[0].Snapshot && other[0].Snapshot.Family == name {
			name = g[0].Brief
			break
		}
	}
	if slices.ContainsFunc(g, (*Run).unsettled) {
		name = "~" + name
	}
	return cleanText(b.Theme, name)
}

// newBaselinePanel returns the panel of the scores of the selected run beside those of the linear
// baseline on the same data.
func newBaselinePanel() *Panel {
	return &Panel{
		Name: "Baseline", short: "Base", title: "Linear baseline",
		Guide: baselineGuide,
		lines: func(b *Board, w int) int {
			if t := baselineTable(b); len(t.Rows) > 0 {
				return 1 + len(t.Rows)
			}
			return len(kit.Wrap(noBaseline(b), w))
		},
		applies: func(b *Board) bool { return b.anyRun(isTested) },
		absent: func(b *Board) string {
			s := b.Snapshot()
			return unless(s != nil && isTested(s) && s.Family != models.BaselineFamily &&
				(len(b.Runs) == 1 || b.comparison().baseline != nil), "the selected run has no test scores")
		},
		draw: func(b *Board, w, h int) []string {
			if t := baselineTable(b); len(t.Rows) > 0 {
				return t.Render(b.Theme.VizStyle(), w, h)
			}
			return b.Theme.Box(kit.Paragraph(b.Theme.Text, noBaseline(b), w), w, h)
		},
		All: true,
	}
}

func isTested(s *session.Snapshot) bool { return s.Test != nil }

func noBaseline(b *Board) string {
	return "The baseline is not on the screen: " + b.Key(ActBaseline) + " trains " +
		models.BaselineFamily + " on these data."
}

// baselineTable returns the test scores of the selected run, those of the baseline, and their
// differences. It has no rows without a baseline.
func baselineTable(b *Board) (t tables.Table) {
	base := b.comparison().baseline
	if base == nil || !isTested(base) {
		return t
	}
	own := metric.OfSnapshot(b.Snapshot())
	other := metric.OfSnapshot(base)
	t.Columns = []tables.Column{
		{Title: "test score", Keep: true}, {Title: "this run", Right: true, Keep: true},
		{Title: models.BaselineFamily, Right: true}, {Title: "difference", Right: true}, {Title: ""},
	}
	for _, key := range scoreKeys {
		m := metric.Get(key)
		x, known := m.Of(own)
		y, tested := m.Of(other)
		if !known || !tested || math.IsNaN(x-y) {
			continue
		}
		word := "better"
		if x == y {
			word = "equal"
		} else if (x > y) != (m.Better == metric.Higher) {
			word = "worse"
		}
		t.Rows = append(t.Rows, []string{m.Short, report.Cell(m, own), report.Cell(m, other),
			report.Number(x - y), word})
	}
	return t
}
