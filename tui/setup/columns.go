package setup

import (
	"errors"
	"io/fs"
	"slices"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/datasets"
	"dgplab/datasets/table"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
)

// columnFields holds the settings about the columns of a file.
var columnFields = []string{rundir.TargetsField, rundir.ColumnsField}

// columnsObstacle returns the reason why there is no columns page, or "" if there is one.
func (s *Setup) columnsObstacle() string {
	if !s.isFile() {
		return "only files have a columns page"
	}
	return ""
}

// question returns the open question about the selected file, or nil.
func (s *Setup) question() *table.Error {
	var open *table.Error
	if !s.isFile() || !errors.As(s.plan.Err, &open) || open.Question == nil {
		return nil
	}
	return open
}

// questionText returns the open question, with the key that leads to the answers.
func (s *Setup) questionText(open *table.Error) string {
	where := "column " + strconv.Itoa(open.Column)
	if open.Name != "" {
		where += " (" + open.Name + ")"
	}
	text := where + ": " + open.Question.Text
	if s.page.IsOpen() {
		return text // The page shows the question.
	}
	return text + "; press enter to answer"
}

// columnError returns the error in the columns of the selected file, or nil if there is none. It can be fixed
// on the columns page, where keys replace the flags of the command line.
func (s *Setup) columnError() *table.Error {
	var csv *table.Error
	if !s.isFile() || !errors.As(s.plan.Err, &csv) || csv.Column == 0 {
		return nil
	}
	return csv
}

// trouble returns the reason why the run cannot start.
func (s *Setup) trouble() string {
	csv := s.columnError()
	switch {
	case csv == nil:
		return s.words(s.plan.Err)
	case s.page.IsOpen():
		return csv.WithoutFlags() // The page shows the remedies.
	}
	return csv.WithoutFlags() + "; press enter to fix it"
}

// words returns the message of an error. The message for a missing file is shortened.
func (s *Setup) words(err error) string {
	if s.isFile() && isNoFile(err) {
		return "no such file: " + kit.ShortPath(s.dataset())
	}
	return err.Error()
}

// isNoFile reports whether an error means that the file does not exist.
func isNoFile(err error) bool {
	var unknown *datasets.UnknownError
	return errors.As(err, &unknown) || errors.Is(err, fs.ErrNotExist)
}

// fileFirst prepares the start of a run on a file: it waits until the file has been read, or opens the
// columns page if the file has errors. waits is false if the run can start now.
func (s *Setup) fileFirst() (cmd tea.Cmd, waits bool) {
	switch {
	case !s.isFile():
		return nil, false
	case s.plan.Known == nil && s.plan.Err == nil || s.plan.Running:
		if !s.plan.Running {
			cmd = s.plan.Schedule() // The file has not been inspected yet.
		}
		s.startAt = s.plan.Gen
		return tea.Batch(cmd, s.host.Say(kit.Calm, "the run starts when the file has been read")), true
	case s.columnError() != nil:
		return tea.Batch(s.openPage(), s.host.Say(kit.Calm, "fix the columns first")), true
	case s.plan.Err != nil:
		return s.host.Say(kit.Bad, s.trouble()), true
	}
	return nil, false
}

// startKnown starts the run that waited for the inspection of its file, unless the configuration
// has changed in the meantime.
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

// columnsKey returns the label of the key for the columns page. While a path is being typed, this key is not
// a letter.
func (s *Setup) columnsKey() string {
	b, _ := kit.Find(bindings, actColumns)
	keys := b.Keys()
	if i := slices.IndexFunc(keys, func(k string) bool { return len(k) > 1 }); i >= 0 && s.onPathLine() {
		return keys[i]
	}
	return s.theme.Glyphs.KeyLabel(b.Label())
}

// openPage opens the columns page of the selected file.
func (s *Setup) openPage() tea.Cmd {
	if s.dataset() == "" {
		return s.pick()
	}
	return s.page.Open(s.config().Source())
}

// pageKey passes a key to the columns page and applies the resulting changes.
func (s *Setup) pageKey(msg tea.KeyMsg) tea.Cmd {
	cmd, changed := s.page.Key(msg)
	if !changed {
		return cmd
	}
	s.take(s.page.Source())
	return tea.Batch(cmd, s.plan.Schedule())
}

// take sets the column settings of the form.
func (s *Setup) take(source datasets.Source) {
	c := rundir.Config{Targets: source.Targets, Columns: source.Columns}
	for _, name := range columnFields {
		s.form.Put(name, c.Field(name))
	}
}

// followFile saves the column settings of the previous file and restores the settings of the
// selected file.
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
