package board

import (
	"strings"

	"dgplab/models"
	"dgplab/session"
	"dgplab/session/config"
	"dgplab/session/metric"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/report"
)

// running reports whether the numbers of a run may still change.
func (r *Run) running() bool { return r.Snapshot != nil && r.Snapshot.State.Going() }

// inconclusive reports whether a run had not settled when it ended.
func (r *Run) inconclusive() bool {
	return r.Snapshot != nil && r.Snapshot.Stop != "" && !r.Snapshot.Conclusive()
}

// unsettled reports whether the numbers of a run may still change or the run had not settled when it ended.
func (r *Run) unsettled() bool { return r.running() || r.inconclusive() }

// predictions returns the test predictions of a run, or nil if there are none.
func (r *Run) predictions() *rundir.Predictions {
	if r.Snapshot == nil || r.Snapshot.Predictions == nil || r.Snapshot.Predictions.N == 0 {
		return nil
	}
	return r.Snapshot.Predictions
}

// runName returns the marker and the label of a run in at most w cells.
func runName(th *kit.Theme, r *Run, w int) string {
	return th.Marker(r.Index) + " " + th.Title.Render(cutText(th, r.Brief, w-2))
}

// cutText returns text from files in at most w cells.
func cutText(th *kit.Theme, text string, w int) string {
	return th.Cut(cleanText(th, text), w)
}

// cleanText returns text as one line of characters that the terminal can show.
func cleanText(th *kit.Theme, text string) string {
	return strings.Map(func(r rune) rune {
		if r > '~' && !th.Glyphs.Unicode {
			return '?'
		}
		return r
	}, report.Printable(text))
}

// sameFields reports whether a and b agree in all fields of config.Differences for which only returns true.
func sameFields(a, b *Run, only func(field string) bool) bool {
	for _, d := range config.Differences([]rundir.Info{a.info(), b.info()}) {
		if only(d.Field) {
			return false
		}
	}
	return true
}

// isData reports whether a field determines the data of a run. The seed is not such a field.
func isData(field string) bool { return field == "dataset" || field == "targets" || field == "split" }

// sameDataOf reports whether two runs have the same data set and targets and, if split is true, the same
// split.
func sameDataOf(a, b *session.Snapshot, split bool) bool {
	for _, field := range []string{rundir.DatasetField, rundir.TargetsField, rundir.SplitField} {
		if (split || field != rundir.SplitField) && a.Config.Field(field) != b.Config.Field(field) {
			return false
		}
	}
	return true
}

// sameData reports whether all runs with a snapshot use the same data and split. Only then can
// their scores be compared.
func sameData(runs []*Run) bool {
	var first *Run
	for _, r := range runs {
		switch {
		case r.Snapshot == nil:
		case first == nil:
			first = r
		case !sameFields(first, r, isData):
			return false
		}
	}
	return true
}

// baselineOf returns the snapshot of a run of the baseline on the data of the selected run, or nil if
// there is none.
func baselineOf(b *Board) *session.Snapshot {
	for _, r := range b.Runs {
		if r.isBaseline() && sameFields(r, b.Current(), isData) {
			return r.Snapshot
		}
	}
	return nil
}

func (r *Run) isBaseline() bool {
	return r.Snapshot != nil && r.Snapshot.Family == models.BaselineFamily
}

// belowBaseline returns the labels of the runs with a lower test log-likelihood than a baseline run on the
// same data.
func belowBaseline(runs []*Run) (names []string) {
	score := func(r *Run) (float64, bool) {
		return metric.Get("log_lik").Of(metric.OfSnapshot(r.Snapshot))
	}
	for _, r := range runs {
		own, known := score(r)
		if !known || r.isBaseline() {
			continue
		}
		for _, base := range runs {
			if least, tested := score(base); tested && base.isBaseline() && own < least &&
				sameFields(r, base, isData) {
				names = append(names, r.Brief)
				break
			}
		}
	}
	return names
}
