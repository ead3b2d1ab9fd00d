package report

import (
	"fmt"
	"math"

	"dgplab/session/compare"
	"dgplab/session/rundir"
	"dgplab/viz/tables"
)

// RanksCaption explains the critical-difference diagram.
var RanksCaption = fmt.Sprintf("lines on the right join methods within the critical difference (Nemenyi, "+
	"%g)", compare.Alpha)

// Ranks returns the critical-difference diagram of a table, with the results of the tests as its note. It
// returns false if the table has no ranking.
func Ranks(t *compare.Table) (tables.RankDiagram, bool) {
	if t.Ranking == nil {
		return tables.RankDiagram{}, false
	}
	return tables.RankDiagram{
		Labels: t.Methods,
		Ranks:  t.Ranking.Ranks,
		CD:     float64(t.Ranking.CD),
		Groups: t.Ranking.Groups,
		Note:   RankTests(t.Ranking),
	}, true
}

// RankTests formats the results of the tests of a ranking.
func RankTests(r *compare.Ranking) string {
	note := fmt.Sprintf("%d %s; p: Friedman %s", r.N, r.Are, compare.PText(r.CorrectedP))
	if math.IsInf(float64(r.F), 0) {
		note += " (all agree)"
	} else {
		note += ", Iman-Davenport " + compare.PText(r.FP)
	}
	if r.K == 2 {
		note += ", Wilcoxon " + compare.PText(rundir.Number(r.W.P))
	}
	return note
}
