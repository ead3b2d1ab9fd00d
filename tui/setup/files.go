package setup

import (
	"path/filepath"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/datasets"
	"dgplab/tui/kit"
	"dgplab/tui/picker"
)

// files are the rows of the data that are no sets of the catalogue: a path that is typed,
// and the files that were used last. The first one is above all others, where it is seen.
type files struct {
	path   kit.Line
	recent []string // absolute, the newest first
	picker picker.Picker
	// offered is what tab found that the path may become.
	offered picker.Completion
	// of is the file that the settings of columns are about, and said what was said of others.
	of   string
	said map[string]datasets.Source
}

// use puts a file above those that were used before.
func (f *files) use(path string) {
	if abs, err := filepath.Abs(picker.Expand(path)); err == nil {
		path = abs
	}
	f.recent = picker.Used(f.recent, path)
}

// remember puts the files of an earlier start below those that are there.
func (f *files) remember(paths []string) {
	f.recent = picker.Files(slices.Concat(f.recent, paths))
}

// onPath reports whether the data are a file whose path is typed here.
func (s *Setup) onPath() bool { return s.chosen == 0 }

// isFile reports whether the data are a file.
func (s *Setup) isFile() bool { return s.chosen <= len(s.files.recent) }

// info returns the chosen set of the catalogue, where the data are no file.
func (s *Setup) info() datasets.Info { return s.data[s.chosen-1-len(s.files.recent)] }

// dataset returns the name or path of the chosen data.
func (s *Setup) dataset() string {
	switch {
	case s.onPath():
		return picker.Expand(s.files.path.Value())
	case s.isFile():
		return s.files.recent[s.chosen-1]
	}
	return s.info().Name
}

// choose chooses the data set of a name, the default one for "". A path becomes the file
// that was used last: on its row keys are not typed.
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

// used remembers a file whose run has started, and chooses it.
func (s *Setup) used(name string) {
	if name != s.dataset() || !s.isFile() {
		return
	}
	s.files.use(name)
	s.files.path, s.chosen = kit.NewLine(""), 1
	s.files.of = s.dataset() // By another name perhaps, with the same columns.
	s.syncTyping()
}

// startsPath reports whether r begins a path, wherever in the list of data it is typed.
func startsPath(r rune) bool { return strings.ContainsRune("/~.", r) }

// typedPath gives a key to the path, also from another row of the data where it begins one
// or was pasted.
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

// editFile goes to the path with a file that was used last, to change it.
func (s *Setup) editFile() {
	path := picker.Short(s.dataset())
	s.chosen = 0
	s.syncTyping()
	s.files.path.SetTyped(path)
}

// pick opens the picker where the chosen file is.
func (s *Setup) pick() tea.Cmd {
	s.section = sectionData
	at := ""
	if s.isFile() {
		at = s.dataset()
	}
	return s.files.picker.Open(at, s.files.recent)
}

// picked chooses a file that was picked.
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

// complete asks for what the path may become.
func (s *Setup) complete() tea.Cmd { return picker.CompleteSoon(s, s.files.path.Value()) }

// completed takes what a path may become, and goes on to the next part where there is
// nothing to complete.
func (s *Setup) completed(c picker.Completion) bool {
	if s.section == sectionForm {
		took, nothing := s.form.Completed(c)
		if nothing {
			s.section = (s.section + 1) % numSections
		}
		s.syncTyping()
		return took
	}
	if !s.onPathLine() || s.files.path.Value() != c.Typed {
		return false // It was changed meanwhile.
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
