package setup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/datasets"
	"dgplab/datasets/columns"
	"dgplab/models"
	"dgplab/session"
	"dgplab/session/memory"
	"dgplab/session/rundir"
	"dgplab/tui/datapage"
	"dgplab/tui/form"
	"dgplab/tui/kit"
	"dgplab/tui/picker"
)

// Engine is what the screen asks of the rest of the program.
type Engine interface {
	// Catalogue lists the data sets that have a name.
	Catalogue() []datasets.Info
	Families() []models.Spec
	Validate(rundir.Config) error
	// Inspect loads the data and counts, without building a model.
	Inspect(ctx context.Context, c rundir.Config) (session.Preview, error)
	Fetch(ctx context.Context, name string, report func(datasets.Progress)) error
	// Describe says what the columns of a file are; it reads the file.
	Describe(ctx context.Context, s datasets.Source) (*columns.Table, error)
}

// section is a part of the set-up screen, in the order of tab.
type section int

const (
	sectionData section = iota
	sectionFamily
	sectionForm
	numSections
)

// Setup is the screen before a run; it is a kit.Screen. What was chosen survives
// going to another screen and back.
type Setup struct {
	host   kit.Host
	engine Engine
	theme  *kit.Theme
	w, h   int

	section section
	files   files           // the rows above the catalogue
	data    []datasets.Info // the catalogue
	chosen  int             // row: the path, the files that were used last, the catalogue
	page    datapage.Page   // the columns of the chosen file
	family  familyList
	form    form.Form
	lists   [sectionForm]kit.List
	typing  kit.Focus // on the path
	// parent is the run that the configuration was forked from, "" for none.
	parent string

	plan     kit.Preview[session.Preview]
	starting bool
	// startAt is the generation of the plan that a start waits for, 0 for none.
	startAt int

	fetch *fetch
	// fetchErr is why the last download of a set is not complete.
	fetchErr map[string]error
}

// New returns the set-up screen, filled in from c.
func New(host kit.Host, e Engine, c rundir.Config) *Setup {
	s := &Setup{
		host:     host,
		engine:   e,
		theme:    host.Theme(),
		data:     e.Catalogue(),
		family:   newFamilyList(e.Families()),
		fetchErr: map[string]error{},
	}
	s.fill(c)
	return s
}

// fill chooses and types what c says.
func (s *Setup) fill(c rundir.Config) {
	s.files.path = kit.NewLine("")
	s.choose(c.Dataset)
	s.family.choose(c.Family)
	s.form = form.NewOf(c, session.RunFields())
	s.refreshForm()
	s.files.of = s.dataset()
}

// Title names the screen.
func (s *Setup) Title() string { return "Set up a run" }

// Bindings returns the keys.
func (s *Setup) Bindings() []kit.Binding { return bindings }

// SetSize gives the screen w x h cells.
func (s *Setup) SetSize(w, h int) {
	s.w = w
	s.h = h
}

// Open looks at the data again; a kit.Fill fills everything in first.
func (s *Setup) Open(payload any) tea.Cmd {
	if f, ok := payload.(kit.Fill); ok {
		s.fill(f.Config)
		s.parent = f.Parent
	}
	return s.plan.Schedule()
}

// at returns the chosen row of a section.
func (s *Setup) at(id section) int {
	switch id {
	case sectionFamily:
		return s.family.at()
	case sectionForm:
		at, _ := s.form.Len()
		return at
	}
	return s.chosen
}

// familyName returns the name of the chosen family, "" if there is none.
func (s *Setup) familyName() string { return s.spec().Name }

// config returns the configuration as it stands, valid or not.
func (s *Setup) config() rundir.Config {
	c := s.form.Config()
	c.Dataset = s.dataset()
	c.Family = s.familyName()
	if !s.isFile() {
		c.Targets, c.Columns = nil, columns.Choices{}
	}
	return c
}

// errNoPath says that no path was typed yet.
var errNoPath = errors.New("type the path of a CSV file first, or pick one by ctrl+o")

// obstacle says in one line what keeps the run from starting, and goes there;
// nil means that nothing does.
func (s *Setup) obstacle() error {
	if s.onPath() && s.files.path.Value() == "" {
		s.section = sectionData
		return errNoPath
	}
	if s.isAbsent() {
		s.section = sectionData
		return errors.New(s.absentText())
	}
	if field, err := s.form.FirstBad(); err != nil {
		s.section = sectionForm
		s.form.GoTo(field.Name)
		if strings.HasPrefix(err.Error(), field.Value()+":") {
			return fmt.Errorf("%s: %w", field.Name, err) // It says the value itself.
		}
		return fmt.Errorf("%s=%s: %w", field.Name, field.Value(), err)
	}
	return s.engine.Validate(s.config())
}

// inspect returns what loads the data and counts, in the background.
func (s *Setup) inspect() (func(context.Context) (session.Preview, error), error) {
	if why := s.quietObstacle(); why != nil {
		return nil, why
	}
	c, e := s.config(), s.engine
	return func(ctx context.Context) (session.Preview, error) { return e.Inspect(ctx, c) }, nil
}

// quietObstacle is obstacle without moving anywhere.
func (s *Setup) quietObstacle() error {
	before, at := s.section, s.form.Row()
	why := s.obstacle()
	s.section = before
	s.form.GoTo(at)
	return why
}

// Update takes the answers of inspections, downloads and starts.
func (s *Setup) Update(msg tea.Msg) (cmd tea.Cmd, changed bool) {
	switch msg := msg.(type) {
	case kit.PreviewDueMsg[session.Preview], kit.PreviewedMsg[session.Preview]:
		cmd := s.plan.Update(s.host.Context(), msg, s.inspect)
		return tea.Batch(cmd, s.startKnown()), true
	case fetchTickedMsg:
		if s.fetch == msg.fetch {
			return s.fetchTick(), true
		}
	case fetchDoneMsg:
		return s.fetchDone(msg), true
	case kit.RunStartedMsg:
		s.starting = false
		if msg.Err != nil {
			return s.plan.Schedule(), true
		}
		s.parent = "" // The next run is a new one.
		s.used(msg.Asked.Config.Dataset)
	case picker.CompletedMsg:
		if msg.Owner != s || !s.completed(msg.Completion) {
			return nil, false
		}
		return s.plan.Schedule(), true
	default:
		if cmd, mine := s.page.Update(s.host.Context(), msg, s.engine.Describe); mine {
			return cmd, true
		}
		return nil, s.files.picker.Update(msg)
	}
	return nil, true
}

// Start asks for the run, or says what is in the way and goes there.
func (s *Setup) Start() tea.Cmd {
	if s.starting {
		return nil
	}
	if s.onPath() && s.files.path.Value() == "" {
		return s.pick()
	}
	if fetched := s.startFetched(); fetched != nil {
		return fetched
	}
	if why := s.obstacle(); why != nil {
		return s.host.Say(kit.Bad, s.words(why))
	}
	if cmd, waits := s.fileFirst(); waits {
		return cmd
	}
	if full := new(memory.Error); errors.As(s.plan.Err, &full) {
		return s.host.Say(kit.Bad, s.plan.Err.Error())
	}
	s.starting = true
	return s.host.Start(kit.Start{Config: s.config(), Parent: s.parent})
}

// PlainText returns what the part in focus has chosen, and what the run would be.
func (s *Setup) PlainText() string {
	c := s.config()
	return "dataset " + c.Dataset + "\nfamily " + c.Family + "\n" + s.form.PlainText()
}

// kept is what is remembered from one start to the next: what was chosen. What was
// typed is not: a setting that somebody forgot would change a result.
type kept struct {
	Dataset string   `json:"dataset"`
	Family  string   `json:"family"`
	Files   []string `json:"files"`
}

// Keep returns what to remember: no path that leads nowhere.
func (s *Setup) Keep() any {
	name := s.dataset()
	if s.onPath() && (s.plan.Known == nil && s.plan.Err == nil || isNoFile(s.plan.Err)) {
		name = ""
	}
	return kept{name, s.familyName(), s.files.recent}
}

// RestoreFiles remembers the files that were used before, and leaves what is chosen.
func (s *Setup) RestoreFiles(state []byte) {
	var k kept
	if json.Unmarshal(state, &k) == nil {
		name := s.dataset()
		s.files.remember(k.Files)
		s.choose(name)
	}
}

// Restore chooses what was chosen the last time, if it is still there.
func (s *Setup) Restore(state []byte) {
	var k kept
	if json.Unmarshal(state, &k) != nil {
		return
	}
	s.files.remember(k.Files)
	c := s.config()
	if k.Dataset != "" {
		c.Dataset = k.Dataset
	}
	if slices.ContainsFunc(s.family.all, func(f models.Spec) bool { return f.Name == k.Family }) {
		c.Family = k.Family
	}
	s.fill(c)
}
