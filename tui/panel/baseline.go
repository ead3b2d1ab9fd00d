package panel

import (
	"dgplab/models"
	"dgplab/session/metric"
)

// HasBaseline says whether one of the runs is of the baseline, on the data of the chosen
// one.
func HasBaseline(runs []Run) bool {
	at := chosen(runs)
	for _, r := range runs {
		if r.isBaseline() && sameFields(r, runs[at], isData) {
			return true
		}
	}
	return false
}

func (r Run) isBaseline() bool {
	return r.Snapshot != nil && r.Snapshot.Family == models.BaselineFamily
}

// belowBaseline returns the labels of the runs whose test log-likelihood is less than that
// of a run of the baseline on the same data.
func belowBaseline(runs []Run) (names []string) {
	score := func(r Run) (float64, bool) { return metric.Get("log_lik").Of(metric.OfSnapshot(r.Snapshot)) }
	for _, r := range runs {
		own, known := score(r)
		if !known || r.isBaseline() {
			continue
		}
		for _, base := range runs {
			if least, tested := score(base); tested && base.isBaseline() && own < least &&
				sameFields(r, base, isData) {
				names = append(names, r.Label)
				break
			}
		}
	}
	return names
}
