package metric

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"dgplab/datasets/task"
	"dgplab/models"
	"dgplab/models/family"
	"dgplab/models/view"
	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/viz/golden"
)

// fillerOfRuns returns a filler for the data of runs.
func fillerOfRuns(seed uint64) *golden.Filler {
	f := golden.NewFiller(seed, "a", "beta", "kl", "95", "50", "90", "steps", "data/own.csv", "x y", "",
		"Naïve")
	golden.Options(f, rundir.StopSteps, rundir.StopEarly, rundir.StopSettled, rundir.StopConverged,
		rundir.StopAsked, rundir.StopRung, rundir.StopFailed, "")
	golden.Options(f, rundir.Rising, rundir.Falling, rundir.Level, rundir.Uncertain)
	golden.Options(f, rundir.Improving, rundir.Overfitting, rundir.Settled, rundir.Undecided)
	golden.Options(f, rundir.Running, rundir.Ended, rundir.Interrupted, rundir.Broken)
	golden.Options(f, family.Bound, family.Surrogate, family.LogJoint, family.Evidence)
	golden.Options(f, view.InducingOutput, view.Weight)
	return f
}

// describe adds everything that the catalogue says about runs to the checksums.
func describe(sums *golden.Sums, kind string, r Run, others []Run) {
	sums.Add(kind+": view", fmt.Sprint(r.ID(), r.Label(), r.State(), r.Steps(), r.Objective(), r.Terms(),
		r.SeveralTargets(), r.Test() == nil))
	list := slices.Concat(properties, metrics)
	if kind == "folder" {
		list = slices.Concat(list, columns[len(columns)-20:])
	}
	for _, c := range list {
		group := "property"
		switch {
		case c.Hyperparameter != nil:
			group = "setting"
		case c.score != nil:
			group = "score"
		case c.read != nil:
			group = "progress"
		}
		group = kind + ": " + group
		x, ok := c.Of(r)
		var visited []string
		matches := c.Matches(r, func(text string) bool {
			visited = append(visited, text)
			return strings.Contains(text, "e")
		})
		sums.Add(group, fmt.Sprintf("%s %.10g %v %q %q %q %v %v", c.Key, x, ok, c.Text(r), c.Cell(r),
			visited, matches, c.Has(r)))
		if c.Hyperparameter != nil {
			continue
		}
		for _, other := range []Column{c, c.In(r), c.Among(others), c.OfTargets(r)} {
			sums.Add(group+" in context", fmt.Sprintf("%s %s %s %v %v %q %q %q %.6g", other.Key, other.Name,
				other.Short, other.Better, other.Nominal, other.Title(), other.Sense(), other.Note,
				other.Goodness(0.4)))
		}
		of, ok := c.OfOutput("beta")
		if ok {
			x, ok = of.Of(r)
			sums.Add(kind+": one output", fmt.Sprintf("%s %q %s %s %.10g %v", of.Key, of.Aliases, of.Name,
				of.Short, x, ok))
		}
	}
}

// TestRecordedColumns compares all columns of random runs, in all their views, with recorded checksums.
func TestRecordedColumns(t *testing.T) {
	f := fillerOfRuns(1)
	var sums golden.Sums
	var before []Run
	for range 200 {
		var info rundir.Info
		f.Fill(&info)
		if info.Summary != nil && f.IntN(2) == 0 {
			info.Summary.ObjectiveIs.Name, info.Summary.Data.Uses = "ELBO", ""
			info.Summary.ObjectiveIs.Kind = family.Bound
		}
		if info.Summary != nil && info.Summary.Test != nil && f.IntN(2) == 0 {
			info.Summary.Test.Outputs = nil
		}
		info.Values = models.Values{"steps": "100", "layers": golden.Pick(f, "1", "2")}
		r := OfInfo(&info)
		describe(&sums, "folder", r, append(before, r))
		before = append(before, r)[max(0, len(before)-1):]
		if info.Summary == nil {
			continue
		}
		describe(&sums, "summary", OfSummary(info.Summary), before)
		describe(&sums, "scores", OfScores(info.Summary.Test), nil)
		s := session.Snapshot{Summary: *info.Summary, Steps: info.Steps, Diagnostics: &rundir.Diagnostics{}}
		s.State = golden.Pick(f, session.Preparing, session.Training, session.Paused, session.Ended)
		if f.IntN(2) == 0 {
			s.Err = errors.New("broken")
		}
		if f.IntN(2) == 0 {
			s.Diagnostics.Chains = new(view.Chains)
			f.Fill(s.Diagnostics.Chains)
		}
		describe(&sums, "snapshot", OfSnapshot(&s), before)
	}
	for _, c := range Columns() {
		of := ""
		if c.Hyperparameter != nil {
			of = c.Hyperparameter.Name
		}
		sums.Add("catalogue", fmt.Sprint(c.Key, c.Aliases, c.Unit, c.Within, c.Format, of, c.IsNumber(),
			c.LargestFirst(), c.Applies(task.Regression), c.Applies(task.Binary), c.Applies(task.Count)))
		other, ok := c.Standardised()
		sums.Add("catalogue", fmt.Sprint(other.Key, ok))
	}
	sums.Add("lists", fmt.Sprint(Keys(All()), Keys(Scores()), Keys(Ranked())))
	for range 1000 {
		key := golden.Pick(f, Keys(Columns())...)
		key = golden.Pick(f, "", "", "test.", "TEST.") + key + golden.Pick(f, "", "", ".beta", ".a.b", ".")
		for _, find := range []func(string) (Column, bool){Find, FindColumn} {
			c, ok := find(key)
			sums.Add("search", fmt.Sprint(key, c.Key, c.Name, ok))
		}
	}
	sums.Check(t, "columns")
}
