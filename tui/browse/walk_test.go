package browse

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"dgplab/models"
	"dgplab/session/probe"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

// pick returns a random element of a list.
func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// randomInfo returns a random run with a number.
func randomInfo(r *rand.Rand, i int) rundir.Info {
	if r.IntN(4) == 0 {
		run := pick(r, someRuns())
		run.ID = fmt.Sprintf("20261120-1010%02d-a-star-%06d", i%60, i)
		return run
	}
	dataset := pick(r, []string{"energy", "boston", "/home/me/work/prices.csv", "/data/a/very/long/path.csv"})
	name := pick(r, []string{"star", "mean-field", "svgp"})
	run := ended(fmt.Sprintf("20261121-0101%02d-x-%s-%06d", i%60, name, i), dataset, name,
		rundir.Number(r.NormFloat64()-2))
	run.Config.Split, run.Config.Seed = fmt.Sprintf("standard:%d", r.IntN(3)), uint64(r.IntN(3))
	run.Step = r.IntN(3000)
	run.Steps = []int{0, 2000, run.Step}[r.IntN(3)]
	run.State = pick(r, []rundir.State{rundir.Ended, rundir.Ended, rundir.Running, rundir.Interrupted})
	run.Resumable = r.IntN(2) == 0
	run.Sweep = []string{"", "", "steps-star-inducing-9737cc"}[r.IntN(3)]
	run.Values = models.Values{"layers": fmt.Sprint(2 + r.IntN(2)), "widths": "5", "rate": "0.005",
		"kernel": pick(r, []string{"rbf", "matern32"}), "steps": "2000"}
	s := run.Results
	s.Seconds *= math.Exp(2 * r.NormFloat64())
	s.Stop = pick(r, []rundir.Stop{rundir.StopSteps, rundir.StopEarly, rundir.StopConverged,
		rundir.StopAsked})
	s.Rescues, s.KeptStep = max(0, r.IntN(9)-5), r.IntN(2000)
	s.Parameters = r.IntN(1e6)
	if r.IntN(3) == 0 {
		s.Drift = &rundir.Drift{From: 1000, To: 2000, Verdict: pick(r, []rundir.Verdict{rundir.Improving,
			rundir.Overfitting, rundir.Settled})}
	}
	if r.IntN(5) == 0 {
		s.Test.RMSE = number(rundir.Number(math.Inf(1)))
	}
	if run.State != rundir.Ended {
		run.Results = soFar(rundir.Point{Step: run.Step, Seconds: 24.3, Objective: -1234.5,
			Readings: kl(12.25)})
		run.Results = nil
	}
	if r.IntN(3) == 0 {
		run.Notes = rundir.Notes{Name: fmt.Sprint("name ", i), Tags: pick(r, [][]string{nil, {"paper"},
			{"paper", "old"}}), Note: pick(r, []string{"", "one line", "two\nlines"})}
	}
	return run
}

// randomWalk returns a walk over a browser. Its events change the runs and answer requests.
func randomWalk(seed uint64) *kittest.Walk {
	r := rand.New(rand.NewPCG(seed, 2))
	var runs []rundir.Info
	for i := range []int{3, 12, 40}[r.IntN(3)] {
		runs = append(runs, randomInfo(r, i))
	}
	d := newHarness(runs, 120, 40)
	w := kittest.NewWalk(d.Host, seed)
	w.Omits = []string{"(*Browse).predict"}
	w.Scripts = []string{
		"/ family:star", "/ ctrl+u rmse<3 enter", "/ -boston space val.best:* enter", "step>x",
		"/ ctrl+u tag:paper enter", "/ ctrl+u enter", "a", "t ctrl+e space new enter", "r ctrl+u 7 enter",
		"w é宽\\n enter", "space space space", "space space / ctrl+u svgp enter d",
		"space space / ctrl+u star enter enter", "f down down down 7 enter", "f kernel", "F enter",
		"f / s t", "p ctrl+u rows tab enter", "p ctrl+u /x enter", "p ctrl+u ~/work tab tab enter enter",
		"p ctrl+o down enter", "f down up ctrl+o end enter", "f down up ctrl+u ro tab", "left left left",
		"right right right", "/ ctrl+u fam tab", "/ nothing",
	}
	last := 60
	w.Events = []func(){
		func() {
			last++
			at := w.IntN(len(d.engine.runs) + 1)
			d.engine.runs = slices.Insert(d.engine.runs, at, randomInfo(w.Rand, last))
			d.refresh()
		},
		func() {
			if n := len(d.engine.runs); n > 1 {
				d.engine.runs = slices.Delete(d.engine.runs, n-1-w.IntN(3)%n, n)
				d.refresh()
			}
		},
		func() {
			d.engine.listErr = pick(w.Rand, []error{nil, nil, errors.New("permission denied")})
			d.refresh()
		},
		func() { w.Deliver(listDueMsg{d.browse.gen}) },
		func() {
			if len(d.browse.all) > 0 {
				run := pick(w.Rand, d.browse.all)
				s := kittest.Training(run.Config, 1000)
				d.Started = []kit.Run{kittest.NewRun(run.ID, s)}
			}
		},
		func() {
			if n := len(d.Starts); n > 0 {
				msg := kit.RunStartedMsg{Asked: d.Starts[n-1], Run: kittest.NewRun("x", nil)}
				if w.IntN(2) == 0 {
					msg.Run, msg.Err = nil, errors.New("four runs are going")
				}
				w.Deliver(msg)
			}
		},
		func() {
			p := d.browse.prediction
			if p == nil {
				return
			}
			p.rows.Store(int64(w.IntN(2000)))
			if w.IntN(2) == 0 {
				return
			}
			msg := predictedMsg{prediction: p, result: &probe.Predicted{Rows: w.IntN(3), Dropped: w.IntN(2),
				Scores: &rundir.Metrics{LogLik: -1.5, RMSE: number(2.25)}}}
			if w.IntN(3) == 0 {
				msg.result, msg.err = nil, errors.New("no column a\nin the file")
			}
			w.Deliver(msg)
		},
		func() {
			switch w.IntN(3) {
			case 0:
				w.Run(d.browse.Recover(errors.New("index out of range")))
			case 1:
				w.Deliver(changedMsg{err: errors.New("no space\nleft")})
			default:
				if p := d.browse.prediction; p != nil {
					p.cancel()
				}
			}
		},
	}
	return w
}

// Random keys over random runs never panic, and every frame fills the screen exactly.
func TestRandomWalks(t *testing.T) {
	kittest.Home(t, map[string]string{"rows.csv": "a,b", "rows-2.csv": "a", "notes.txt": "",
		"more/deep.csv": "", "more/and/deeper.csv": "c"})
	for seed := range uint64(6) {
		randomWalk(seed).Take(t, fmt.Sprint("walk ", seed), 80)
	}
}
