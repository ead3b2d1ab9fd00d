package setup

import (
	"errors"
	"io/fs"
	"slices"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/datasets"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/picker"
)

// columnFields are the settings that say what the columns of a file are.
var columnFields = []string{rundir.TargetsField, rundir.ColumnsField}

// columnsBarred says why there are no columns to show, "" if there are.
func (s *Setup) columnsBarred() string {
	if !s.isFile() {
		return "only those of a file can be chosen"
	}
	return ""
}

// question returns what the chosen file leaves open, nil if that is nothing.
func (s *Setup) question() *datasets.CSVError {
	var open *datasets.CSVError
	if !s.isFile() || !errors.As(s.plan.Err, &open) || open.Question == nil {
		return nil
	}
	return open
}

// questionText is what the plan says instead of how the question is answered on a command
// line.
func (s *Setup) questionText(open *datasets.CSVError) string {
	where := "column " + strconv.Itoa(open.Column)
	if open.Name != "" {
		where += " (" + open.Name + ")"
	}
	text := where + ": " + open.Question.Text
	if s.page.IsOpen() {
		return text // The page asks.
	}
	return text + "; enter asks which"
}

// ofColumns returns what is wrong with the columns of the chosen file, nil if that is nothing.
// It is mended on their page, where keys do what the flags of a command line do.
func (s *Setup) ofColumns() *datasets.CSVError {
	var csv *datasets.CSVError
	if !s.isFile() || !errors.As(s.plan.Err, &csv) || csv.Column == 0 {
		return nil
	}
	return csv
}

// trouble says what keeps the run from starting.
func (s *Setup) trouble() string {
	csv := s.ofColumns()
	switch {
	case csv == nil:
		return s.words(s.plan.Err)
	case s.page.IsOpen():
		return csv.WithoutFlags() // The page says what to do.
	}
	return csv.WithoutFlags() + "; enter shows the columns, and what to do"
}

// words are those for an error, of a path that leads nowhere fewer than its own.
func (s *Setup) words(err error) string {
	if s.isFile() && isNoFile(err) {
		return "there is no file " + picker.Short(s.dataset())
	}
	return err.Error()
}

// isNoFile says whether an error is that of a path that leads nowhere.
func isNoFile(err error) bool {
	var unknown *datasets.UnknownError
	return errors.As(err, &unknown) || errors.Is(err, fs.ErrNotExist)
}

// fileFirst does what has to be done before a run starts on a file, if anything has: it waits
// until the file is known, or goes to where people mend what is wrong with it.
func (s *Setup) fileFirst() (cmd tea.Cmd, waits bool) {
	switch {
	case !s.isFile():
		return nil, false
	case s.plan.Known == nil && s.plan.Err == nil || s.plan.Running:
		if !s.plan.Running {
			cmd = s.plan.Schedule() // Nothing was asked about it yet.
		}
		s.startAt = s.plan.Gen
		return tea.Batch(cmd, s.host.Say(kit.Calm, "the run starts when the file is read")), true
	case s.ofColumns() != nil:
		return tea.Batch(s.openPage(), s.host.Say(kit.Calm, "the columns need an answer first")), true
	case s.plan.Err != nil:
		return s.host.Say(kit.Bad, s.trouble()), true
	}
	return nil, false
}

// startKnown starts the run that waited for what is known now, unless something has changed
// meanwhile.
func (s *Setup) startKnown() tea.Cmd {
	if s.plan.Running || s.startAt == 0 {
		return nil
	}
	waited := s.startAt == s.plan.Gen
	s.startAt = 0
	if !waited {
		return nil
	}
	return s.Start()
}

// columnsKey is the label of the key that opens the page of columns: of several the one that is
// no letter, which works while a path is typed too.
func (s *Setup) columnsKey() string {
	b, _ := kit.Find(bindings, actColumns)
	keys := b.Keys()
	if i := slices.IndexFunc(keys, func(k string) bool { return len(k) > 1 }); i >= 0 && s.onPathLine() {
		return keys[i]
	}
	return s.theme.Glyphs.KeyLabel(b.Label())
}

// openPage shows the columns of the chosen file.
func (s *Setup) openPage() tea.Cmd {
	if s.dataset() == "" {
		return s.pick()
	}
	return s.page.Open(s.config().Source())
}

// pageKey gives a key to the page of columns, and takes what is said there.
func (s *Setup) pageKey(msg tea.KeyMsg) tea.Cmd {
	cmd, changed := s.page.Key(msg)
	if !changed {
		return cmd
	}
	s.take(s.page.Source())
	return tea.Batch(cmd, s.plan.Schedule())
}

// take puts what was said of the columns of a file into the settings.
func (s *Setup) take(source datasets.Source) {
	c := rundir.Config{Targets: source.Targets, Columns: source.Columns}
	for _, name := range columnFields {
		s.form.Put(name, c.Field(name))
	}
}

// followFile keeps what was said of the columns of one file apart from what was said of
// another one.
func (s *Setup) followFile() {
	now := s.dataset()
	if !s.isFile() || now == s.files.of {
		return
	}
	if s.files.said == nil {
		s.files.said = map[string]datasets.Source{}
	}
	if c := s.config(); c.Targets != nil || !c.Columns.IsZero() {
		s.files.said[s.files.of] = c.Source()
	} else {
		delete(s.files.said, s.files.of)
	}
	s.files.of = now
	s.take(s.files.said[now])
}
