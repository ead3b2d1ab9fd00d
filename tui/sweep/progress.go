package sweep

import (
	"encoding/json"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session/metric"
	"dgplab/session/rundir"
	sweeps "dgplab/session/sweep"
	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz/canvas"
)

// panel is a panel of Progress, in the order of tab.
type panel int

const (
	panelCells panel = iota
	panelPlot
	panelScores
	numPanels
)

// otherPeriod is the interval between reads of a sweep that another process trains. Each read opens all run
// directories.
const otherPeriod = 2 * time.Second

// Progress is the screen of a sweep. It implements kit.Screen.
type Progress struct {
	*work
	w, h int

	name  string // "" before the first sweep
	gen   int    // generation of the sweep; messages of other generations are dropped
	state *sweeps.State
	err   error        // reason why there is no state
	live  kit.SweepRun // nil if this program does not run the sweep

	// tasks are the tasks of the sweep on Slurm, or nil if it was not submitted. changing is set while Slurm
	// is asked to change them.
	tasks    *sweeps.Tasks
	changing bool

	focus panel
	look  look
	// cell is the selected cell, top is the first visible cell, and page is the number of visible
	// cells at the last drawing.
	cell, top, page int
	cache           cache

	on        page
	comparing comparing
	// away is set while another screen is in front.
	away bool
}

// look holds the user's choices for the plot. New data do not change it.
type look struct {
	metric, axis string // "" for the first
	log          bool
	// curves is set if the validation curves replace the plot.
	curves bool
	// off excludes the baseline from the range of the plot.
	off bool
}

// Title returns the name of the screen.
func (p *Progress) Title() string { return "Sweep" }

// Bindings returns the keys.
func (p *Progress) Bindings() []kit.Binding { return progressBindings }

// SetSize sets the size of the screen.
func (p *Progress) SetSize(w, h int) {
	p.w = w
	p.h = h
}

// showSweep is the payload that shows a sweep.
type showSweep struct{ name string }

// Open shows a sweep if the payload is a showSweep.
func (p *Progress) Open(payload any) tea.Cmd {
	p.away = false
	if show, ok := payload.(showSweep); ok {
		return p.show(show.name)
	}
	if p.name != "" && p.live == nil {
		p.gen++
		return p.read() // The state may have changed.
	}
	return p.compareAgain()
}

// Leave stops reading a sweep of another process and comparing runs. It implements kit.Leaver.
func (p *Progress) Leave() {
	p.away = true
	if p.live == nil {
		p.gen++
	}
}

// show shows another sweep and keeps the choices for the plot.
func (p *Progress) show(name string) tea.Cmd {
	p.gen++
	p.live = p.going(name)
	if p.name != name {
		p.name = name
		p.state = nil
		p.err = nil
		p.tasks = nil
		p.cell = 0
		p.top = 0
		p.on = pageCells
		p.comparing.forget()
	}
	if p.live == nil {
		return p.read()
	}
	p.take(p.live.Latest())
	return tea.Batch(p.lookAgain(p.host.Frame()), p.compareAgain())
}

// read reads the state from the files in the background, and asks Slurm for the tasks of a submitted sweep.
func (p *Progress) read() tea.Cmd {
	gen, name, e, ctx := p.gen, p.name, p.engine, p.host.Context()
	return func() tea.Msg {
		began := time.Now()
		s, err := e.OpenSweep(name)
		var tasks *sweeps.Tasks
		if err == nil && s.Submitted {
			tasks, err = e.AskTasks(ctx, s)
		}
		return sweepOpenedMsg{gen, s, tasks, err, time.Since(began)}
	}
}

// lookAgain requests the state after a delay.
func (p *Progress) lookAgain(after time.Duration) tea.Cmd {
	gen := p.gen
	return tea.Tick(after, func(time.Time) tea.Msg { return stateTakenMsg{gen} })
}

// take sets the state to show and reports whether it is new.
func (p *Progress) take(s *sweeps.State) bool {
	if s == nil || s == p.state {
		return false
	}
	p.state, p.err, p.cache = s, nil, newCache(s)
	p.cell = min(p.cell, max(len(s.Cells)-1, 0))
	return true
}

// Update handles states, comparisons, and started and ended sweeps.
func (p *Progress) Update(msg tea.Msg) (cmd tea.Cmd, changed bool) {
	switch msg := msg.(type) {
	case stateTakenMsg:
		if msg.gen != p.gen {
			return nil, false
		}
		if p.live == nil {
			return p.read(), false
		}
		changed = p.take(p.live.Latest())
		return tea.Batch(p.lookAgain(p.host.Frame()), p.compareAgain()), changed
	case sweepOpenedMsg:
		return p.opened(msg)
	case tasksChangedMsg:
		return p.tasksChanged(msg), true
	case sweepStartedMsg:
		cmd := p.began(msg)
		if msg.err != nil {
			return cmd, true
		}
		return tea.Batch(cmd, p.show(msg.sweep.Name()), p.host.Go(kit.SweepProgress, nil)), true
	case sweepComparedMsg:
		return p.compared(msg)
	case methodsPairedMsg:
		return nil, p.paired(msg)
	case sweepEndedMsg:
		return p.ended(msg.sweep), true
	}
	return nil, false
}

// opened shows the state read from the files. If another process trains the sweep, it schedules the next
// read.
func (p *Progress) opened(msg sweepOpenedMsg) (cmd tea.Cmd, changed bool) {
	if msg.gen != p.gen || p.live != nil {
		return nil, false
	}
	if msg.err != nil {
		p.err = msg.err
		return nil, true
	}
	p.take(msg.state)
	p.tasks = msg.tasks
	switch {
	case p.onSlurm() || p.state.Count(sweeps.Running) > 0 && msg.tasks != nil:
		return tea.Batch(p.lookAgain(max(tasksPeriod, tasksShare*msg.took)), p.compareAgain()), true
	case msg.state.Phase == sweeps.Going:
		return tea.Batch(p.lookAgain(otherPeriod), p.compareAgain()), true
	}
	return p.compareAgain(), true
}

// ended reports the outcome of a sweep of this program.
func (p *Progress) ended(s kit.SweepRun) tea.Cmd {
	if s == p.live {
		p.take(s.Latest())
		p.live = nil
		p.gen++
	}
	last := s.Latest()
	tone := kit.Good
	if !last.Complete() {
		tone = kit.Warn
	}
	return tea.Batch(p.host.Say(tone, "sweep "+last.Name+": "+countsText(last)), p.compareAgain())
}

// kept is the saved state.
type kept struct {
	Metric, Axis string
	Log          bool
	Off          bool
}

// Keep returns the choices for the plot.
func (p *Progress) Keep() any { return kept{p.look.metric, p.look.axis, p.look.log, p.look.off} }

// Restore restores the choices for the plot.
func (p *Progress) Restore(state []byte) {
	var k kept
	if json.Unmarshal(state, &k) == nil {
		m, _ := metric.Find(k.Metric)
		p.look = look{metric: m.Key, axis: k.Axis, log: k.Log, off: k.Off}
	}
}

// Farewell returns lines with the outcome of a sweep and, unless it is complete, how to resume it.
func Farewell(s kit.SweepRun) []string {
	last := s.Latest()
	lines := []string{"sweep " + last.Name + ": " + countsText(last)}
	if !last.Complete() {
		lines = append(lines, "  resume with: "+report.Program()+" sweep --resume "+last.Name)
	}
	return lines
}

// chosen returns the selected cell, or nil if there is none.
func (p *Progress) chosen() *sweeps.CellState {
	if p.state == nil || p.cell >= len(p.state.Cells) {
		return nil
	}
	return &p.state.Cells[p.cell]
}

// metrics returns the available metrics, or all metrics before the first result.
func (p *Progress) metrics() []metric.Column {
	if p.state != nil && len(p.cache.measured) > 0 {
		return p.cache.measured
	}
	return metric.Ranked()
}

// metric returns the selected metric, or the first one.
func (p *Progress) metric() metric.Column {
	list := p.metrics()
	return list[max(slices.Index(metric.Keys(list), p.look.metric), 0)]
}

// axis returns the selected axis of the plot. The default is the first hyperparameter with several values, or
// the first axis with several values if there is no such hyperparameter.
func (p *Progress) axis() string {
	varied := p.state.Varied()
	switch {
	case slices.Contains(varied, p.look.axis):
		return p.look.axis
	case len(varied) == 0:
		return rundir.FamilyField
	}
	for _, a := range p.state.Grid.Set {
		if slices.Contains(varied, a.Name) {
			return a.Name
		}
	}
	i := slices.Index(varied, rundir.FamilyField)
	return varied[max(i, 0)]
}

// PlainText returns the focused panel as plain text.
func (p *Progress) PlainText() string {
	if p.state == nil {
		return ""
	}
	if p.on == pageCompare {
		return kit.Plain(p.sectionLines(p.comparing.focus, compareTextWidth))
	}
	switch p.focus {
	case panelPlot:
		return p.plotTitle() + "\n" + p.plainText(p.picture(), plotTextWidth, plotTextHeight)
	case panelScores:
		t := p.scores(textWidth)
		return p.plainText(t, textWidth, len(t.Rows)+3)
	}
	t := p.cells(0, len(p.state.Cells), textWidth)
	return p.plainText(t, textWidth, len(t.Rows)+3)
}

// plainText draws a picture as plain text.
func (p *Progress) plainText(picture interface {
	Render(style canvas.Style, w, h int) []string
}, w, h int) string {
	return kit.Plain(picture.Render(p.theme.VizStyle(), w, h))
}
