// Package rundirtest serves tests. It makes seeded random runs and predictions.
package rundirtest

import (
	"errors"
	"fmt"
	"math"

	"dgplab/datasets/table"
	"dgplab/datasets/task"
	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/rundir"
	"dgplab/viz/golden"
)

// NewFiller returns a filler that also draws runs and their parts.
func NewFiller(seed uint64) *golden.Filler {
	r := golden.NewTypicalFiller(seed)
	golden.Among(r, rundir.StopSteps, rundir.StopSteps, rundir.StopEarly, rundir.StopSettled,
		rundir.StopConverged, rundir.StopAsked, rundir.StopRung, rundir.StopFailed)
	golden.Among(r, rundir.Ended, rundir.Ended, rundir.Ended, rundir.Running, rundir.Interrupted)
	golden.Among(r, rundir.Rising, rundir.Falling, rundir.Level, rundir.Uncertain)
	golden.Among(r, rundir.Improving, rundir.Overfitting, rundir.Settled, rundir.Settled, rundir.Undecided)
	golden.Among(r, family.Bound, family.Surrogate, family.Energy, family.LogJoint, family.Evidence)
	golden.Among(r, task.Regression, task.Binary, task.Multiclass, task.Count)
	golden.Among(r, rundir.AlarmNonFinite, rundir.AlarmObjective, rundir.AlarmFall, rundir.AlarmMixing,
		rundir.AlarmRescues)
	golden.Draw(r, func() rundir.Number { return rundir.Number(r.Float()) })
	golden.Draw(r, func() float64 { // Files hold missing numbers as rundir.Number.
		for {
			if x := r.Float(); x-x == 0 {
				return x
			}
		}
	})
	golden.Field(r, "Key", "kl", "data", "energy", "rate")
	golden.Field(r, "Coverage", nil, map[string]rundir.Number{"50": 0.52, "90": 0.8871, "95": 1},
		map[string]rundir.Number{"95": 0.9, "90": rundir.Number(math.NaN())})
	reliable := rundir.Number(0.7)
	largest := rundir.Number(1.25)
	golden.Field(r, "Reliable", &reliable)
	golden.Field(r, "LargestK", &largest)
	golden.Draw(r, func() models.Values { return models.Values(settings(r)) })
	golden.Draw(r, func() table.Choices {
		return golden.Pick(r, table.Choices{}, table.Choices{}, table.Choices{Ignore: []string{"id", "a b"}},
			table.Choices{Missing: table.MissingDrop, Log: []string{"3"}, Levels: 7})
	})
	golden.Draw(r, func() rundir.Config {
		c := rundir.Config{Columns: golden.Of[table.Choices](r), Set: settings(r), Seed: uint64(r.IntN(3))}
		c.Dataset = golden.Pick(r, "energy", "boston", "/data/boston.csv", "/old data/boston.csv")
		c.Family = golden.Pick(r, "star", "svgp", "mean-field", "linear", "gone")
		c.Split = golden.Pick(r, "standard:0", "standard:1", "standard:12", "interpolation:0", "")
		c.Preset = golden.Pick(r, "", "", "lindinger2020", "gone")
		c.Targets = golden.Pick(r, nil, nil, nil, []string{"y1"}, []string{"y1", "y, 2"})
		return c
	})
	golden.Draw(r, func() rundir.Info { return info(r) })
	golden.Draw(r, func() rundir.DataFacts {
		d := rundir.DataFacts{Task: golden.Of[task.Task](r), Rows: 100 + r.IntN(2000), N: r.IntN(1500),
			Validation: r.IntN(200), Test: r.IntN(200), D: r.IntN(14), P: 1 + r.IntN(3)}
		for k := range golden.Pick(r, 0, 0, 2, 3) {
			d.Classes = append(d.Classes, fmt.Sprint("class ", k))
			d.Counts = append(d.Counts, r.IntN(900))
		}
		d.Uses = golden.Pick(r, "", "", "", "the rows that have y1")
		d.TestSHA256 = golden.Pick(r, "", "a1", "b2")
		return d
	})
	golden.Draw(r, func() *rundir.Predictions {
		return golden.Pick(r, nil, Predictions(r, 2+r.IntN(30), 1+r.IntN(2), golden.Pick(r, 0, 0, 2, 3)))
	})
	golden.Draw(r, func() rundir.Notes {
		return rundir.Notes{Name: golden.Pick(r, "", "", "Größte Reise", "fig2", "a b"),
			Tags: golden.Pick(r, nil, nil, []string{"paper"}, []string{"Fig3", "old"}),
			Note: golden.Pick(r, "", "", "two words", "first line\nsecond *line*")}
	})
	return r
}

// settings returns values of some hyperparameters.
func settings(r *golden.Filler) map[string]string {
	set := map[string]string{}
	for _, s := range []struct {
		name   string
		values []string
	}{
		{"inducing", []string{"64", "064", "128", "16"}}, {"learning_rate", []string{"0.01", "1e-2",
			"0.005"}},
		{"whiten", []string{"on", "off", "true"}}, {"width", []string{"5", "2,3"}},
		{"layers", []string{"2", "3"}}, {"kernel", []string{"rbf", "matern32"}},
		{"steps", []string{"100", "2000"}}, {"epochs", []string{"0", "5"}}, {"batch", []string{"512"}},
		{"budget", []string{"", "10m"}}, {"metrics_every", []string{"1", "10"}}, {"own", []string{"x", "7"}},
	} {
		if r.IntN(3) == 0 {
			set[s.name] = s.values[r.IntN(len(s.values))]
		}
	}
	return set
}

// info returns a run as rundir.List returns it.
func info(r *golden.Filler) rundir.Info {
	i := rundir.Info{ConfigFile: golden.Of[rundir.ConfigFile](r)}
	i.ID = fmt.Sprintf("202611%02d-%06d-data-%s-%06x", 1+r.IntN(28), r.IntN(235959), i.Config.Family,
		r.IntN(1<<24))
	i.Dir = "/runs/" + i.ID
	i.Parent = golden.Pick(r, "", "", "20261101-000000-energy-star-0a0b0c")
	i.Sweep = golden.Pick(r, "", "first", "depth")
	i.Notes = golden.Of[rundir.Notes](r)
	i.Changed = i.Created
	i.State = golden.Of[rundir.State](r)
	i.Steps = golden.Pick(r, 0, 100, 2000, 30000)
	i.Step = r.IntN(i.Steps + 1)
	i.Resumable = r.IntN(2) == 0
	s := golden.Of[rundir.Summary](r)
	s.ID, s.Dir, s.Config, s.Values, s.Data = i.ID, i.Dir, i.Config, i.Values, i.Data
	s.ObjectiveIs = i.ObjectiveIs
	s.Step, s.KeptStep, s.BestStep = i.Step, golden.Pick(r, 0, i.Step, i.Step/2), i.Step/3
	if s.Test == nil && r.IntN(2) == 0 {
		s.Test = new(rundir.Metrics)
		*s.Test = golden.Of[rundir.Metrics](r)
	}
	switch {
	case r.IntN(30) == 0:
		i = rundir.Info{ConfigFile: rundir.ConfigFile{ID: i.ID, Created: i.Created}, Dir: i.Dir,
			State: rundir.Broken, Err: errors.New("config.json: torn")}
	case i.State == rundir.Ended:
		if r.IntN(2) == 0 {
			i.Step, s.Step = i.Steps, i.Steps
		}
		i.Summary = &s
	case r.IntN(3) > 0:
		s.Stop = ""
		i.SoFar = &s
	}
	return i
}

// Runs returns random runs.
func Runs(r *golden.Filler, n int) []rundir.Info {
	list := make([]rundir.Info, n)
	for i := range list {
		list[i] = golden.Of[rundir.Info](r)
	}
	return list
}

// Predictions returns predictions for n points: of real targets, or of classes if classes is at least 2.
func Predictions(r *golden.Filler, n, targets, classes int) *rundir.Predictions {
	p := &rundir.Predictions{N: n, P: targets, Of: n, Near: 50, Training: 80}
	if classes > 1 {
		p.P = 1
	}
	for k := range p.P {
		p.Names = append(p.Names, fmt.Sprint("y", k))
	}
	columns := classes
	if classes == 2 {
		columns = 1
	}
	for i := range n {
		p.Rows = append(p.Rows, 3*i)
		p.LogLik = append(p.LogLik, r.NormFloat64()-1)
		p.Distance = append(p.Distance, r.ExpFloat64())
		for range columns {
			p.Probability = append(p.Probability, (0.1+r.Float64())/1.2/float64(max(columns, 1)))
		}
		if classes > 1 {
			p.Target = append(p.Target, classTarget(r, classes))
			continue
		}
		for range p.P {
			mean := 3 * r.NormFloat64()
			p.Mean = append(p.Mean, mean)
			p.Variance = append(p.Variance, 0.05+r.ExpFloat64())
			p.Target = append(p.Target, math.Round(1e3*(mean+r.NormFloat64()))/1e3)
			p.PIT = append(p.PIT, r.Float64())
			if p.P > 1 {
				p.LogLikByTarget = append(p.LogLikByTarget, r.NormFloat64()-1)
			}
		}
	}
	for k := range classes {
		p.Classes = append(p.Classes, fmt.Sprint("class ", k))
	}
	return p
}

// classTarget returns a class as Predictions holds it.
func classTarget(r *golden.Filler, classes int) float64 {
	if classes == 2 {
		return golden.Pick(r, -1.0, 1)
	}
	return float64(r.IntN(classes))
}
