package compare

import (
	"dgplab/models"
	"dgplab/session/metric"
	"dgplab/session/rundir"
)

// Below describes a method that is worse than the baseline on a data set.
type Below struct {
	Method   string `json:"method"`
	Dataset  string `json:"dataset"`
	Baseline string `json:"baseline"`
	// Difference is the mean of the method minus the mean of the baseline.
	Difference rundir.Number `json:"difference"`
	// P is the p-value of the paired t-test between the two methods, as in Cell, Holm-corrected for the
	// number of methods tested against the baseline. It is NaN if there is no test.
	P rundir.Number `json:"p_holm"`
}

// HasBaseline reports whether one of the methods is the baseline.
func (s *Set) HasBaseline() bool {
	for _, m := range s.Methods {
		if m.Family == models.BaselineFamily {
			return true
		}
	}
	return false
}

// below returns the methods with a worse mean score than the baseline on a data set. If there are several
// baseline methods, the best one counts. Only scores of predictions are compared with the baseline, because
// every method is slower than a linear model.
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
