package session

import (
	"fmt"
	"slices"
)

// maxWarnings bounds the list that people read.
const maxWarnings = 100

// note adds what is to be known of the run, though nothing is wrong, unless it is there already.
func (t *trainer) note(text string) {
	if !slices.Contains(t.notes, text) {
		t.notes = append(slices.Clip(t.notes), text)
	}
}

// warnings are what went wrong without ending a run: one of each kind, the newest with
// how often there was one, so that none hides the others.
type warnings struct {
	list  []warning
	more  int      // of other kinds than those of the list
	texts []string // as they are read; nil when there is a new one
}

type warning struct {
	kind, text string
	count      int
}

// add takes a warning of a kind.
func (w *warnings) add(kind, text string) {
	k := slices.IndexFunc(w.list, func(known warning) bool { return known.kind == kind })
	switch {
	case k >= 0 && kind == text:
		return // It says how things are, not what happened.
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

// view returns the texts, which are not written again.
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

// warn adds a warning unless it is there already.
func (t *trainer) warn(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	t.warnings.add(text, text)
}

// trouble adds a warning of what could not be done, and why.
func (t *trainer) trouble(what string, err error) {
	t.warnings.add(what, fmt.Sprintf("%s: %v", what, err))
}
