package setup

import (
	"slices"
	"strings"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/models"
	"dgplab/tui/kit"
)

// familyList is the list of families under the headings of their groups. During a search it shows
// only the matching families.
type familyList struct {
	all    []models.Spec // grouped
	chosen int
	// finding is set during a search. before is the selection at its start.
	finding bool
	text    kit.Line
	before  int
	// advice holds the families that suit the data, and shows only these. nil shows all families.
	advice []models.Advice
}

// newFamilyList groups the families. Groups and families keep their order.
func newFamilyList(all []models.Spec) familyList {
	var groups []string
	for _, spec := range all {
		if !slices.Contains(groups, spec.Group) {
			groups = append(groups, spec.Group)
		}
	}
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b models.Spec) int {
		return slices.Index(groups, a.Group) - slices.Index(groups, b.Group)
	})
	return familyList{all: sorted}
}

// choose selects the family with a name, or the first family if there is none.
func (l *familyList) choose(name string) {
	l.chosen = max(l.index(name), 0)
}

// index returns the index of the family with a name, or -1 if there is none.
func (l *familyList) index(name string) int {
	return slices.IndexFunc(l.all, func(spec models.Spec) bool { return spec.Name == name })
}

// advise shows only the families of the advice, each under its first question, and selects the first of them
// unless another is selected. nil shows all families.
func (l *familyList) advise(advice []models.Advice) {
	l.advice, l.finding = nil, false
	for _, a := range advice {
		known := slices.ContainsFunc(l.advice, func(b models.Advice) bool { return b.Family == a.Family })
		if !known && l.index(a.Family) >= 0 {
			l.advice = append(l.advice, a)
		}
	}
	l.narrow()
}

// words describes the selected family: why it suits the data, or what it is.
func (l *familyList) words() string {
	for _, a := range l.advice {
		if l.index(a.Family) == l.chosen {
			return "For " + a.Question + ": " + a.Reason + ". Source: " + a.Source + "."
		}
	}
	if l.chosen >= len(l.all) {
		return ""
	}
	return l.all[l.chosen].Summary
}

// matches returns the indices of the families that contain every typed word in their name, title or
// group.
func (l *familyList) matches() []int {
	var list []int
	if l.advice != nil {
		for _, a := range l.advice {
			list = append(list, l.index(a.Family))
		}
		return list
	}
	for i, spec := range l.all {
		text := strings.ToLower(spec.Name + " " + spec.Title + " " + spec.Group)
		lacks := func(word string) bool { return !strings.Contains(text, word) }
		if !l.finding || !slices.ContainsFunc(strings.Fields(strings.ToLower(l.text.Value())), lacks) {
			list = append(list, i)
		}
	}
	return list
}

// at returns the index of the selected family among the matches, or 0.
func (l *familyList) at() int { return max(slices.Index(l.matches(), l.chosen), 0) }

// move selects another match and reports whether the selected family changed.
func (l *familyList) move(to int) bool {
	matches, before := l.matches(), l.chosen
	if len(matches) > 0 {
		l.chosen = matches[min(max(to, 0), len(matches)-1)]
	}
	return l.chosen != before
}

// find starts a search.
func (l *familyList) find() {
	l.finding, l.text, l.before, l.advice = true, kit.NewSearch(), l.chosen, nil
}

// typed passes a key to the search text and reports whether the key was accepted. If the selected family does
// not match, the first match is selected.
func (l *familyList) typed(msg tea.KeyMsg) bool {
	if !l.finding || !l.text.Type(msg, unicode.IsPrint) {
		return false
	}
	l.narrow()
	return true
}

// edit passes a key that moves the caret or erases to the search text.
func (l *familyList) edit(msg tea.KeyMsg) {
	if l.text.Edit(msg) {
		l.narrow()
	}
}

func (l *familyList) narrow() { l.move(l.at()) }

// found ends the search. If keep is false, it restores the previous selection.
func (l *familyList) found(keep bool) {
	l.finding = false
	if !keep {
		l.chosen = l.before
	}
}

// familyRow is a row of the list: a family or the heading of a group.
type familyRow struct {
	heading string
	index   int
}

// rows returns the rows of the list, with headings if there are several groups.
func (l *familyList) rows() []familyRow {
	several := slices.ContainsFunc(l.all, func(spec models.Spec) bool { return spec.Group != l.all[0].Group })
	var rows []familyRow
	group := ""
	if l.advice != nil {
		for _, a := range l.advice {
			if a.Question != group {
				group = a.Question
				rows = append(rows, familyRow{heading: "for " + group, index: -1})
			}
			rows = append(rows, familyRow{index: l.index(a.Family)})
		}
		return rows
	}
	for _, i := range l.matches() {
		if g := l.all[i].Group; several && g != group {
			group = g
			rows = append(rows, familyRow{heading: g, index: -1})
		}
		rows = append(rows, familyRow{index: i})
	}
	return rows
}
