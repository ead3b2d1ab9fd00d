package board

import (
	"fmt"
	"math"
	"slices"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session"
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

// labelled returns a run with a colour and a label. It may have no snapshot.
func labelled(s *session.Snapshot, index int, label string) *Run {
	r := &Run{ID: "no snapshot", Snapshot: s, Index: index, Label: label, Brief: label}
	if s != nil {
		r.ID = s.ID
	}
	return r
}

// boardOf returns a board of labelled runs. The run with the index chosen is selected.
func boardOf(chosen int, runs ...*Run) *Board {
	b := New(kittest.PlainTheme())
	b.Runs, b.Chosen = runs, chosen
	b.group()
	return b
}

// only returns a board with some of the runs. The selected run stays selected if it is among them; otherwise
// the first one is selected.
func (b *Board) only(indices ...int) *Board {
	var runs []*Run
	for _, i := range indices {
		runs = append(runs, b.Runs[i])
	}
	return boardOf(max(slices.Index(runs, b.Current()), 0), runs...)
}

// four returns a finished run, a training run with an evaluation, which is selected, a training run without
// one, and a run in preparation.
func four() *Board {
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
	return boardOf(1, labelled(star, 0, "stripes-and-arrow"), labelled(field, 1, "mean-field 128"),
		labelled(full, 2, "fully coupled"), labelled(nil, 3, "to come"))
}

// two returns the first two runs of four.
func two() *Board { return four().only(0, 1) }

// splits returns two methods on two splits each.
func splits() *Board {
	var runs []*Run
	for i, family := range []string{"star", "mean-field"} {
		for split := range 2 {
			s := kittest.Ended(kittest.Boston(family, split, nil), rundir.StopSteps)
			s.ID, s.Values = fmt.Sprintf("fake-%d", len(runs)+1), s.Set
			kittest.Evaluated(s, kittest.Predictions(split, 51, 1, 1+0.5*float64(i), uint64(split)))
			runs = append(runs, labelled(s, len(runs), fmt.Sprintf("%s %d", family, split)))
		}
	}
	return boardOf(0, runs...)
}

// classifiers returns two runs on a data set with classes.
func classifiers() *Board {
	var runs []*Run
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
		runs = append(runs, labelled(kittest.Evaluated(s, p), i, family))
	}
	return boardOf(0, runs...)
}
