package board

import (
	"slices"
	"strings"
	"testing"

	"dgplab/tui/kit/kittest"
)

// The table and the direct comparison have remarks about runs that are worse than the baseline on the same
// data.
func TestRunsBelowBaseline(t *testing.T) {
	runs := two()
	runs[1].Snapshot.Family, runs[1].Label = "linear", "linear"
	p, q := *runs[0].Snapshot.Predictions, *runs[1].Snapshot.Predictions
	p.LogLik = make([]float64, 51)
	q.LogLik = make([]float64, 51)
	for i := range q.LogLik {
		q.LogLik[i] = 1 + float64(i)
	}
	runs[0].Snapshot.Predictions, runs[1].Snapshot.Predictions = &p, &q
	runs[0].Snapshot.Test.LogLik, runs[1].Snapshot.Test.LogLik = -3, -2
	if got := belowBaseline(runs); baselineOf(runs) == nil || !slices.Equal(got, []string{runs[0].Label}) {
		t.Errorf("worse than the baseline: %q", got)
	}
	if text := strings.Join(drawTable(kittest.PlainTheme(), runs, tableSort{}, 200, 20),
		"\n"); !strings.Contains(text, "test LL worse than linear: "+runs[0].Label) {
		t.Errorf("the table lacks the remark:\n%s", text)
	}
	// The names of the runs take at most half of the line.
	runs[0].Label = strings.Repeat("long name ", 9)
	legend := layTable(kittest.PlainTheme(), runs, tableSort{}, 160).legend(160)
	if !strings.Contains(legend, "linear: "+runs[0].Label[:70]) ||
		strings.Contains(legend, runs[0].Label[:80]) {
		t.Errorf("legend %q", legend)
	}
	if text := directText(runs); !strings.Contains(text, "is worse than the baseline linear") {
		t.Errorf("the direct comparison lacks the remark:\n%s", text)
	}
	runs[0].Snapshot.Test.LogLik = -1
	if got := belowBaseline(runs); len(got) > 0 {
		t.Errorf("better than the baseline: %q", got)
	}
	runs[0].Snapshot.Test.LogLik, runs[0].Snapshot.Split = -3, "standard:7"
	if got := belowBaseline(runs); len(got) > 0 {
		t.Errorf("on other data: %q", got)
	}
	if baselineOf(two()) != nil {
		t.Error("there is a baseline")
	}
}
