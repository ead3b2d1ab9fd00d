package board

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
	"dgplab/tui/report"
	"dgplab/viz/figure"
	"dgplab/viz/golden"
)

var someConfig = rundir.Config{Dataset: "mountaincar", Family: "star"}

// stage is a board on a screen that shows one panel with its border in w x h cells.
type stage struct {
	*Board
	panel *Panel
	w, h  int
	said  string // the last message
}

// newStage returns a stage of runs with the given snapshots. The first run is selected, and the objective is
// shown.
func newStage(snapshots ...*session.Snapshot) *stage {
	s := &stage{Board: New(kittest.PlainTheme()), w: 80, h: 20}
	for _, snapshot := range snapshots {
		s.start(snapshot)
	}
	s.Chosen = 0
	s.panel = s.Pages[0].Panels[0]
	return s
}

// several returns a stage of up to four runs.
func several(runs int) *stage { return newStage(kittest.Several()[:runs]...) }

// showing returns a stage of runs with the snapshots of a board.
func showing(set *Board) *stage {
	var list []*session.Snapshot
	for _, r := range set.Runs {
		list = append(list, r.Snapshot)
	}
	return newStage(list...)
}

// start adds and selects a run.
func (s *stage) start(snapshot *session.Snapshot) *Run {
	r := &Run{ID: fmt.Sprintf("fake-%d", len(s.Runs)+1), Snapshot: snapshot}
	if snapshot != nil {
		snapshot.ID = r.ID
	}
	s.Add(r)
	return r
}

// named returns the panel with a name.
func (b *Board) named(name string) *Panel {
	for _, p := range b.AllPanels() {
		if p.Name == name {
			return p
		}
	}
	panic("no panel " + name)
}

// see shows another panel.
func (s *stage) see(name string) *stage {
	s.panel = s.named(name)
	return s
}

// frame draws the panel.
func (s *stage) frame() string {
	at := kit.Area(0, 0, s.w, s.h)
	inner := at.Inner()
	title, note := s.panel.Border(s.Board, s.w)
	body := s.panel.Body(s.Board, inner.W, inner.H)
	content := kit.Content{Title: title, Note: note, Lines: body}
	return strings.Join(s.Theme.Panel(at, false, content, true), "\n")
}

// frameAt draws the panel in w x h cells.
func (s *stage) frameAt(w, h int) string {
	s.w, s.h = w, h
	return s.frame()
}

// do performs actions in the panel or in the first one that has them. Arrows select another run if they do
// nothing else.
func (s *stage) do(acts ...kit.Action) {
	for _, act := range acts {
		across, down := 0, 0
		switch act {
		case kit.ActLeft:
			across = -1
		case kit.ActRight:
			across = 1
		case kit.ActUp:
			down = -1
		case kit.ActDown:
			down = 1
		default:
			s.said = s.act(act)
			continue
		}
		s.said = s.arrow(across, down)
	}
}

func (s *stage) arrow(across, down int) string {
	if s.panel.Mover != nil {
		if said, taken := s.panel.Mover.Move(s, across, down); taken {
			return said
		}
	}
	c, by := s.panel.ArrowChoice(s.Board, across, down)
	if by != 0 {
		said, _ := s.Turn(s.panel, c, by)
		return said
	}
	if c == nil && len(s.Runs) > 0 {
		s.Chosen = (s.Chosen + across + down + len(s.Runs)) % len(s.Runs)
	}
	return ""
}

func (s *stage) act(act kit.Action) string {
	for _, p := range append([]*Panel{s.panel}, s.AllPanels()...) {
		if p.Mover != nil {
			if said, taken := p.Mover.Act(s, act); taken {
				return said
			}
		}
		if c, _ := p.Acts(act); c != nil {
			said, _ := s.Turn(s.Next(p, c))
			return said
		}
	}
	return "no panel acts"
}

// chosen returns the value of a choice in a panel.
func (s *stage) chosen(panel string, choice int) int { return s.Value(s.named(panel).Choices[choice]) }

// Inside returns the inside of the panel. It implements Screen, like the following methods.
func (s *stage) Inside(p *Panel) (r kit.Rect) {
	if p == s.panel {
		r = kit.Area(0, 0, s.w, s.h).Inner()
	}
	return r
}

func (s *stage) Shows(p *Panel) bool { return p == s.panel }
func (s *stage) Focused() *Panel     { return s.panel }
func (s *stage) FocusOn(p *Panel)    { s.panel = p }
func (s *stage) Enlarge(p *Panel)    { s.panel = p }

// checkPanel compares a panel of 80 x 20 cells with a golden file, and draws it at the usual sizes.
func checkPanel(t *testing.T, name, panel string, snapshot *session.Snapshot, acts ...kit.Action) *stage {
	t.Helper()
	s := newStage(snapshot).see(panel)
	s.h = 19
	s.do(acts...)
	s.h = 20
	golden.Check(t, "panel_"+name, kittest.Trim(s.frame()))
	for _, size := range kittest.Sizes {
		s.w, s.h = size[0], size[1]
		kittest.CheckFrame(t, name, s.frame(), s.w, s.h)
	}
	s.w, s.h = 80, 19
	return s
}

// exports returns the exported tables and vector graphics by file name.
func (b *Board) exports(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, f := range report.Files(b.Figures(), report.CSV, figure.SVG) {
		var text strings.Builder
		err := f.Write(&text)
		switch {
		case err == nil:
			files[f.Name] = text.String()
		case !errors.Is(err, figure.ErrNothing): // Empty pictures are omitted.
			t.Errorf("%s: %v", f.Name, err)
		}
	}
	return files
}

// moreSets returns sets of runs with panels that an ordinary run of regression does not have.
func moreSets() map[string][]*session.Snapshot {
	sets := map[string][]*session.Snapshot{"view": {kittest.ViewRun(kittest.AllViews(), 1240)}}
	for name, set := range map[string]*Board{
		"classes": classifiers(), "three classes": threeClassRuns(), "splits": splits(),
	} {
		for _, r := range set.Runs {
			sets[name] = append(sets[name], r.Snapshot)
		}
	}
	exact := splits().Runs[0].Snapshot
	sampled := splits().Runs[2].Snapshot
	exact.LeaveOneOut = &rundir.LeaveOneOut{Metrics: *exact.Test, Of: 51, Exact: true}
	limit := rundir.Number(0.7)
	sampled.LeaveOneOut = &rundir.LeaveOneOut{Metrics: *sampled.Test, Of: 900, Reliable: &limit,
		Unreliable: 3}
	for _, s := range []*session.Snapshot{exact, sampled} {
		s.LeftOut = s.Predictions
		sets["left out"] = append(sets["left out"], s)
	}
	return sets
}
