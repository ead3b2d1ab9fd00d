package board

import (
	"slices"
	"strings"
	"testing"
)

// The table and the direct comparison have remarks about runs that are worse than the baseline on the same
// data.
func TestRunsBelowBaseline(t *testing.T) {
	set := two()
	set.Runs[1].Snapshot.Family, set.Runs[1].Brief = "linear", "linear"
	p, q := *set.Runs[0].Snapshot.Predictions, *set.Runs[1].Snapshot.Predictions
	p.LogLik = make([]float64, 51)
	q.LogLik = make([]float64, 51)
	for i := range q.LogLik {
		q.LogLik[i] = 1 + float64(i)
	}
	set.Runs[0].Snapshot.Predictions, set.Runs[1].Snapshot.Predictions = &p, &q
	set.Runs[0].Snapshot.Test.LogLik, set.Runs[1].Snapshot.Test.LogLik = -3, -2
	if got := belowBaseline(set.Runs); baselineOf(set) == nil ||
		!slices.Equal(got, []string{set.Runs[0].Brief}) {
		t.Errorf("worse than the baseline: %q", got)
	}
	if text := strings.Join(drawTable(set, tableSort{}, 200, 20),
		"\n"); !strings.Contains(text, "test LL worse than linear: "+set.Runs[0].Brief) {
		t.Errorf("the table lacks the remark:\n%s", text)
	}
	// The names of the runs take at most half of the line.
	set.Runs[0].Brief = strings.Repeat("long name ", 9)
	legend := layTable(set, tableSort{}, 160).legend(160)
	if !strings.Contains(legend, "linear: "+set.Runs[0].Brief[:70]) ||
		strings.Contains(legend, set.Runs[0].Brief[:80]) {
		t.Errorf("legend %q", legend)
	}
	if text := directText(set); !strings.Contains(text, "is worse than the baseline linear") {
		t.Errorf("the direct comparison lacks the remark:\n%s", text)
	}
	set.Runs[0].Snapshot.Test.LogLik = -1
	if got := belowBaseline(set.Runs); len(got) > 0 {
		t.Errorf("better than the baseline: %q", got)
	}
	set.Runs[0].Snapshot.Test.LogLik, set.Runs[0].Snapshot.Split = -3, "standard:7"
	if got := belowBaseline(set.Runs); len(got) > 0 {
		t.Errorf("on other data: %q", got)
	}
	if baselineOf(two()) != nil {
		t.Error("there is a baseline")
	}
}
