package form

import (
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session/rundir"
	"dgplab/session/sweep"
	"dgplab/tui/kit"
)

// separator returns the separator of several values in a string, as parsed by sweep.Expand.
func separator(text string) string {
	if strings.Contains(text, ";") {
		return ";"
	}
	return ","
}

// last splits the text of a field into the last value and the text before it.
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

// IsFile reports whether a data set is given as a file: by a path, or by a name with an extension.
func IsFile(dataset string) bool { return isPath(dataset) || filepath.Ext(dataset) != "" }

// Completes reports whether tab can complete the text that is being typed. The text must have been
// changed, and the field must accept files or have known names.
func (f *Form) Completes() bool {
	field := f.line()
	if field == nil || !field.Input.CanUndo() {
		return false
	}
	_, value := field.last()
	return value != "" && (field.File || field.Names != nil)
}

// Complete returns a command that completes the last typed value to a known name or a path. The
// result is a kit.CompletedMsg with the given owner.
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

// Completed applies a completion. took reports whether the text is still the one that was
// completed. nothing reports whether there was nothing to complete; the key then has its usual
// meaning.
func (f *Form) Completed(c kit.Completion) (took, nothing bool) {
	if !f.Completes() {
		return false, false
	}
	field := f.line()
	before, value := field.last()
	if value != c.Typed {
		return false, false // The text was changed in the meantime.
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

// offers returns the completions of the text of a field that tab found, or "".
func (f *Form) offers(field *Field) string {
	if _, value := field.last(); field != f.line() || value != f.offered.Typed || len(f.offered.Names) < 2 {
		return ""
	}
	return "tab: " + strings.Join(f.offered.Names, "  ")
}

// PickFrom selects the data set field and returns the path typed there, or "" if the value is not a
// path.
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

// Picked sets the picked file in the selected field: it is appended to several values, or replaces
// a last value that is a path.
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
	values, _ := field.Values() // An invalid text has no values and is replaced.
	if n := len(values); n > 0 && isPath(values[n-1]) {
		values = values[:n-1]
	}
	field.Input.Replace(sweep.Join(append(values, path)))
}
