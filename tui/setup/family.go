package setup

import (
	"slices"
	"strings"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/models"
	"dgplab/tui/kit"
)

// familyList are the families under the headings of their groups, of which one is
// chosen; while somebody looks for one, those that have what is typed.
type familyList struct {
	all    []models.Spec // those of a group beside each other
	chosen int
	// finding says that somebody looks for a family; before was chosen then.
	finding bool
	text    kit.Line
	before  int
}

// newFamilyList puts the families of a group beside each other, groups and families
// in the order that they have.
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

// choose chooses the family of a name, the first one if there is none.
func (l *familyList) choose(name string) {
	l.chosen = max(slices.IndexFunc(l.all, func(spec models.Spec) bool { return spec.Name == name }), 0)
}

// matches returns the indices of the families that have every word that is typed in
// their name, their title or their group.
func (l *familyList) matches() []int {
	var list []int
	for i, spec := range l.all {
		text := strings.ToLower(spec.Name + " " + spec.Title + " " + spec.Group)
		lacks := func(word string) bool { return !strings.Contains(text, word) }
		if !l.finding || !slices.ContainsFunc(strings.Fields(strings.ToLower(l.text.Value())), lacks) {
			list = append(list, i)
		}
	}
	return list
}

// at returns which of the matches is chosen, 0 if none is.
func (l *familyList) at() int { return max(slices.Index(l.matches(), l.chosen), 0) }

// move chooses another one of the matches and reports whether it is another family.
func (l *familyList) move(to int) bool {
	matches, before := l.matches(), l.chosen
	if len(matches) > 0 {
		l.chosen = matches[min(max(to, 0), len(matches)-1)]
	}
	return l.chosen != before
}

// find begins to look for a family.
func (l *familyList) find() {
	l.finding, l.text, l.before = true, kit.NewLine(""), l.chosen
}

// typed gives a key to the text that is looked for and reports whether it took it.
// The first match is chosen unless the chosen family is one.
func (l *familyList) typed(msg tea.KeyMsg) bool {
	if !l.finding || !l.text.Type(msg, unicode.IsPrint) {
		return false
	}
	l.narrow()
	return true
}

// edit gives a key that moves the caret or erases to that text.
func (l *familyList) edit(msg tea.KeyMsg) {
	if l.text.Edit(msg) {
		l.narrow()
	}
}

func (l *familyList) narrow() { l.move(l.at()) }

// found ends the search with the chosen family, or takes it back.
func (l *familyList) found(keep bool) {
	l.finding = false
	if !keep {
		l.chosen = l.before
	}
}

// familyRow is a line of the list: a family, or the heading of a group.
type familyRow struct {
	heading string
	index   int
}

// rows returns the lines of the list, with headings where there are several groups.
func (l *familyList) rows() []familyRow {
	several := slices.ContainsFunc(l.all, func(spec models.Spec) bool { return spec.Group != l.all[0].Group })
	var rows []familyRow
	group := ""
	for _, i := range l.matches() {
		if g := l.all[i].Group; several && g != group {
			group = g
			rows = append(rows, familyRow{heading: g, index: -1})
		}
		rows = append(rows, familyRow{index: i})
	}
	return rows
}
