package compare

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"dgplab/session/metric"
	"dgplab/session/rundir"
	"dgplab/session/watch"
)

// Accuracy tells how long methods train until their validation log-likelihood is close to the best of all
// runs on the same data, split and seed. Validations are means over 50 steps (see watch.Keeper).
type Accuracy struct {
	// Within is the distance from the best in nats.
	Within   float64  `json:"within"`
	Methods  []string `json:"methods"`
	Datasets []string `json:"datasets"`
	// Cells has shape [method][dataset].
	Cells [][]AccuracyCell `json:"cells"`
}

// AccuracyCell holds the means over the runs of a method on a data set that are close enough to the best.
type AccuracyCell struct {
	// Seconds is the training time and Steps is the number of steps, NaN if no run is close enough.
	Seconds Score         `json:"seconds"`
	Steps   rundir.Number `json:"steps"`
	// Reached of Runs runs were close enough.
	Reached int `json:"reached"`
	Runs    int `json:"runs"`
	// Gap is the mean distance of the best validations of the runs from the best of all.
	Gap rundir.Number `json:"gap"`
}

// validated is a run with its smoothed validations.
type validated struct {
	Run
	points []rundir.Point
	best   float64
}

// shared identifies runs with the same validation rows.
type shared struct {
	dataset int
	block   string
	seed    uint64
}

func (v validated) shared() shared { return shared{v.Dataset, v.block, v.Config.Seed} }

// Accuracy returns the training times until runs are within a number of nats of the best. It reads the report
// lines of all runs.
func (s *Set) Accuracy(within float64) (*Accuracy, error) {
	var runs []validated
	best := map[shared]float64{}
	for _, r := range s.Runs {
		v, err := validationsOf(r)
		if err != nil {
			return nil, err
		}
		if len(v.points) == 0 {
			continue
		}
		runs = append(runs, v)
		if old, known := best[v.shared()]; !known || v.best > old {
			best[v.shared()] = v.best
		}
	}
	if len(runs) == 0 {
		return nil, errors.New("no run has a validation")
	}
	a := &Accuracy{Within: within, Datasets: s.Datasets}
	for m, method := range s.Methods {
		a.Methods = append(a.Methods, method.Label)
		row := make([]AccuracyCell, len(s.Datasets))
		for d := range row {
			own := slices.DeleteFunc(slices.Clone(runs), func(v validated) bool {
				return v.Method != m || v.Dataset != d
			})
			row[d] = accuracyOf(own, best, within)
		}
		a.Cells = append(a.Cells, row)
	}
	return a, nil
}

// validationsOf reads the report lines of a run.
func validationsOf(r Run) (validated, error) {
	v := validated{Run: r, best: math.Inf(-1)}
	var window watch.Keeper
	_, err := rundir.ReadPoints(r.Dir, func(rundir.Point) bool { return true }, func(p rundir.Point) {
		if math.IsNaN(p.ValLogLik) || math.IsInf(p.ValLogLik, 0) {
			return
		}
		window.Add(p.Step, p.ValLogLik)
		p.ValLogLik = window.Mean()
		v.points = append(v.points, p)
		v.best = math.Max(v.best, p.ValLogLik)
	})
	if err != nil {
		err = fmt.Errorf("%s: %w", r.ID, err)
	}
	return v, err
}

// accuracyOf returns the cell of runs of one method on one data set.
func accuracyOf(runs []validated, best map[shared]float64, within float64) AccuracyCell {
	type arrival struct {
		block string
		point rundir.Point
	}
	c := AccuracyCell{Runs: len(runs)}
	var arrivals []arrival
	gaps, steps := 0.0, 0.0
	for _, v := range runs {
		goal := best[v.shared()] - within
		gaps += best[v.shared()] - v.best
		at := slices.IndexFunc(v.points, func(p rundir.Point) bool { return p.ValLogLik >= goal })
		if at >= 0 {
			arrivals = append(arrivals, arrival{v.block, v.points[at]})
			steps += float64(v.points[at].Step)
		}
	}
	c.Reached = len(arrivals)
	c.Gap = rundir.Number(gaps / float64(len(runs)))
	c.Steps = rundir.Number(steps / float64(len(arrivals)))
	c.Seconds = ScoreOf(Grouped(arrivals, func(a arrival) (string, float64, bool) {
		return a.block, a.point.Seconds, true
	}))
	return c
}

// Sheet formats the times.
func (a *Accuracy) Sheet() Sheet {
	s := Sheet{
		Title: fmt.Sprintf("seconds of training until the validation log-likelihood is within %g nats of "+
			"the best of all runs: mean (standard error)", a.Within),
		Names:   1,
		Columns: append([]string{"method"}, a.Datasets...),
		Notes: []string{
			"validations are means over 50 steps; [n of m]: the runs that come so close",
			"- [x]: no run does, and the best validation is x nats below the best of all runs",
		},
	}
	for i, method := range a.Methods {
		row := []Entry{name(method)}
		for _, c := range a.Cells[i] {
			row = append(row, c.entry())
		}
		s.Rows = append(s.Rows, row)
	}
	return s
}

// entry formats a cell.
func (c AccuracyCell) entry() Entry {
	switch {
	case c.Runs == 0:
		return number("")
	case c.Reached == 0:
		gap, _ := metric.WithError(float64(c.Gap), math.NaN())
		return number(absent + " [" + gap + "]")
	}
	e := measured(float64(c.Seconds.Mean), float64(c.Seconds.SE))
	if c.Reached < c.Runs {
		e.Text += fmt.Sprintf(" [%d of %d]", c.Reached, c.Runs)
	}
	return e
}
