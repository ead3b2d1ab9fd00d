package form

import (
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session/rundir"
	"dgplab/session/sweep"
	"dgplab/tui/picker"
)

// separator is what stands between several values in a text, as sweep.Expand reads it.
func separator(text string) string {
	if strings.Contains(text, ";") {
		return ";"
	}
	return ","
}

// last splits the text of a field into what is before the value that is typed last, and that
// value.
func (f *Field) last() (before, value string) {
	text := f.Input.Value()
	if !f.Many {
		return "", text
	}
	at := strings.LastIndex(text, separator(text)) + 1
	value = strings.TrimLeft(text[at:], " ")
	return text[:len(text)-len(value)], value
}

// isPath reports whether a value is written as a path.
func isPath(value string) bool {
	return strings.ContainsRune(value, filepath.Separator) || strings.HasPrefix(value, "~")
}

// IsFile reports whether a data set is written as a file, by its path or by its name.
func IsFile(dataset string) bool { return isPath(dataset) || filepath.Ext(dataset) != "" }

// Completes reports whether the text that is typed can be completed: that of a field of
// files or with known names, once something was typed into it.
func (f *Form) Completes() bool {
	field := f.line()
	if field == nil || !field.Input.CanUndo() {
		return false
	}
	_, value := field.last()
	return value != "" && (field.File || field.Names != nil)
}

// Complete asks for what the text that is typed may become, of several values the last one:
// a known name, or a path. A picker.CompletedMsg of the owner brings it.
func (f *Form) Complete(owner any) tea.Cmd {
	field := f.line()
	_, value := field.last()
	names, paths := field.Names, field.File || isPath(value)
	return func() tea.Msg {
		c := picker.Completion{Typed: value, To: value}
		if paths {
			c = picker.Complete(value)
		}
		return picker.CompletedMsg{Owner: owner, Completion: c.Among(names)}
	}
}

// Completed takes what a text may become. It reports whether the text is still there, and
// whether there was nothing to complete, so that the key means what it means elsewhere.
func (f *Form) Completed(c picker.Completion) (took, nothing bool) {
	if !f.Completes() {
		return false, false
	}
	field := f.line()
	before, value := field.last()
	if value != c.Typed {
		return false, false // It was changed meanwhile.
	}
	if c.To == c.Typed && len(c.Names) < 2 {
		return true, true
	}
	if field.Many && strings.Contains(c.To, ",") && separator(before) == "," {
		before = strings.ReplaceAll(before, ",", ";")
		if before == "" {
			before = ";" // So that the comma belongs to the path.
		}
	}
	field.Input.SetTyped(before + c.To)
	c.Typed = c.To
	f.offered = c
	return true, false
}

// offers says what tab found that the text of a field may become, "" if nothing.
func (f *Form) offers(field *Field) string {
	if _, value := field.last(); field != f.line() || value != f.offered.Typed || len(f.offered.Names) < 2 {
		return ""
	}
	return "tab: " + strings.Join(f.offered.Names, "  ")
}

// PickFrom goes to the data set, and returns the path that is typed there, "" if it is none.
func (f *Form) PickFrom() string {
	field := f.Field(rundir.DatasetField)
	if field == nil {
		return ""
	}
	f.GoTo(field.Name)
	if _, value := field.last(); isPath(value) {
		return value
	}
	return ""
}

// Picked puts a file that was picked into the field where the person is: beside the other
// values, or in the place of one that is a path.
func (f *Form) Picked(path string) {
	field := f.line()
	if field == nil || !field.File {
		return
	}
	path = picker.Short(path)
	if !field.Many {
		field.Input.Replace(path)
		return
	}
	values, _ := field.Values() // What is refused has no values, and is replaced.
	if n := len(values); n > 0 && isPath(values[n-1]) {
		values = values[:n-1]
	}
	field.Input.Replace(sweep.Join(append(values, path)))
}
