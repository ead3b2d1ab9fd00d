package dash

import (
	"fmt"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/tui/board"
	"dgplab/tui/kit"
	"dgplab/tui/report"
)

// Dash is the dashboard screen. It implements kit.Screen.
type Dash struct {
	host   kit.Host
	engine Engine
	w, h   int
	*board.Board

	watched []*watched // the runs of the board
	gen     int        // generation of the last added run
	// ticking is set while a frameDueMsg is pending.
	ticking bool
	// remembered holds the runs that were shown when the program last ended. They are shown again if the
	// dashboard would be empty.
	remembered []string

	bindings []kit.Binding
	page     int
	focus    []*board.Panel // one per page; nil stands for the first panel
	zoomed   bool

	exporting bool
	target    exportTarget
	prompt    *exportPrompt // nil if it is not open
	// generation counts the changes of what panels show, and diagnosed those of what panels of diagnostics
	// show.
	generation, diagnosed int
	drawings              map[*board.Panel]drawnPanel
}

// New returns a dashboard without runs.
func New(host kit.Host, e Engine) *Dash {
	d := newDash(host.Theme())
	d.host, d.engine = host, e
	return d
}

// newDash returns a dashboard without runs and without a host.
func newDash(th *kit.Theme) *Dash {
	d := &Dash{
		Board:    board.New(th),
		drawings: map[*board.Panel]drawnPanel{},
		target:   exportTarget{folder: usualFolder, format: exportFormats[0]},
	}
	d.focus = make([]*board.Panel, len(d.Pages))
	d.bindings = d.allBindings()
	d.Key = d.keyLabel
	return d
}

// Title returns the name of the screen.
func (d *Dash) Title() string { return "Dashboard" }

// Bindings returns the key bindings.
func (d *Dash) Bindings() []kit.Binding { return d.bindings }

// SetSize sets the size of the screen to w x h cells. The panels are drawn again even if it is the same,
// because bitmaps depend on the size of a cell.
func (d *Dash) SetSize(w, h int) {
	d.w = w
	d.h = h
	d.changed()
}

// Open shows exactly the runs of a kit.Watch. If they differ from the runs on the screen, the view is reset
// to the default. Without a payload, an empty dashboard shows the remembered runs. Open reads the names of
// the runs again, because they may have changed.
func (d *Dash) Open(payload any) tea.Cmd {
	d.changed()
	var cmd tea.Cmd
	if watch, ok := payload.(kit.Watch); ok {
		if !d.watches(watch.Runs) {
			d.resetView()
		}
		cmd = d.watch(watch.Runs)
	} else if len(d.Runs) == 0 && len(d.remembered) > 0 {
		cmd = d.watch(d.remembered)
	}
	return tea.Batch(cmd, d.readNames())
}

// watches reports whether exactly the runs with these identifiers are shown.
func (d *Dash) watches(ids []string) bool {
	missing := func(id string) bool { return d.place(id) < 0 }
	return len(ids) == len(d.Runs) && !slices.ContainsFunc(ids, missing)
}

// resetView restores the default view of the curves and shows all panels.
func (d *Dash) resetView() {
	d.ResetCurves()
	d.zoomed = false
}

// watch shows the runs with these identifiers in this order. Runs that are already shown keep their
// colours.
func (d *Dash) watch(ids []string) tea.Cmd {
	var list []tea.Cmd
	if n := len(ids) - kit.MostWatched; n > 0 {
		list = append(list, d.host.Say(kit.Warn,
			fmt.Sprintf("at most %d runs are shown together; %d left out", kit.MostWatched, n)))
		ids = ids[:kit.MostWatched]
	}
	d.remembered = nil
	d.show(slices.DeleteFunc(slices.Clone(d.watched), func(r *watched) bool {
		return !slices.Contains(ids, r.ID)
	}), 0)
	for _, id := range ids {
		if d.place(id) < 0 {
			list = append(list, d.load(id))
		}
	}
	slices.SortStableFunc(d.watched, func(a, b *watched) int {
		return slices.Index(ids, a.ID) - slices.Index(ids, b.ID)
	})
	d.show(d.watched, 0)
	return tea.Batch(append(list, d.poll())...)
}

// load adds the newest run of this program with the given identifier, or the run directory if there is none.
func (d *Dash) load(id string) tea.Cmd {
	for _, run := range slices.Backward(d.host.Runs()) {
		if run.ID() == id {
			d.add(d.ownRun(run))
			return nil
		}
	}
	r := &watched{Run: &board.Run{ID: id}}
	d.add(r)
	return open(d.engine, id, r.gen)
}

// ownRun returns a run of this program.
func (d *Dash) ownRun(run kit.Run) *watched {
	r := &watched{Run: &board.Run{ID: run.ID()}, own: run, over: !kit.Going(run)}
	r.take(run.Latest())
	return r
}

// poll schedules the next poll of the runs of this program while one of them is running. Latest is an atomic
// load, so that neither side waits for the other.
func (d *Dash) poll() tea.Cmd {
	going := func(r *watched) bool { return r.own != nil && !r.over }
	if d.ticking || !slices.ContainsFunc(d.watched, going) {
		return nil
	}
	d.ticking = true
	return tea.Tick(d.host.Frame(), func(time.Time) tea.Msg { return frameDueMsg{} })
}

// Update handles new snapshots, started and ended runs, and exports.
func (d *Dash) Update(msg tea.Msg) (cmd tea.Cmd, changed bool) {
	cmd, changed = d.update(msg)
	_, frame := msg.(frameDueMsg)
	switch {
	case changed && frame: // See refresh.
		d.generation++
	case changed:
		d.changed()
	}
	return cmd, changed
}

// changed makes all panels be drawn again.
func (d *Dash) changed() {
	d.generation++
	d.diagnosed++
}

func (d *Dash) update(msg tea.Msg) (cmd tea.Cmd, changed bool) {
	switch msg := msg.(type) {
	case frameDueMsg:
		d.ticking = false
		for _, r := range d.watched {
			if r.own != nil && !r.over && d.refresh(r) {
				changed = true
			}
		}
		return d.poll(), changed
	case recordReadMsg:
		return d.recordRead(msg)
	case kit.RunStartedMsg:
		if msg.Err != nil {
			return nil, false
		}
		return d.join(msg.Run), true
	case kit.RunEndedMsg:
		i := slices.IndexFunc(d.watched, func(r *watched) bool { return r.own == msg.Run })
		if i < 0 {
			return nil, false
		}
		d.watched[i].over = true
		d.refresh(d.watched[i])
		return nil, true
	case checkpointDiagnosedMsg:
		return d.checkpointDiagnosed(msg)
	case inputsReadMsg:
		return nil, d.inputsRead(msg)
	case suggestedMsg:
		return d.marked(msg)
	case namesReadMsg:
		return nil, d.namesRead(msg)
	case exportedMsg:
		return d.exported(msg.export), true
	}
	return nil, false
}

// refresh loads the newest snapshot of a run of this program and reports whether it is new.
func (d *Dash) refresh(r *watched) bool {
	before := r.Snapshot
	if !r.take(r.own.Latest()) {
		return false
	}
	now := r.Snapshot
	if before == nil || before.Split != now.Split {
		d.Relabel() // The split may be unknown until the data are loaded.
	}
	if before == nil || before.Diagnostics != now.Diagnostics || before.State != now.State ||
		before.Err != now.Err || before.Split != now.Split {
		d.diagnosed++
	}
	return true
}

// join shows a started run. A resumed run replaces its directory on the screen. If the screen is full, the
// run replaces the first run that has ended. The view is reset to the first page and the default unless a run
// on the screen is training.
func (d *Dash) join(run kit.Run) tea.Cmd {
	d.remembered = nil
	if i := d.place(run.ID()); i >= 0 {
		d.gen++
		r := d.ownRun(run)
		r.Index, r.gen = d.Runs[i].Index, d.gen
		d.watched[i] = r
		d.show(d.watched, i)
		return d.poll()
	}
	if !slices.ContainsFunc(d.watched, func(r *watched) bool { return !r.ended() }) {
		d.page = 0
		d.resetView()
	}
	var said tea.Cmd
	if len(d.Runs) == board.MostShown || len(d.Runs) == kit.MostWatched {
		over := slices.IndexFunc(d.watched, (*watched).ended)
		if over < 0 {
			return d.host.Say(kit.Warn,
				"the run has started but is not shown: the screen shows at most "+
					report.Plural(len(d.Runs), "run", "runs"))
		}
		said = d.host.Say(kit.Calm,
			d.Runs[over].Label+" was removed from the screen: at most "+
				report.Plural(len(d.Runs), "run", "runs"))
		d.remove(over)
	}
	d.add(d.ownRun(run))
	return tea.Batch(said, d.poll())
}

// onPage returns the index of the visible page. It is the selected page, or the first one if the selected
// page has no panels.
func (d *Dash) onPage() int {
	if d.pageBarred(d.page) != "" {
		return 0
	}
	return d.page
}

// Focused returns the focused panel.
func (d *Dash) Focused() *board.Panel {
	list := d.Panels(d.onPage())
	if p := d.focus[d.onPage()]; slices.Contains(list, p) {
		return p
	}
	return list[0]
}

// FocusOn focuses a panel and opens its page.
func (d *Dash) FocusOn(panel *board.Panel) {
	d.page = d.pageOf(panel)
	d.focus[d.page] = panel
}

// arrange returns the layout of the screen.
func (d *Dash) arrange() layout {
	tabs := d.tabs(d.onPage())
	focus := d.Focused()
	at := slices.IndexFunc(tabs, func(t tab) bool { return t.panel == focus })
	return arrange(d.w, d.h, d.Rows(), d.pageTabs(), tabs, at, d.zoomed)
}
