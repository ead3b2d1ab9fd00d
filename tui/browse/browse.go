package browse

import (
	"context"
	"encoding/json"
	"math"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/datasets"
	"dgplab/models"
	"dgplab/session"
	"dgplab/session/query"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/picker"
)

// Engine is what the screen asks of the rest of the program. All methods but the
// last two read or write files, and are called by commands.
type Engine interface {
	// ListRuns lists all run directories, the newest first.
	// ListRuns returns the newest runs, at most so many; all says that there are no
	// more.
	ListRuns(most int) (runs []rundir.Info, all bool, err error)
	Annotate(id string, change func(*rundir.Notes)) error
	Trash(id string) error
	Untrash(id string) error
	// Fork is session.Fork.
	Fork(run rundir.Info, changes map[string]string) (rundir.Config, error)
	// Predict predicts the rows of a file by a run, into another file; see
	// session.Record.PredictInto. report is told how many rows were predicted.
	Predict(ctx context.Context, id, in, out string, report func(rows int)) (*session.Predicted, error)

	Families() []models.Spec
	Catalogue() []datasets.Info
}

// Between two readings of the list, the time is at least listPeriod, and so long
// that reading takes at most one part in listShare of it.
const (
	listPeriod = time.Second
	listShare  = 20
)

// part is one of the two parts of the screen.
type part int

const (
	partList part = iota
	partDetails
	numParts
)

// Browse is the screen that lists run directories; it is a kit.Screen.
type Browse struct {
	host   kit.Host
	engine Engine
	theme  *kit.Theme
	w, h   int

	all     []rundir.Info // as listed
	listed  bool          // at least once
	whole   bool          // all has every run, not the newest alone
	listErr error
	bad     map[string]error // why runs cannot be shown that were read, by ID
	gen     int              // of the listing under way
	away    bool             // another screen is in front

	look    look
	query   query.Query // of look.Filter
	shown   []rundir.Info
	cells   [][]string // of the shown runs, by column
	natural []int      // widths of the columns
	same    []bool     // columns in which all runs are the same
	chosen  string     // ID; "" when nothing is shown
	at      int        // where the chosen run is in shown
	wanted  string     // ID of the run that was chosen by hand last
	marks   []string
	trashed [][]string // batches of IDs that undo brings back, the last one last

	list    kit.List
	focus   part
	scroll  int     // of the details
	details int     // lines of them when last drawn,
	room    int     // and how many there was room for
	prompt  *prompt // a line that is being typed, nil if none
	form    *forkForm
	picker  picker.Picker // of a file, for the prompt
	files   []string      // that were predicted last

	prediction *prediction        // under way, nil if none
	predicted  map[string]outcome // of the last prediction by each run since the start
}

// look is how a person wants the list; it is remembered.
type look struct {
	Sort       string `json:"sort"`
	Descending bool   `json:"descending"`
	Filter     string `json:"filter"`
	Chosen     string `json:"chosen"`
}

// kept is what is remembered.
type kept struct {
	look
	// Files are those that were predicted last.
	Files []string `json:"files"`
}

// New returns a browser that has not read anything yet.
func New(host kit.Host, e Engine) *Browse {
	return &Browse{
		host:      host,
		engine:    e,
		theme:     host.Theme(),
		look:      look{Sort: "created", Descending: true},
		predicted: map[string]outcome{},
		bad:       map[string]error{},
	}
}

// Title names the screen.
func (b *Browse) Title() string { return "Browse runs" }

// Bindings returns the keys.
func (b *Browse) Bindings() []kit.Binding { return bindings }

// SetSize gives the screen w x h cells.
func (b *Browse) SetSize(w, h int) {
	b.w = w
	b.h = h
}

// Open lists the runs at once, and from then on again and again.
func (b *Browse) Open(any) tea.Cmd {
	b.away = false
	return b.relist()
}

// Leave lists the runs no more; it makes a kit.Leaver of the screen.
func (b *Browse) Leave() { b.away = true }

// Keep returns the order, the filter, the chosen run and the files that were predicted.
func (b *Browse) Keep() any {
	keep := kept{b.look, b.files}
	keep.Chosen = b.chosen
	return keep
}

// Restore takes what Keep returned. An order or a filter that there is no longer
// is left out.
func (b *Browse) Restore(state []byte) {
	var kept kept
	if json.Unmarshal(state, &kept) != nil {
		return
	}
	if f, ok := query.Find(kept.Sort); ok {
		b.look.Sort, b.look.Descending = f.Name, kept.Descending
	}
	if q, err := query.Parse(kept.Filter); err == nil {
		b.query, b.look.Filter = q, kept.Filter
	}
	b.chosen, b.wanted = kept.Chosen, kept.Chosen
	b.files = kept.Files[:min(len(kept.Files), picker.MostFiles)]
}

// firstPage is how many runs are shown first, while the others are read.
const firstPage = 200

// relist lists the runs now. Lists that were asked for before no longer count. As
// long as not all were read, the newest come first.
func (b *Browse) relist() tea.Cmd {
	if b.whole {
		return b.read(math.MaxInt)
	}
	return b.read(firstPage)
}

// read lists the newest runs, at most so many.
func (b *Browse) read(most int) tea.Cmd {
	b.gen++
	gen, e := b.gen, b.engine
	return func() tea.Msg {
		began := time.Now()
		msg := runsListedMsg{gen: gen}
		if panicked := kit.CatchPanic(func() {
			msg.runs, msg.all, msg.err = e.ListRuns(most)
		}); panicked != nil {
			msg.err = panicked
		}
		msg.took = time.Since(began)
		return msg
	}
}

// Update takes lists and the answers to what was asked for.
func (b *Browse) Update(msg tea.Msg) (cmd tea.Cmd, changed bool) {
	switch msg := msg.(type) {
	case runsListedMsg:
		if msg.gen != b.gen {
			return nil, false
		}
		b.take(msg)
		if msg.err == nil && !msg.all {
			return b.read(math.MaxInt), true
		}
		wait := max(listPeriod, listShare*msg.took)
		return tea.Tick(wait, func(time.Time) tea.Msg { return listDueMsg{msg.gen} }), true
	case listDueMsg:
		if msg.gen != b.gen || b.away {
			return nil, false
		}
		return b.relist(), false
	case changedMsg:
		return b.wasChanged(msg), true
	case forkedMsg:
		return b.forked(msg), true
	case kit.RunStartedMsg:
		return nil, b.started(msg)
	case predictTickedMsg:
		if b.prediction == nil || b.prediction != msg.prediction {
			return nil, false
		}
		return b.predictTick(), true
	case predictedMsg:
		return b.wasPredicted(msg), true
	case picker.CompletedMsg:
		return nil, b.completed(msg)
	}
	return nil, b.picker.Update(msg)
}

// take shows a new list. One that could not be read leaves the old one in place.
func (b *Browse) take(msg runsListedMsg) {
	b.listErr = msg.err
	if msg.err != nil {
		return
	}
	b.all, b.listed, b.whole = msg.runs, true, msg.all
	b.withoutBad()
	b.withLive()
	b.arrangeRuns()
}

// withLive puts the newest step of this program's own runs into the list: report
// lines come more rarely.
func (b *Browse) withLive() {
	for _, r := range b.host.Runs() {
		s := r.Latest()
		for i := range b.all {
			if s != nil && b.all[i].ID == r.ID() && b.all[i].State == rundir.Running {
				b.all[i].Step = max(b.all[i].Step, s.Step)
			}
		}
	}
}
