package browse

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/datasets"
	"dgplab/models"
	"dgplab/session/metric"
	"dgplab/session/probe"
	"dgplab/session/query"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
)

// Engine is the interface of the screen to the rest of the program. All methods except the last two
// access files, and are called from commands.
type Engine interface {
	// ListRuns returns at most the given number of the newest runs, newest first. all is set if there are no
	// others.
	ListRuns(most int) (runs []rundir.Info, all bool, err error)
	Annotate(id string, change func(*rundir.Notes)) error
	Trash(id string) error
	Untrash(id string) error
	// Fork is config.Fork.
	Fork(run rundir.Info, changes map[string]string) (rundir.Config, error)
	// Predict predicts the rows of a file with a run and writes another file; see
	// session.PredictInto. It calls report with the number of rows predicted so far.
	Predict(ctx context.Context, id, in, out string, report func(rows int)) (*probe.Predicted, error)

	// Curve reads the report lines of a run, thinned if there are many.
	Curve(run rundir.Info) []rundir.Point

	Families() []models.Spec
	Catalogue() []datasets.Info
}

// The list is read at most once per listPeriod, and at most 1/listShare of the time is spent on reading.
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

// Browse is the screen that lists run directories. It implements kit.Screen.
type Browse struct {
	host   kit.Host
	engine Engine
	theme  *kit.Theme
	w, h   int

	all     []rundir.Info // runs as read
	listed  bool          // The list was read at least once.
	whole   bool          // all holds all runs, not only the newest
	listErr error
	bad     map[string]error // errors of runs that cannot be shown, by ID
	gen     int              // generation of the current reading
	away    bool             // another screen is in front

	look      look
	query     query.Query // look.Filter, parsed
	shown     []rundir.Info
	cells     [][]string // cells of the shown runs, by column
	natural   []int      // widths of the columns
	redundant []bool     // columns with the same value in all runs
	chosen    string     // ID, or "" if no run is shown
	at        int        // index of the selected run in shown
	wanted    string     // ID of the run last selected by the user
	marks     []string
	trashed   [][]string // batches of IDs that undo restores, newest last

	list    kit.List
	focus   part
	details kit.Scrolled
	prompt  *prompt // nil if no prompt is open
	form    *forkForm
	picker  kit.Picker // for the prompt
	files   []string   // recently predicted files

	curve runCurve // of the run that was selected last

	prediction *prediction        // nil if no prediction is running
	predicted  map[string]outcome // by ID of the run, since the start of the program
}

// look holds the user's order, filter and selection. It is saved.
type look struct {
	Sort       string `json:"sort"`
	Descending bool   `json:"descending"`
	Filter     string `json:"filter"`
	Chosen     string `json:"chosen"`
}

// kept is the saved state.
type kept struct {
	look
	// Files holds the recently predicted files.
	Files []string `json:"files"`
}

// New returns a browser that has not read the runs yet.
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

// Title returns the name of the screen.
func (b *Browse) Title() string { return "Browse runs" }

// Bindings returns the keys.
func (b *Browse) Bindings() []kit.Binding { return bindings }

// SetSize sets the size of the screen.
func (b *Browse) SetSize(w, h int) {
	b.w = w
	b.h = h
}

// Open reads the list of runs immediately and then periodically.
func (b *Browse) Open(any) tea.Cmd {
	b.away = false
	return b.relist()
}

// Leave stops reading the list. It implements kit.Leaver.
func (b *Browse) Leave() { b.away = true }

// Keep returns the order, the filter, the selected run and the recently predicted files.
func (b *Browse) Keep() any {
	keep := kept{b.look, kit.SavedFiles(b.files)}
	keep.Chosen = b.chosen
	return keep
}

// Restore sets the state from the JSON of Keep. It ignores an unknown order and an invalid filter.
func (b *Browse) Restore(state []byte) {
	var kept kept
	if json.Unmarshal(state, &kept) != nil {
		return
	}
	if c, ok := metric.FindColumn(kept.Sort); ok {
		b.look.Sort, b.look.Descending = c.Key, kept.Descending
	}
	if q, err := query.Parse(kept.Filter); err == nil {
		b.query, b.look.Filter = q, kept.Filter
	}
	b.chosen, b.wanted = kept.Chosen, kept.Chosen
	b.files = kit.RecentFiles(kept.Files)
}

// RestoreFiles adds saved files to the recently predicted ones.
func (b *Browse) RestoreFiles(state []byte) {
	var kept kept
	if json.Unmarshal(state, &kept) == nil {
		b.files = kit.RecentFiles(slices.Concat(b.files, kept.Files))
	}
}

// firstPage is the number of runs that are shown while the others are being read.
const firstPage = 200

// relist reads the list of runs now and discards the results of earlier readings. The first time, it reads
// only the newest runs.
func (b *Browse) relist() tea.Cmd {
	if b.whole {
		return b.read(math.MaxInt)
	}
	return b.read(firstPage)
}

// read reads at most the given number of the newest runs.
func (b *Browse) read(most int) tea.Cmd {
	b.gen++
	gen, e := b.gen, b.engine
	return func() tea.Msg {
		began := time.Now()
		msg := runsListedMsg{gen: gen}
		msg.err = kit.Try(func() (err error) {
			msg.runs, msg.all, err = e.ListRuns(most)
			return err
		})
		msg.took = time.Since(began)
		return msg
	}
}

// Update handles lists of runs and the results of commands.
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
		again := tea.Tick(wait, func(time.Time) tea.Msg { return listDueMsg{msg.gen} })
		return tea.Batch(again, b.readCurve()), true
	case curveReadMsg:
		b.curve.points, b.curve.reading = msg.points, false
		return b.readCurve(), true
	case listDueMsg:
		if msg.gen != b.gen || b.away {
			return nil, false
		}
		return b.relist(), false
	case changedMsg:
		return b.finishChange(msg), true
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
		return b.finishPrediction(msg), true
	case kit.CompletedMsg:
		return nil, b.completed(msg)
	}
	return nil, b.picker.Update(msg)
}

// take shows a new list. If there is an error, the old list is kept.
func (b *Browse) take(msg runsListedMsg) {
	b.listErr = msg.err
	if msg.err != nil {
		return
	}
	b.all, b.listed, b.whole = msg.runs, true, msg.all
	b.replaceBad()
	b.updateSteps()
	b.arrangeRuns()
}

// updateSteps updates the list with the newest steps of this program's runs, because their files are
// written less often.
func (b *Browse) updateSteps() {
	for _, r := range b.host.Runs() {
		s := r.Latest()
		for i := range b.all {
			if s != nil && b.all[i].ID == r.ID() && b.all[i].State == rundir.Running {
				b.all[i].Step = max(b.all[i].Step, s.Step)
			}
		}
	}
}
