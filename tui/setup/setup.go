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
	datafiles "dgplab/datasets/files"
	"dgplab/datasets/table"
	"dgplab/models"
	"dgplab/session"
	"dgplab/session/config"
	"dgplab/session/memory"
	"dgplab/session/rundir"
	"dgplab/tui/form"
	"dgplab/tui/kit"
)

// Engine is the interface of the screen to the rest of the program.
type Engine interface {
	// Catalogue returns the named data sets.
	Catalogue() []datasets.Info
	Families() []models.Spec
	Validate(rundir.Config) error
	// Inspect loads the data and computes the size of a run without building a model.
	Inspect(ctx context.Context, c rundir.Config) (session.Preview, error)
	// Advise returns the families that suit the data.
	Advise(ctx context.Context, c rundir.Config) ([]models.Advice, error)
	// TimeSteps times some steps of the model of a run.
	TimeSteps(ctx context.Context, c rundir.Config) (session.StepTime, error)
	Fetch(ctx context.Context, name string, report func(datasets.Progress)) error
	// Describe reads a file and describes its columns.
	Describe(ctx context.Context, s datasets.Source) (*table.Description, error)
}

// section is a part of the set-up screen, in the order of tab.
type section int

const (
	sectionData section = iota
	sectionFamily
	sectionForm
	numSections
)

// Setup is the screen that configures a run. It implements kit.Screen. Its state is kept while another screen
// is in front.
type Setup struct {
	host   kit.Host
	engine Engine
	theme  *kit.Theme
	w, h   int

	section section
	files   files           // the rows above the catalogue
	data    []datasets.Info // the catalogue
	chosen  int             // selected row: the path, a recent file or an entry of the catalogue
	page    columnsPage     // the columns of the selected file
	family  familyList
	form    form.Form
	lists   [sectionForm]kit.List
	typing  kit.Focus // focus of the path
	// parent is the run that the configuration was forked from, or "".
	parent string

	plan kit.Preview[session.Preview]
	// timing measures the steps of the plan if no run has done so.
	timing kit.Preview[session.StepTime]
	// advice is the last advice, and advisedOn the data set that it is about.
	advice    kit.Preview[[]models.Advice]
	advisedOn string
	starting  bool
	// startAt is the generation of the plan for which a start waits, or 0 if none waits.
	startAt int

	fetch *fetch
	// fetchErr holds the error of the last download of a data set.
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

// fill fills in the values of c.
func (s *Setup) fill(c rundir.Config) {
	s.files.path = kit.NewLine("")
	s.choose(c.Dataset)
	s.dropAdvice()
	s.family.choose(c.Family)
	s.form = form.NewOf(c, config.RunFields())
	s.refreshForm()
	s.files.of = s.dataset()
}

// Title returns the name of the screen.
func (s *Setup) Title() string { return "Set up a run" }

// Bindings returns the keys.
func (s *Setup) Bindings() []kit.Binding { return bindings }

// SetSize sets the size of the screen.
func (s *Setup) SetSize(w, h int) {
	s.w = w
	s.h = h
}

// Open inspects the data again. A kit.Fill fills in the form first.
func (s *Setup) Open(payload any) tea.Cmd {
	if f, ok := payload.(kit.Fill); ok {
		s.fill(f.Config)
		s.parent = f.Parent
	}
	return s.plan.Schedule()
}

// at returns the selected row of a section.
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

// familyName returns the name of the selected family, or "" if there is none.
func (s *Setup) familyName() string { return s.spec().Name }

// config returns the current configuration, valid or not.
func (s *Setup) config() rundir.Config {
	c := s.form.Config()
	c.Dataset = s.dataset()
	c.Family = s.familyName()
	if !s.isFile() {
		c.Targets, c.Columns = nil, table.Choices{}
	}
	return c
}

// errNoPath is the error while no path has been typed.
var errNoPath = errors.New("type the path of a CSV file, or pick one with ctrl+o")

// obstacle returns the reason why the run cannot start, and selects the offending row. It returns
// nil if the run can start.
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
			return fmt.Errorf("%s: %w", field.Name, err) // The error contains the value.
		}
		return fmt.Errorf("%s=%s: %w", field.Name, field.Value(), err)
	}
	return s.engine.Validate(s.config())
}

// inspect returns a function that inspects the data in the background.
func (s *Setup) inspect() (func(context.Context) (session.Preview, error), error) {
	s.timing.Cancel()
	if why := s.quietObstacle(); why != nil {
		return nil, why
	}
	c, e := s.config(), s.engine
	return func(ctx context.Context) (session.Preview, error) { return e.Inspect(ctx, c) }, nil
}

// timeUnknown starts timing the steps of a new plan if no run has measured them.
func (s *Setup) timeUnknown() tea.Cmd {
	s.timing.Cancel()
	s.timing.Running, s.timing.Known = false, nil
	if p := s.plan.Known; p == nil || p.SecondsPerStep > 0 || s.host.SecondsPerStep(s.config()) > 0 {
		return nil
	}
	return s.timing.Schedule()
}

// timeSteps returns a function that times the steps of the plan in the background.
func (s *Setup) timeSteps() (func(context.Context) (session.StepTime, error), error) {
	c, e := s.config(), s.engine
	return func(ctx context.Context) (session.StepTime, error) { return e.TimeSteps(ctx, c) }, nil
}

// quietObstacle is like obstacle but keeps the selection.
func (s *Setup) quietObstacle() error {
	before, at := s.section, s.form.Row()
	why := s.obstacle()
	s.section = before
	s.form.GoTo(at)
	return why
}

// Update handles the results of inspections, downloads and starts.
func (s *Setup) Update(msg tea.Msg) (cmd tea.Cmd, changed bool) {
	switch msg := msg.(type) {
	case kit.PreviewDueMsg[session.Preview], kit.PreviewedMsg[session.Preview]:
		cmd := s.plan.Update(s.host.Context(), msg, s.inspect)
		s.form.Adapted = nil
		if s.plan.Known != nil {
			s.form.Adapted = s.plan.Known.Adapted
		}
		if done, ok := msg.(kit.PreviewedMsg[session.Preview]); ok && done.Gen == s.plan.Gen {
			return tea.Batch(s.startKnown(), s.timeUnknown()), true
		}
		return tea.Batch(cmd, s.startKnown()), true
	case kit.PreviewDueMsg[session.StepTime], kit.PreviewedMsg[session.StepTime]:
		return s.timing.Update(s.host.Context(), msg, s.timeSteps), true
	case kit.PreviewedMsg[[]models.Advice]:
		return s.advised(msg), true
	case kit.DownloadTickedMsg:
		if s.fetch != nil && s.fetch.Download == msg.Of {
			return msg.Of.Tick(s.host), true
		}
	case kit.DownloadedMsg:
		if s.fetch != nil && s.fetch.Download == msg.Of {
			return s.fetched(msg.Err), true
		}
	case kit.RunStartedMsg:
		s.starting = false
		if msg.Err != nil {
			return s.plan.Schedule(), true
		}
		s.parent = "" // The next run is not a fork.
		s.used(msg.Asked.Config.Dataset)
	case kit.CompletedMsg:
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

// Start requests the run, or shows the reason why it cannot start.
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

// PlainText returns the configuration as plain text.
func (s *Setup) PlainText() string {
	c := s.config()
	return "dataset " + c.Dataset + "\nfamily " + c.Family + "\n" + s.form.PlainText()
}

// kept is the saved state. Typed settings are not saved, because a forgotten setting would change
// results.
type kept struct {
	Dataset string   `json:"dataset"`
	Family  string   `json:"family"`
	Files   []string `json:"files"`
}

// Keep returns the state to save. It does not save the path of a missing file, of a pipe or of a device.
func (s *Setup) Keep() any {
	name, saved := s.dataset(), kit.SavedFiles(s.files.recent)
	switch {
	case s.onPath():
		if s.plan.Known == nil && s.plan.Err == nil || isNoFile(s.plan.Err) {
			name = ""
		}
	case s.isFile() && !slices.Contains(saved, name):
		name = ""
	}
	return kept{name, s.familyName(), saved}
}

// RestoreFiles restores the recent files and keeps the selection.
func (s *Setup) RestoreFiles(state []byte) {
	var k kept
	if json.Unmarshal(state, &k) != nil {
		return
	}
	name := s.dataset()
	s.files.remember(k.Files)
	if !s.onPath() {
		s.choose(name)
	}
}

// Restore restores the saved selection if it still exists. A file that cannot be read is not selected,
// because no run could start.
func (s *Setup) Restore(state []byte) {
	var k kept
	if json.Unmarshal(state, &k) != nil {
		return
	}
	c := s.config()
	s.files.remember(k.Files)
	known := slices.ContainsFunc(s.data, func(d datasets.Info) bool { return d.Name == k.Dataset })
	if known || canRead(k.Dataset) {
		c.Dataset = k.Dataset
	}
	if slices.ContainsFunc(s.family.all, func(f models.Spec) bool { return f.Name == k.Family }) {
		c.Family = k.Family
	}
	s.fill(c)
}

// canRead reports whether a path leads to a regular file that can be opened for reading.
func canRead(path string) bool {
	file, err := datafiles.OpenLinked(path)
	if err != nil {
		return false
	}
	file.Close()
	return true
}
