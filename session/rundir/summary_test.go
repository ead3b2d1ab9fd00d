package rundir

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dgplab/models"
)

// TestStopWords checks the words for the outcomes of runs that users see in lists and filters.
func TestStopWords(t *testing.T) {
	for stop, want := range map[Stop]string{
		StopSteps: "finished", StopEarly: "stopped early", StopSettled: "settled", StopConverged: "converged",
		StopAsked: "stopped", StopFailed: "failed", "unknown": "failed",
	} {
		if got := stop.Word(); got != want {
			t.Errorf("the word for %s is %q, want %q", stop, got, want)
		}
	}
	if got := (&Info{State: Ended, Results: &Summary{Stop: StopEarly}}).Status(); got != "stopped early" {
		t.Errorf("status %q", got)
	}
	if got := (&Info{State: Interrupted}).Status(); got != string(Interrupted) {
		t.Errorf("status %q", got)
	}
}

// TestVerdicts checks which runs can be ranked, which can be extended, and the notes about runs that cannot
// be ranked.
func TestVerdicts(t *testing.T) {
	report := func(v Verdict) *Drift {
		r := &Drift{Verdict: v}
		switch v {
		case Improving:
			r.Objective = &Estimate{Slope: 2, Trend: Rising}
		case Overfitting:
			r.Fall = &Fall{Best: 3, Last: 1, Step: 40, Overfits: true}
		}
		return r
	}
	kept := models.Values{KeepSetting: KeptBest}
	for _, c := range []struct {
		name       string
		s          *Summary
		conclusive bool
		verdict    string
		note       string // prefix
		improving  bool
		extended   int
	}{
		{"none", nil, true, "", "", false, 0},
		{"no report lines", &Summary{Stop: StopSteps, Step: 101}, true, "", "", false, 152},
		{"settled", &Summary{Stop: StopSettled, Step: 100, Drift: report(Settled)},
			true, "settled", "",
			false, 150},
		{"improving", &Summary{Stop: StopSteps, Step: 100, Drift: report(Improving)},
			false, "improving",
			"has not converged: ELBO still rose by ", true, 150},
		{"converged", &Summary{Stop: StopConverged, Step: 100, Drift: report(Improving)},
			true, "settled",
			"", false, 0},
		{"undecided", &Summary{Stop: StopAsked, Step: 100, Drift: report(Undecided)},
			false, "undecided",
			"is undecided: ", false, 0},
		{"overfitting, last", &Summary{Stop: StopSteps, Step: 100, Drift: report(Overfitting)}, false,
			"overfitting", "is overfitting: validation fell by 2 since step 40 while ELBO rose", false, 150},
		{"overfitting, best", &Summary{Stop: StopSteps, Step: 100, Drift: report(Overfitting),
			Values: kept, KeptStep: 40, BestStep: 41}, true, "overfitting", "is overfitting: ", false, 150},
		{"overfitting, converged",
			&Summary{Stop: StopConverged, Step: 100, Drift: report(Overfitting)},
			true, "overfitting", "is overfitting: ", false, 0},
		{"early, best", &Summary{Stop: StopEarly, Step: 100, Drift: report(Undecided), Values: kept,
			KeptStep: 40, BestStep: 41}, true, "undecided", "", false, 0},
		{"early, not validated", &Summary{Stop: StopEarly, Step: 100, Drift: report(Undecided),
			Values: kept, KeptStep: 40}, false, "undecided", "is undecided: ", false, 0},
	} {
		if c.s != nil {
			c.s.ObjectiveIs.Name = "ELBO"
		}
		note := c.s.DriftNote()
		if c.s.Conclusive() != c.conclusive || c.s.Verdict() != c.verdict ||
			(c.s.StillImproving() != "") != c.improving || c.s.ExtendedSteps() != c.extended {
			t.Errorf("%s: conclusive %v, verdict %q, improving %q, extended to %d", c.name, c.s.Conclusive(),
				c.s.Verdict(), c.s.StillImproving(), c.s.ExtendedSteps())
		}
		if (note == "") != (c.note == "") || !strings.HasPrefix(note, c.note) ||
			note != "" && !strings.HasSuffix(note, " (at step 100)") {
			t.Errorf("%s: note %q, want %q", c.name, note, c.note)
		}
	}
}

// A summary of another format is an error that names both formats. A missing summary is not an
// error.
func TestSummaryFormat(t *testing.T) {
	dir := t.TempDir()
	if s, err := ReadSummary(dir); s != nil || err != nil {
		t.Errorf("%+v, %v without a file", s, err)
	}
	path := filepath.Join(dir, summaryName)
	for text, want := range map[string]string{
		`{"format":99}`: path + ": format 99; this program reads format 1", `{`: path,
		`{"format":1}`:             path + ": objective_is has no name",
		`{"format":1,"test":[]}`:   path + ": ",
		`{"format":1,"hyper":[1]}`: path + ": ",
	} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if s, err := ReadSummary(dir); s != nil || err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %+v, %v", text, s, err)
		}
	}
}
