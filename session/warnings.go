package session

import (
	"fmt"
	"slices"
)

// maxWarnings bounds the number of listed warnings.
const maxWarnings = 100

// note adds a note about the run unless it is already listed.
func (t *trainer) note(text string) {
	if !slices.Contains(t.notes, text) {
		t.notes = append(slices.Clip(t.notes), text)
	}
}

// warnings holds problems that did not end the run. It keeps the latest warning of each kind with
// its count, which prevents frequent warnings from hiding others.
type warnings struct {
	list  []warning
	more  int      // number of kinds beyond the list
	texts []string // cached result of view; nil after a change
}

type warning struct {
	kind, text string
	count      int
}

// add adds a warning and counts the warnings of its kind.
func (w *warnings) add(kind, text string) {
	k := slices.IndexFunc(w.list, func(known warning) bool { return known.kind == kind })
	switch {
	case k >= 0 && kind == text:
		// The text describes a condition, not an event, and is not counted.
		return
	case k >= 0:
		w.list[k].text = text
		w.list[k].count++
	case len(w.list) == maxWarnings:
		w.more++
	default:
		w.list = append(w.list, warning{kind, text, 1})
	}
	w.texts = nil
}

// view returns the warnings. They are not modified later.
func (w *warnings) view() []string {
	if w.texts != nil || len(w.list) == 0 {
		return w.texts
	}
	for _, warning := range w.list {
		text := warning.text
		if warning.count > 1 {
			text = fmt.Sprintf("%s (%d times)", text, warning.count)
		}
		w.texts = append(w.texts, text)
	}
	if w.more > 0 {
		w.texts = append(w.texts, fmt.Sprintf("and %d more warnings", w.more))
	}
	return w.texts
}

// warn adds a warning unless it is already listed.
func (t *trainer) warn(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	t.warnings.add(text, text)
}

// warnError adds a warning about a failure. what identifies its kind.
func (t *trainer) warnError(what string, err error) {
	t.warnings.add(what, fmt.Sprintf("%s: %v", what, err))
}
