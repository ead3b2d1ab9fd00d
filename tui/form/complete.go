package form

import (
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session/rundir"
	"dgplab/session/sweep"
	"dgplab/tui/kit"
)

// separator returns the separator of the values in a string, as in sweep.Expand.
func separator(text string) string {
	if strings.Contains(text, ";") {
		return ";"
	}
	return ","
}

// last returns the last value in a field and the text before it.
func (f *Field) last() (before, value string) {
	text := f.Input.Value()
	if !f.Many {
		return "", text
	}
	at := strings.LastIndex(text, separator(text)) + 1
	value = strings.TrimLeft(text[at:], " ")
	return text[:len(text)-len(value)], value
}

// isPath reports whether a value looks like a path.
func isPath(value string) bool {
	return strings.ContainsRune(value, filepath.Separator) || strings.HasPrefix(value, "~")
}

// IsFile reports whether a data set is a file: a path, or a name with an extension.
func IsFile(dataset string) bool { return isPath(dataset) || filepath.Ext(dataset) != "" }

// Completes reports whether tab can complete the text being typed. The text must have been changed, and the
// field must accept files or have known names.
func (f *Form) Completes() bool {
	field := f.line()
	if field == nil || !field.Input.CanUndo() {
		return false
	}
	_, value := field.last()
	return value != "" && (field.File || field.Names != nil)
}

// Complete returns a command that completes the last typed value to a known name or a path. Its message is a
// kit.CompletedMsg with the given owner.
func (f *Form) Complete(owner any) tea.Cmd {
	field := f.line()
	_, value := field.last()
	names, paths := field.Names, field.File || isPath(value)
	return func() tea.Msg {
		c := kit.Completion{Typed: value, To: value}
		if paths {
			c = kit.CompletePath(value)
		}
		return kit.CompletedMsg{Owner: owner, Completion: c.WithNames(names)}
	}
}

// Completed applies a completion. took is false if the text has changed in the meantime. nothing is true if
// there was nothing to complete; the key then has its usual meaning.
func (f *Form) Completed(c kit.Completion) (took, nothing bool) {
	if !f.Completes() {
		return false, false
	}
	field := f.line()
	before, value := field.last()
	if value != c.Typed {
		return false, false // The text has changed in the meantime.
	}
	if c.To == c.Typed && len(c.Names) < 2 {
		return true, true
	}
	if field.Many && strings.Contains(c.To, ",") && separator(before) == "," {
		before = strings.ReplaceAll(before, ",", ";")
		if before == "" {
			before = ";" // A leading ";" makes the comma part of the path.
		}
	}
	field.Input.SetTyped(before + c.To)
	c.Typed = c.To
	f.offered = c
	return true, false
}

// offers returns the completions that tab found for a field, or "" if there are none.
func (f *Form) offers(field *Field) string {
	if _, value := field.last(); field != f.line() || value != f.offered.Typed || len(f.offered.Names) < 2 {
		return ""
	}
	return "tab: " + strings.Join(f.offered.Names, "  ")
}

// PickFrom selects the data set field and returns its value if that is a path, and "" otherwise.
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

// Picked sets the picked file in the selected field. It replaces the last value if that is a path. Otherwise,
// in a field of several values, it is appended.
func (f *Form) Picked(path string) {
	field := f.line()
	if field == nil || !field.File {
		return
	}
	path = kit.ShortPath(path)
	if !field.Many {
		field.Input.Replace(path)
		return
	}
	values, _ := field.Values() // Invalid text has no values and is replaced.
	if n := len(values); n > 0 && isPath(values[n-1]) {
		values = values[:n-1]
	}
	field.Input.Replace(sweep.Join(append(values, path)))
}
