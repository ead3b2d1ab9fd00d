package setup

import (
	"path/filepath"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/datasets"
	"dgplab/tui/kit"
)

// files holds the rows at the top of the data list that are not in the catalogue: the typed path and the
// recent files.
type files struct {
	path   kit.Line
	recent []string // absolute paths, newest first
	picker kit.Picker
	// offered is the last completion of the path.
	offered kit.Completion
	// of is the file to which the column settings belong. said holds the column settings of other files.
	of   string
	said map[string]datasets.Source
}

// use moves a file to the top of the recent files.
func (f *files) use(path string) {
	if abs, err := filepath.Abs(kit.ExpandPath(path)); err == nil {
		path = abs
	}
	f.recent = kit.AddRecentFile(f.recent, path)
}

// remember appends the saved recent files to the current ones.
func (f *files) remember(paths []string) {
	f.recent = kit.RecentFiles(slices.Concat(f.recent, paths))
}

// onPath reports whether the row of the typed path is selected.
func (s *Setup) onPath() bool { return s.chosen == 0 }

// isFile reports whether the data set is a file.
func (s *Setup) isFile() bool { return s.chosen <= len(s.files.recent) }

// info returns the selected data set of the catalogue. It must not be called for a file.
func (s *Setup) info() datasets.Info { return s.data[s.chosen-1-len(s.files.recent)] }

// dataset returns the name or the path of the selected data.
func (s *Setup) dataset() string {
	switch {
	case s.onPath():
		return kit.ExpandPath(s.files.path.Value())
	case s.isFile():
		return s.files.recent[s.chosen-1]
	}
	return s.info().Name
}

// choose selects the data set with a name, or the default data set for "". A path becomes the most recent
// file, because letters on its row are keys instead of text.
func (s *Setup) choose(name string) {
	i := slices.IndexFunc(s.data, func(d datasets.Info) bool {
		return d.Name == name || name == "" && d.Default
	})
	switch {
	case i >= 0:
		s.chosen = 1 + len(s.files.recent) + i
	case name == "":
		s.chosen = min(1+len(s.files.recent), len(s.files.recent)+len(s.data))
	default:
		s.files.use(name)
		s.chosen = 1
	}
}

// used moves a file to the recent files when its run has started, and selects it.
func (s *Setup) used(name string) {
	if name != s.dataset() || !s.isFile() {
		return
	}
	s.files.use(name)
	s.files.path, s.chosen = kit.NewLine(""), 1
	s.files.of = s.dataset() // The name may differ, but the file is the same.
	s.syncTyping()
}

// startsPath reports whether r can begin a path. On any row of the list such a key starts a path.
func startsPath(r rune) bool { return strings.ContainsRune("/~.", r) }

// typedPath passes a key to the path. On other rows it does so only if the key begins a path or is a paste.
func (s *Setup) typedPath(msg tea.KeyMsg, accepts func(rune) bool) bool {
	begins := len(msg.Runes) > 0 && startsPath(msg.Runes[0]) && !msg.Alt
	if s.onPath() || !begins && !msg.Paste {
		return s.onPath() && s.files.path.Type(msg, accepts)
	}
	s.chosen = 0
	s.refreshForm()
	s.syncTyping()
	return s.files.path.Type(msg, accepts)
}

// editFile copies the selected recent file to the path row for editing.
func (s *Setup) editFile() {
	path := kit.ShortPath(s.dataset())
	s.chosen = 0
	s.syncTyping()
	s.files.path.SetTyped(path)
}

// pick opens the picker at the selected file.
func (s *Setup) pick() tea.Cmd {
	s.section = sectionData
	at := ""
	if s.isFile() {
		at = s.dataset()
	}
	return s.files.picker.Open(at, s.files.recent)
}

// picked selects a picked file.
func (s *Setup) picked(path string, cmd tea.Cmd) tea.Cmd {
	if path == "" {
		return cmd
	}
	s.files.use(path)
	s.chosen = 1
	s.refreshForm()
	s.syncTyping()
	return tea.Batch(cmd, s.plan.Schedule())
}

// completed applies a completion, or moves to the next part if there is nothing to complete.
func (s *Setup) completed(c kit.Completion) bool {
	if s.section == sectionForm {
		took, nothing := s.form.Completed(c)
		if nothing {
			s.section = (s.section + 1) % numSections
		}
		s.syncTyping()
		return took
	}
	if !s.onPathLine() || s.files.path.Value() != c.Typed {
		return false // The path has changed in the meantime.
	}
	if c.To == c.Typed && len(c.Names) < 2 {
		s.section = (s.section + 1) % numSections
		s.syncTyping()
		return true
	}
	s.files.path.SetTyped(c.To)
	c.Typed = c.To
	s.files.offered = c
	return true
}
