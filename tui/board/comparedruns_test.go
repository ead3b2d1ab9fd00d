package board

import (
	"fmt"
	"math"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/rundir"
	"dgplab/tui/kit/kittest"
)

// setGradient sets the gradient norm of a point.
func setGradient(p rundir.Point, norm float64) {
	for i := range p.Readings {
		if p.Readings[i].Key == family.GradientNorm.Key {
			p.Readings[i].Value = norm
		}
	}
}

// four returns a finished run, a training run with an evaluation, a training run without one, and a run in
// preparation.
func four() []comparedRun {
	star := kittest.Ended(kittest.Boston("star", 0, nil), rundir.StopSteps)
	star.Values, star.Diagnostics = star.Set, kittest.Health(1200)
	kittest.Evaluated(star, kittest.Predictions(0, 51, 1, 1, 1))

	field := kittest.Training(kittest.Boston("mean-field", 0, models.Values{"inducing": "128"}), 1240)
	field.Values = field.Set
	field.StepsPerSecond = 71.5
	field.Diagnostics = kittest.Health(1100)
	field.Rescues = 12
	kittest.Evaluated(field, kittest.Predictions(0, 51, 1, 1.4, 2))
	for i := range field.Curve {
		setGradient(field.Curve[i], 500*math.Exp(-float64(i)/40)+20+10*math.Sin(float64(i)))
	}
	field.Alarms = []rundir.Alarm{{Kind: rundir.AlarmCollapse, Since: 1000,
		Text: "layer 2 has collapsed: its samples follow the mean function"}}

	full := kittest.Training(kittest.Boston("fully-coupled", 0, models.Values{"layers": "3"}), 300)
	star.ID, field.ID, full.ID = "fake-1", "fake-2", "fake-3"
	full.Values, full.ValPoints, full.Data.Validation = full.Set, 40, 180
	full.Objective = rundir.Number(math.NaN())
	return []comparedRun{
		{Snapshot: star, Index: 0, Label: "stripes-and-arrow"},
		{Snapshot: field, Index: 1, Label: "mean-field 128", Chosen: true},
		{Snapshot: full, Index: 2, Label: "fully coupled"}, {Index: 3, Label: "to come"},
	}
}

// two returns the first two runs of four.
func two() []comparedRun { return four()[:2] }

// splits returns two methods on two splits each.
func splits() []comparedRun {
	var runs []comparedRun
	for i, family := range []string{"star", "mean-field"} {
		for split := range 2 {
			s := kittest.Ended(kittest.Boston(family, split, nil), rundir.StopSteps)
			s.ID, s.Values = fmt.Sprintf("fake-%d", len(runs)+1), s.Set
			runs = append(runs, comparedRun{
				Snapshot: kittest.Evaluated(s,
					kittest.Predictions(split, 51, 1, 1+0.5*float64(i), uint64(split))),
				Index: len(runs),
				Label: fmt.Sprintf("%s %d", family, split),
			})
		}
	}
	return runs
}

// classifiers returns two runs on a data set with classes.
func classifiers() []comparedRun {
	var runs []comparedRun
	for i, family := range []string{"star", "mean-field"} {
		s := kittest.Ended(kittest.Boston(family, 0, nil), rundir.StopEarly)
		s.ID, s.Values = fmt.Sprintf("fake-%d", i+1), s.Set
		p := kittest.Classes(400, 3)
		if i == 1 {
			for k := range p.Probability {
				p.Probability[k] = math.Sqrt(p.Probability[k])
				p.LogLik[k] = math.Log(math.Max(0.01, 0.5+p.Target[k]*(p.Probability[k]-0.5)))
			}
		}
		runs = append(runs, comparedRun{Snapshot: kittest.Evaluated(s, p), Index: i, Label: family})
	}
	return runs
}
