package compare

import (
	"dgplab/models"
	"dgplab/session/metric"
	"dgplab/session/rundir"
)

// Below is a method that does worse than the baseline on a data set.
type Below struct {
	Method   string `json:"method"`
	Dataset  string `json:"dataset"`
	Baseline string `json:"baseline"`
	// Difference is the mean of the method less that of the baseline.
	Difference rundir.Number `json:"difference"`
	// P is of the paired t-test between the two, as in Cell, adjusted for the number of
	// methods that are tested against the baseline; NaN where there is none.
	P rundir.Number `json:"p_holm"`
}

// HasBaseline says whether one of the methods is the baseline.
func (s *Set) HasBaseline() bool {
	for _, m := range s.Methods {
		if m.Family == models.BaselineFamily {
			return true
		}
	}
	return false
}

// below returns the methods whose mean score on a data set is worse than that of the
// baseline, the best of several. Only scores of predictions have one: everything is
// slower than a plane.
func (t *Table) below(s *Set, column []Cell, ratio float64) (list []Below) {
	if t.Metric.Within != metric.SameData || t.Metric.Better == metric.Nearest {
		return nil
	}
	base := -1
	for i, m := range s.Methods {
		if m.Family == models.BaselineFamily && column[i].N > 0 &&
			(base < 0 || t.score(column[i]) > t.score(column[base])) {
			base = i
		}
	}
	if base < 0 {
		return nil
	}
	least := t.score(column[base])
	p := Holm(t.tests(column, base, ratio))
	for i, m := range s.Methods {
		if m.Family != models.BaselineFamily && t.score(column[i]) < least {
			list = append(list, Below{m.Label, column[i].Dataset, s.Methods[base].Label,
				column[i].Mean - column[base].Mean, rundir.Number(p[i])})
		}
	}
	return list
}
