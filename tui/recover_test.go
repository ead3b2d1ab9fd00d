package tui

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"dgplab/session"
	"dgplab/session/probe"
	"dgplab/session/rundir"
	"dgplab/tui/dash"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

// folders is a dash.Engine whose run directories show given snapshots.
type folders map[string]*session.Snapshot

func (f folders) Open(id string) (dash.Record, error) {
	if f[id] == nil {
		return nil, errors.New("no run " + id)
	}
	return folder{id, f[id]}, nil
}

func (folders) Names([]string) map[string]string { return nil }

func (folders) Diagnose(context.Context, string) (*rundir.Diagnostics, error) {
	return nil, errors.New("no checkpoint")
}

func (folders) Suggest(context.Context, string) (*probe.Suggestions, error) {
	return nil, errors.New("no checkpoint")
}

func (folders) TestInputs(context.Context, string) (*session.TestInputs, error) {
	return nil, errors.New("no data")
}

// folder is a run directory.
type folder struct {
	id   string
	snap *session.Snapshot
}

func (f folder) ID() string                         { return f.id }
func (f folder) Dir() string                        { return "/runs/" + f.id }
func (f folder) Latest() (*session.Snapshot, error) { return f.snap, nil }

func (folders) Exports(string) (dash.Exports, error) { return nil, errors.New("read only") }

// truncated returns predictions that lack most of their values.
func truncated() *rundir.Predictions {
	p := &rundir.Predictions{N: 50, P: 1, Of: 50, Near: 100, Training: 100, Names: []string{"y"}}
	for i := range p.N {
		p.Rows = append(p.Rows, i)
		p.Target = append(p.Target, float64(i%7))
		p.LogLik = append(p.LogLik, -1)
		p.PIT = append(p.PIT, 0.5)
	}
	p.Mean, p.Variance, p.Distance = []float64{1}, []float64{1}, []float64{1}
	return p
}

// A run of another program that panics while it is drawn is removed from the screen. Other runs stay on the
// screen, and no run of this program ends.
func TestPanicWhileDrawing(t *testing.T) {
	e := kittest.NewEngine()
	a := testApp(e, 120, 40)
	good := kittest.Ended(rundir.Config{Dataset: "steps", Family: "star", Seed: 1}, rundir.StopSteps)
	bad := *kittest.Ended(rundir.Config{Dataset: "steps", Family: "star", Seed: 2}, rundir.StopSteps)
	bad.Predictions = truncated()
	i := slices.IndexFunc(a.screens, func(s screen) bool { return s.id == kit.Dash })
	a.screens[i].Screen = dash.New(a, folders{"good": good, "bad": &bad})
	a.screens[i].SetSize(120, 40)
	begin(a, someConfig)
	g := &guard{model: a}
	soon(a, a.Go(kit.Dash, kit.Watch{Runs: []string{"good", "bad", "fake-1"}}))
	said := ""
	for _, key := range []string{"3", "tab", "6", "1", "2"} {
		g.Update(kittest.Press(key))
		if g.crash != nil {
			t.Fatalf("key %s ends the program: %v\n%s", key, g.crash.value, g.crash.stack)
		}
		kittest.CheckFrame(t, key, g.View(), 120, 40)
		for line := range strings.SplitSeq(g.View(), "\n") {
			if strings.Contains(line, "cannot show") {
				said += key + strings.TrimRight(line, " ")
			}
		}
	}
	const want = "3 cannot show bad: internal error: " +
		"runtime error: index out of range [1] with length 1 (calibration.go:"
	if !strings.HasPrefix(said, want) {
		t.Errorf("message %q, want %q", said, want)
	}
	view := g.View()
	stay := strings.Contains(view, "seed 1") && strings.Contains(view, "mountaincar")
	if strings.Contains(view, "seed 2") || !stay {
		t.Errorf("the screen shows\n%s", view)
	}
	if e.Runs()[0].Count("cancel") != 0 || !kit.Going(e.Runs()[0]) {
		t.Error("the run of this program has ended")
	}
}
