package cli

import (
	"dgplab/session/compare"
	"dgplab/session/rundir"
)

// comparisonJSON is what dgplab compare --json prints. Numbers that there are not,
// such as the standard error of a single value, are null.
type comparisonJSON struct {
	Methods  []compare.Method  `json:"methods"`
	Datasets []string          `json:"datasets"`
	Tables   []tableJSON       `json:"tables"`
	Direct   []directJSON      `json:"direct,omitempty"`
	Runs     []comparedRun     `json:"runs"`
	LeftOut  []compare.LeftOut `json:"left_out"`
	Notes    []string          `json:"notes"`
}

type tableJSON struct {
	Metric string      `json:"metric"`
	Cells  []scoreJSON `json:"cells"`
	Ranks  *rankedJSON `json:"ranks,omitempty"`
}

type scoreJSON struct {
	Method  string `json:"method"`
	Dataset string `json:"dataset"`
	compare.Cell
}

// rankedJSON is a ranking. P is Friedman's, corrected for ties.
type rankedJSON struct {
	Blocks             int             `json:"blocks"`
	Ranks              []rundir.Number `json:"average_ranks"`
	ChiSquare          rundir.Number   `json:"friedman_chi2"`
	P                  rundir.Number   `json:"friedman_p"`
	F                  rundir.Number   `json:"iman_davenport_f"`
	FP                 rundir.Number   `json:"iman_davenport_p"`
	CriticalDifference rundir.Number   `json:"critical_difference"`
	Alpha              float64         `json:"alpha"`
	Groups             [][]int         `json:"groups"`
}

type directJSON struct {
	Dataset      string        `json:"dataset"`
	A            string        `json:"a"`
	B            string        `json:"b"`
	N            int           `json:"n"`
	Over         compare.Over  `json:"over"`
	Share        rundir.Number `json:"share"`
	ShareSE      rundir.Number `json:"share_se"`
	Difference   rundir.Number `json:"difference"`
	DifferenceSE rundir.Number `json:"difference_se"`
	T            rundir.Number `json:"t"`
	TP           rundir.Number `json:"t_p"`
	WilcoxonP    rundir.Number `json:"wilcoxon_p"`
	Single       bool          `json:"single"`
	Verdict      string        `json:"verdict"`
	Pairs        []pairJSON    `json:"duels"`
}

type pairJSON struct {
	A          string        `json:"a"`
	B          string        `json:"b"`
	Split      string        `json:"split"`
	Points     int           `json:"points"`
	Share      rundir.Number `json:"share"`
	Difference rundir.Number `json:"difference"`
}

type comparedRun struct {
	ID      string `json:"id"`
	Method  string `json:"method"`
	Dataset string `json:"dataset"`
	Split   string `json:"split"`
	Seed    uint64 `json:"seed"`
}

func comparisonFor(r *comparison) comparisonJSON {
	out := comparisonJSON{Datasets: r.set.Datasets, Notes: append([]string{}, r.set.Notes...), Methods: r.set.Methods, LeftOut: append([]compare.LeftOut{}, r.leftOut()...)}
	for _, t := range r.tables {
		out.Tables = append(out.Tables, tableFor(t))
	}
	for i := range r.direct {
		out.Direct = append(out.Direct, directFor(r.set, &r.direct[i]))
	}
	for _, run := range r.set.Runs {
		out.Runs = append(out.Runs, comparedRun{run.ID, r.set.Methods[run.Method].Label, r.set.Datasets[run.Dataset], run.Config.Split, run.Config.Seed})
	}
	out.Notes = append(out.Notes, r.failed...)
	return out
}

func tableFor(t *compare.Table) tableJSON {
	out := tableJSON{Metric: t.Metric.Key}
	for i, method := range t.Methods {
		for d, dataset := range t.Datasets {
			out.Cells = append(out.Cells, scoreJSON{method, dataset, t.Cells[i][d]})
		}
	}
	if r := t.Ranking; r != nil {
		out.Ranks = &rankedJSON{
			Blocks: r.N, ChiSquare: rundir.Number(r.Corrected), P: rundir.Number(r.CorrectedP), F: rundir.Number(r.F),
			FP: rundir.Number(r.FP), CriticalDifference: rundir.Number(r.CD), Alpha: compare.Alpha, Groups: append([][]int{}, r.Groups...),
		}
		for _, rank := range r.Ranks {
			out.Ranks.Ranks = append(out.Ranks.Ranks, rundir.Number(rank))
		}
	}
	return out
}

func directFor(s *compare.Set, c *compare.Comparison) directJSON {
	out := directJSON{
		Dataset: c.Dataset, A: s.Methods[0].Label, B: s.Methods[1].Label, N: c.N, Over: c.Over,
		Share: rundir.Number(c.Share), ShareSE: rundir.Number(c.ShareSE),
		Difference: rundir.Number(c.Difference), DifferenceSE: rundir.Number(c.DifferenceSE),
		T: rundir.Number(c.T.Statistic), TP: rundir.Number(c.T.P), WilcoxonP: rundir.Number(c.W.P),
		Single: c.Single, Verdict: c.Verdict,
	}
	for _, d := range c.Pairs {
		out.Pairs = append(out.Pairs, pairJSON{d.A, d.B, d.Split, d.Points, rundir.Number(d.Share), rundir.Number(d.Difference)})
	}
	return out
}
