package tui

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/textinput"
	"github.com/charmbracelet/bubbles/viewport"
	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session"
)

// inspectDelay is how long the set-up waits after the last change before it
// loads the data and counts.
const inspectDelay = 200 * time.Millisecond

// section is a part of the set-up screen, in the order of tab.
type section int

const (
	sectionData section = iota
	sectionFamily
	sectionForm
	numSections
)

// setup is the screen before a run. What was chosen survives going to the
// dashboard and back.
type setup struct {
	engine engine
	theme  *theme

	section  section
	data     []dataInfo // the catalogue; one more entry, a path, follows it
	chosen   int        // index of data, len(data) for the path
	path     textinput.Model
	families []spec
	family   int
	form     form
	panes    [numSections]viewport.Model // the lists, as last drawn
	seen     [numSections][2]int         // chosen row and visible rows when last drawn

	planGen  int
	planning bool
	plan     *plan
	planErr  error
	cancel   context.CancelFunc // of the inspection under way
	starting bool

	fetch *fetch
	// fetchErr is why the last download of a set is not complete.
	fetchErr map[string]error
}

// newSetup returns the set-up screen, filled in from c.
func newSetup(e engine, th *theme, c session.Config) *setup {
	s := &setup{engine: e, theme: th, data: e.Catalogue(), families: e.Families(), path: newText(""), fetchErr: map[string]error{}}
	s.chosen = -1
	for i, d := range s.data {
		if d.Name == c.Dataset || c.Dataset == "" && d.Default {
			s.chosen = i
		}
	}
	if s.chosen < 0 {
		s.chosen = len(s.data)
		if c.Dataset == "" && len(s.data) > 0 {
			s.chosen = 0
		}
		s.path.SetValue(c.Dataset)
	}
	for i, f := range s.families {
		if f.Name == c.Family {
			s.family = i
		}
	}
	s.form = newForm(c)
	s.refreshForm()
	return s
}

// onPath reports whether the data are a file whose path is typed here.
func (s *setup) onPath() bool { return s.chosen >= len(s.data) }

// dataset returns the name or path of the chosen data.
func (s *setup) dataset() string {
	if !s.onPath() {
		return s.data[s.chosen].Name
	}
	path := s.path.Value()
	if rest, ok := strings.CutPrefix(path, "~"+string(filepath.Separator)); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	return path
}

// at returns the chosen row of a section.
func (s *setup) at(id section) int {
	switch id {
	case sectionFamily:
		return s.family
	case sectionForm:
		return s.form.at
	}
	return s.chosen
}

// familyName returns the name of the chosen family, "" if there is none.
func (s *setup) familyName() string {
	if s.family >= len(s.families) {
		return ""
	}
	return s.families[s.family].Name
}

// refreshForm lists what can be set for the chosen data and family. What was
// typed before stays where the name is the same.
func (s *setup) refreshForm() {
	list, err := s.engine.Hyperparameters(s.familyName())
	s.form.list(list, s.onPath())
	if err != nil {
		s.planErr = err
	}
}

// config returns the configuration as it stands, valid or not.
func (s *setup) config() session.Config {
	c := s.form.config()
	c.Dataset, c.Family = s.dataset(), s.familyName()
	if !s.onPath() {
		c.Targets = nil
	}
	return c
}

// obstacle says in one line what keeps the run from starting, and goes there;
// "" means that nothing does.
func (s *setup) obstacle() string {
	if s.onPath() && s.path.Value() == "" {
		s.section = sectionData
		return "type the path of a CSV file first"
	}
	if !s.onPath() && !s.data[s.chosen].Cached {
		s.section = sectionData
		if s.fetch != nil {
			return "the data set is still being fetched"
		}
		return s.data[s.chosen].Name + " is not here yet: press f to fetch it"
	}
	if i, err := s.form.firstBad(); err != nil {
		s.section, s.form.at = sectionForm, i
		return err.Error()
	}
	if err := s.engine.Validate(s.config()); err != nil {
		return err.Error()
	}
	return ""
}

// inspectSoon drops what is known of the run and asks anew when the configuration
// has stayed the same for a moment.
func (s *setup) inspectSoon() tea.Cmd {
	if s.cancel != nil {
		s.cancel()
		s.cancel = nil
	}
	s.planGen++
	s.planning, s.planErr = true, nil
	gen := s.planGen
	return tea.Tick(inspectDelay, func(time.Time) tea.Msg { return inspectDueMsg{gen} })
}

// inspect loads the data and counts, in the background.
func (s *setup) inspect(ctx context.Context) tea.Cmd {
	if why := s.quietObstacle(); why != nil {
		s.planning, s.plan, s.planErr = false, nil, why
		return nil
	}
	ctx, s.cancel = context.WithCancel(ctx)
	gen, c, e := s.planGen, s.config(), s.engine
	return func() tea.Msg {
		p, err := e.Inspect(ctx, c)
		return planInspectedMsg{gen, p, err}
	}
}

// quietObstacle is obstacle without moving anywhere.
func (s *setup) quietObstacle() error {
	before, at := s.section, s.form.at
	why := s.obstacle()
	s.section, s.form.at = before, at
	if why == "" {
		return nil
	}
	return fmt.Errorf("%s", why)
}

// update takes the messages of inspections and downloads.
func (s *setup) update(ctx context.Context, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case inspectDueMsg:
		if msg.gen == s.planGen {
			return s.inspect(ctx)
		}
	case planInspectedMsg:
		if msg.gen != s.planGen {
			return nil
		}
		s.planning, s.plan, s.planErr = false, &msg.plan, msg.err
		if msg.err != nil {
			s.plan = nil
		}
	case fetchTickedMsg:
		return s.fetchTicked(msg)
	case fetchDoneMsg:
		return s.fetchDone(msg)
	}
	return nil
}

// sortedNames returns the keys of set in order.
func sortedNames(set map[string]string) []string {
	names := make([]string, 0, len(set))
	for name := range set {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}
