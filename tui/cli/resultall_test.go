package cli

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/models/view"
	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/board"
	"dgplab/tui/report"
	"dgplab/viz/golden"
)

// everything returns a run whose result has every part: two outputs, leave-one-out scores, chains,
// alarms, warnings and learned parameters.
func everything() *session.Snapshot {
	number := func(x float64) *rundir.Number { n := rundir.Number(x); return &n }
	scores := func(name string, x float64) *rundir.Metrics {
		return &rundir.Metrics{Output: name, N: 1200, Samples: 30,
			LogLik: rundir.Number(-x), NLL: rundir.Number(x),
			RMSE: number(x + 1), MAE: number(x + 2), SMSE: number(x + 3), CRPS: number(x + 4),
			Coverage: map[string]rundir.Number{"50": 0.51, "90": 0.89, "95": 0.96}}
	}
	test := scores("", 1.5)
	test.Outputs = []*rundir.Metrics{scores("load", 1), scores("strain", 2)}
	s := &session.Snapshot{State: rundir.Ended, Steps: 4000}
	s.Summary = rundir.Summary{
		ID: "20250101-000000-a", Dir: "/runs/a", Stop: rundir.StopSteps, Step: 4000, KeptStep: 3500,
		Seconds: 80, Objective: -12.5, BestVal: -0.25, BestStep: 3500, Rescues: 1234, Parameters: 5678,
		Variational: 4321, Test: test,
		Config: rundir.Config{Dataset: "steps", Split: "interpolation:0", Family: "sghmc", Seed: 7},
		Values: models.Values{"epochs": "100", "batch": "30"},
		ObjectiveIs: family.Objective{Name: "log joint",
			Gauges: []family.Reading{{Key: "temperature", Name: "temperature"},
				{Key: "unmeasured", Name: "not measured"}}},
		Evaluation: &rundir.Evaluation{Step: 4000, Objective: -13, SE: 0.5, Passes: 3, Points: 1200},
		LeaveOneOut: &rundir.LeaveOneOut{Metrics: *scores("", 3), Of: 5000, Reliable: number(0.7),
			LargestK: number(0.9), Unreliable: 12},
		Chains: &rundir.Chains{
			ChainsSummary: view.ChainsSummary{Chains: 4, Draws: 500, Rhat: 1.2, Worst: "noise", ESSBulk: 80,
				ESSTail: 60, Tested: 9, Unmixed: 2, Normality: []view.Normality{{Kind: "output", Tested: 20,
					Rejected: 3, MinP: 0.001}}},
			Gauges: map[string]rundir.Number{"temperature": 1.05, "unmeasured": rundir.Number(math.NaN())},
		},
		Hyper: rundir.Quantities{{Name: "likelihood.variance", Value: []float64{0.04}},
			{Name: "lengthscales", Value: []float64{1, 2.5}}},
		Data: rundir.DataFacts{N: 1200},
		Alarms: []rundir.Alarm{{Kind: "noise", Since: 2000, Text: "the noise grows"},
			{Kind: "gradient", Since: 3000, Text: "the gradient grows"}},
		Warnings: []string{"a constant input"},
	}
	return s
}

// The result and the page of a run show every part, and leave out parts that a run does not have.
func TestResultOfEverything(t *testing.T) {
	s := everything()
	c := &console{Streams: Streams{Out: new(bytes.Buffer)}, getenv: func(string) string { return "" }}
	golden.Check(t, "result_everything", c.result(s))
	file := rundir.ConfigFile{Config: s.Config, Values: s.Values}
	info := rundir.Info{ConfigFile: file, Results: &s.Summary}
	text := func(info rundir.Info, s *session.Snapshot) string {
		p := runPage(info, s)
		var b strings.Builder
		fmt.Fprintf(&b, "%s\n%s\n%q\n%q\n", p.Title, p.Lead, p.Scores, p.Sections[0].Alarms)
		for _, section := range p.Sections {
			fmt.Fprintf(&b, "== %s %q\n%s", section.Title, section.Notes, facts(section.Facts).String())
			for _, sheet := range section.Sheets {
				b.WriteString(sheet.Markdown())
			}
		}
		return b.String()
	}
	page := text(info, s)
	s.Test, s.Hyper, s.State, s.Alarms, s.Warnings = nil, nil, rundir.Running, nil, nil
	info.Notes.Name = "mine"
	golden.Check(t, "page_everything", page+"\n"+text(info, s))
	if got := pageAlarms("a", everything()); got[0] != "a: the noise grows, since step 2,000" ||
		got[2] != "a: a constant input" {
		t.Errorf("alarms %q", got)
	}
}

// A page on runs that cannot be compared says so. The page on all runs of a sweep has its name.
func TestComparisonPageWithoutComparison(t *testing.T) {
	broken := rundir.Info{ConfigFile: rundir.ConfigFile{ID: "x", Sweep: "a"}, State: rundir.Broken,
		Err: errors.New("no\nconfiguration")}
	runs := []rundir.Info{broken, broken}
	shown := []*board.Run{{Snapshot: everything()}, {Snapshot: everything()}}
	p, err := comparisonPage(t.Context(), []string{"a"}, runs, shown, nil)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(p.Sections, func(s report.PageSection) bool { return s.Title == "Conclusion" })
	if at < 0 {
		t.Fatal("there is no conclusion")
	}
	text := p.Sections[at].Sentences
	if p.Title != "Sweep a" || p.Lead != "2 runs" || len(text) != 1 ||
		!strings.HasPrefix(text[0], "No conclusion is supported: ") || strings.Contains(text[0], "\n") {
		t.Errorf("%q, %q, %q", p.Title, p.Lead, text)
	}
	p, err = comparisonPage(t.Context(), []string{"b"}, runs, shown, nil)
	if err != nil || p.Title != "Comparison of 2 runs" {
		t.Errorf("%q, %v", p.Title, err)
	}
}
