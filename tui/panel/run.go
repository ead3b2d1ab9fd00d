package panel

import (
	"slices"
	"strings"

	"dgplab/session"
	"dgplab/session/compare"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/printable"
)

// going says whether the numbers of a run may still change.
func (r Run) going() bool { return r.Snapshot != nil && r.Snapshot.State != session.Ended }

// ratio is compare.Ratio of a run that has begun.
func (r Run) ratio() float64 {
	s := r.Snapshot
	return compare.Ratio(&rundir.DataFacts{N: s.N, Validation: s.NumValidation, Test: s.NumTest})
}

// inconclusive reports whether a run had not settled when it ended.
func (r Run) inconclusive() bool {
	return r.Snapshot != nil && !r.Snapshot.Summary.Conclusive()
}

// predictions returns those of a run, nil if there are none.
func (r Run) predictions() *rundir.Predictions {
	if r.Snapshot == nil || r.Snapshot.Predictions == nil || r.Snapshot.Predictions.N == 0 {
		return nil
	}
	return r.Snapshot.Predictions
}

// named returns the marker and the label of a run, the label in at most w-2 cells.
func named(th *kit.Theme, r Run, w int) string {
	return th.Marker(r.Index) + " " + th.Title.Render(cut(th, r.Label, w-2))
}

// cut returns text that came from elsewhere, in at most w cells.
func cut(th *kit.Theme, text string, w int) string {
	text = clean(th, text)
	if kit.Cells(text) > w {
		text = strings.TrimRight(th.Fit(text, w), " ")
	}
	return text
}

// clean returns text as one line of characters that the terminal can show.
func clean(th *kit.Theme, text string) string {
	return strings.Map(func(r rune) rune {
		if r > '~' && !th.Glyphs.Unicode {
			return '?'
		}
		return r
	}, printable.Text(text))
}

// chosen returns the index of the chosen run, the first if none is; -1 without runs.
func chosen(runs []Run) int {
	if len(runs) == 0 {
		return -1
	}
	return max(slices.IndexFunc(runs, func(r Run) bool { return r.Chosen }), 0)
}

// infos returns the configurations of runs, for session.Differences.
func infos(runs []Run) []rundir.Info {
	out := make([]rundir.Info, len(runs))
	for i, r := range runs {
		if s := r.Snapshot; s != nil {
			out[i] = rundir.Info{ID: s.ID, Config: s.Config, Values: s.Values}
		}
	}
	return out
}

// sameFields reports whether a and b agree in each of the fields of
// session.Differences that only accepts.
func sameFields(a, b Run, only func(field string) bool) bool {
	for _, d := range session.Differences(infos([]Run{a, b})) {
		if only(d.Field) {
			return false
		}
	}
	return true
}

// isData names the fields that say which data a run saw; the seed is none.
func isData(field string) bool { return field == "dataset" || field == "targets" || field == "split" }

// sameData reports whether all runs that have begun use the same data and split,
// so that their scores can be compared.
func sameData(runs []Run) bool {
	var first *Run
	for i, r := range runs {
		switch {
		case r.Snapshot == nil:
		case first == nil:
			first = &runs[i]
		case !sameFields(*first, r, isData):
			return false
		}
	}
	return true
}
