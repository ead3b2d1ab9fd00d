package dash

import (
	"fmt"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/tui/kit"
)

// Dash is the screen that watches runs; it is a kit.Screen.
type Dash struct {
	host   kit.Host
	engine Engine
	theme  *kit.Theme
	w, h   int

	runs   []*watchedRun // at most kit.MostWatched
	chosen int
	// groups holds the places of runs that differ in the seed alone.
	groups [][]int
	// mixed says that runs of a group have its colour.
	mixed bool
	gen   int // of the run that was added last
	// ticking says that a frameDueMsg is on its way.
	ticking bool
	// remembered are the runs of the last time, shown if nothing else is.
	remembered []string

	pages    []page
	bindings []kit.Binding
	page     int
	focus    []*panel // of each page; nil for its first
	zoomed   bool
	curves   *curveView
	table    *tablePanel

	exporting bool
	cache     map[*panel]panelCache
}

// New returns a dashboard that shows no run yet.
func New(host kit.Host, e Engine) *Dash {
	d := &Dash{
		host:   host,
		engine: e,
		theme:  host.Theme(),
		curves: &curveView{curveSettings: firstSettings},
		table:  &tablePanel{},
		cache:  map[*panel]panelCache{},
	}
	d.pages = newPages(d.curves, d.table)
	d.focus = make([]*panel, len(d.pages))
	d.bindings = d.allBindings()
	return d
}

// Title names the screen.
func (d *Dash) Title() string { return "Dashboard" }

// Bindings returns the keys.
func (d *Dash) Bindings() []kit.Binding { return d.bindings }

// SetSize gives the screen w x h cells.
func (d *Dash) SetSize(w, h int) {
	d.w = w
	d.h = h
}

// Open shows exactly the runs of a kit.Watch. Without one an empty dashboard shows
// the runs of the last time. What runs are called may have changed meanwhile.
func (d *Dash) Open(payload any) tea.Cmd {
	var cmd tea.Cmd
	if watch, ok := payload.(kit.Watch); ok {
		cmd = d.watch(watch.Runs)
	} else if len(d.runs) == 0 && len(d.remembered) > 0 {
		cmd = d.watch(d.remembered)
	}
	return tea.Batch(cmd, d.readNames())
}

// watch shows the runs of these identifiers, in this order. Those that were on the
// screen keep their colours.
func (d *Dash) watch(ids []string) tea.Cmd {
	before := d.runs
	var list []tea.Cmd
	if n := len(ids) - kit.MostWatched; n > 0 {
		list = append(list, d.host.Say(kit.Warn,
			fmt.Sprintf("at most %d runs are shown together; %d left out", kit.MostWatched, n)))
		ids = ids[:kit.MostWatched]
	}
	d.runs, d.chosen, d.remembered = nil, 0, nil
	for _, r := range before {
		if slices.Contains(ids, r.id) {
			d.runs = append(d.runs, r) // Its colour is taken.
		}
	}
	for _, id := range ids {
		if d.place(id) < 0 {
			list = append(list, d.bring(id))
		}
	}
	slices.SortStableFunc(d.runs, func(a, b *watchedRun) int {
		return slices.Index(ids, a.id) - slices.Index(ids, b.id)
	})
	d.chosen = 0
	d.relabel()
	return tea.Batch(append(list, d.poll())...)
}

// bring puts a run on the screen: the newest of this program with that identifier, or
// else the run directory.
func (d *Dash) bring(id string) tea.Cmd {
	for _, run := range slices.Backward(d.host.Runs()) {
		if run.ID() == id {
			d.add(d.own(run))
			return nil
		}
	}
	r := &watchedRun{id: id}
	d.add(r)
	return open(d.engine, id, r.gen)
}

// own returns a run of this program to be shown.
func (d *Dash) own(run kit.Run) *watchedRun {
	r := &watchedRun{id: run.ID(), run: run, over: !kit.Going(run)}
	r.take(run.Latest())
	return r
}

// poll asks for the next look at the runs of this program, while one of them goes
// on. Latest is one atomic load, so neither side waits for the other.
func (d *Dash) poll() tea.Cmd {
	going := func(r *watchedRun) bool { return r.run != nil && !r.over }
	if d.ticking || !slices.ContainsFunc(d.runs, going) {
		return nil
	}
	d.ticking = true
	return tea.Tick(d.host.Frame(), func(time.Time) tea.Msg { return frameDueMsg{} })
}

// Update takes snapshots, new runs, the ends of runs and of an export.
func (d *Dash) Update(msg tea.Msg) (cmd tea.Cmd, changed bool) {
	switch msg := msg.(type) {
	case frameDueMsg:
		d.ticking = false
		for _, r := range d.runs {
			if r.run != nil && !r.over && d.refresh(r) {
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
		i := slices.IndexFunc(d.runs, func(r *watchedRun) bool { return r.run == msg.Run })
		if i < 0 {
			return nil, false
		}
		d.runs[i].over = true
		d.refresh(d.runs[i])
		return nil, true
	case lookedIntoMsg:
		return d.lookedInto(msg)
	case namesReadMsg:
		return nil, d.namesRead(msg)
	case exportDoneMsg:
		return d.exportDone(msg), true
	}
	return nil, false
}

// refresh looks at a run of this program and reports whether there was something new.
func (d *Dash) refresh(r *watchedRun) bool {
	before := r.snap
	if !r.take(r.run.Latest()) {
		return false
	}
	if before == nil || before.Split != r.snap.Split {
		d.relabel() // Until the data are there a run may not know its split.
	}
	return true
}

// join shows a run that was started: in the place of the directory that it goes on
// with, beside the others, or, when there are as many as may be, in the place of the
// first that has ended.
func (d *Dash) join(run kit.Run) tea.Cmd {
	d.remembered = nil
	if i := d.place(run.ID()); i >= 0 {
		old := d.runs[i]
		d.gen++
		d.runs[i] = d.own(run)
		d.runs[i].index, d.runs[i].gen = old.index, d.gen
		d.chosen = i
		d.relabel()
		return d.poll()
	}
	var said tea.Cmd
	if len(d.runs) == mostShown || len(d.runs) == kit.MostWatched {
		over := slices.IndexFunc(d.runs, func(r *watchedRun) bool { return r.ended() })
		if over < 0 {
			return d.host.Say(kit.Warn,
				"the run has started but is not shown: at most "+
					kit.Plural(len(d.runs), "run is", "runs are")+" on the screen")
		}
		said = d.host.Say(kit.Calm,
			d.runs[over].label+" has left the screen: at most "+kit.Plural(len(d.runs), "run", "runs"))
		d.remove(over)
	}
	d.add(d.own(run))
	return tea.Batch(said, d.poll())
}

// onPage returns the page that is shown: the one that was turned to, while it is there.
func (d *Dash) onPage() int {
	if d.pageBarred(d.page) != "" {
		return 0
	}
	return d.page
}

// focused returns the panel in focus.
func (d *Dash) focused() *panel {
	list := d.panels(d.onPage())
	if p := d.focus[d.onPage()]; slices.Contains(list, p) {
		return p
	}
	return list[0]
}

// focusOn puts the focus on a panel, on whichever page it is.
func (d *Dash) focusOn(panel *panel) {
	d.page = d.pageOf(panel)
	d.focus[d.page] = panel
}

// arrange places everything on the screen as it is.
func (d *Dash) arrange() layout {
	tabs := d.tabs(d.onPage())
	focus := d.focused()
	at := slices.IndexFunc(tabs, func(t tab) bool { return t.panel == focus })
	return arrange(d.w, d.h, d.rows(), d.pageTabs(), tabs, at, d.zoomed)
}
