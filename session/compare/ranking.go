package compare

import (
	"dgplab/session/metric"
	"dgplab/session/rundir"
)

// Ranking is how all methods rank over the blocks that all of them have: every
// split of every data set, seeds averaged.
type Ranking struct {
	Friedman
	// CD is the critical difference at the level Alpha, and Groups are the Cliques
	// that it leaves, as indices of methods.
	CD     rundir.Number `json:"critical_difference"`
	Alpha  float64       `json:"alpha"`
	Groups [][]int       `json:"groups"`
	// W is Wilcoxon's test over blocks where there are just two methods.
	W Test `json:"-"`
}

// newRanking ranks rows of scores, one for each block; nil with fewer than two
// methods or blocks.
func newRanking(rows [][]float64, methods int) *Ranking {
	if methods < 2 || len(rows) < 2 {
		return nil
	}
	r := &Ranking{Friedman: FriedmanTest(rows, true), Alpha: Alpha}
	cd := CriticalDifference(r.K, r.N, Alpha)
	r.CD, r.Groups = rundir.Number(cd), Cliques(r.Ranks, cd)
	if methods == 2 {
		var differences []float64
		for _, row := range rows {
			differences = append(differences, row[0]-row[1])
		}
		r.W = Wilcoxon(differences)
	}
	return r
}

// rankRows returns the scores of all methods on the shared blocks of a data set;
// none where a method has no runs.
func rankRows(m metric.Metric, all []values, shared []string) (rows [][]float64) {
	for _, v := range all {
		if len(v) == 0 {
			return nil
		}
	}
	for _, block := range shared {
		var row []float64
		for _, v := range all {
			row = append(row, m.Goodness(average(v[block])))
		}
		rows = append(rows, row)
	}
	return rows
}
