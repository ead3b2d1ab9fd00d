package form

import (
	"slices"

	"dgplab/models/family"
)

// row is a line of a form: a field, the heading of a section, or a fold that hides fields.
type row struct {
	heading family.Section
	field   *Field
	fold    family.Section
	folded  []*Field // hidden fields; nil if the section is open
}

// key identifies a row that can be selected. It is "" for a heading.
func (r row) key() string {
	switch {
	case r.field != nil:
		return r.field.Name
	case r.fold != "":
		return "+" + string(r.fold)
	}
	return ""
}

// sectionOrder is the order of the common sections. Sections of a screen follow the data section.
var sectionOrder = []family.Section{
	family.DataSection, family.ModelSection, family.KernelSection,
	family.InferenceSection, family.TrainingSection,
}

// sections returns the fields that have an effect by section, and the order of the sections.
func (f *Form) sections() (order []family.Section, bySection map[family.Section][]*Field) {
	bySection = map[family.Section][]*Field{}
	order = slices.Clone(sectionOrder)
	for _, field := range f.Fields() {
		section := field.Section
		if section == "" {
			section = family.ModelSection
		}
		if !slices.Contains(order, section) {
			order = slices.Insert(order, 1, section) // After the data section.
		}
		bySection[section] = append(bySection[section], field)
	}
	return order, bySection
}

// rows returns all rows, with or without headings.
func (f *Form) rows(headings bool) []row {
	order, bySection := f.sections()
	unfolded := f.unfolded()
	var rows []row
	for _, section := range order {
		fields := bySection[section]
		if len(fields) > 0 && headings {
			rows = append(rows, row{heading: section})
		}
		rows = append(rows, f.sectionRows(fields, section, unfolded[section], f.at)...)
	}
	return rows
}

// leastForHeadings is the minimum height for headings of sections.
const leastForHeadings = 8

// unfolded returns the open sections. Until the user opens or closes a section, these are as many sections as
// fit into the height of the last drawing, in their order. After that they are the sections that the user has
// left open.
func (f *Form) unfolded() map[family.Section]bool {
	if f.open != nil {
		return f.open
	}
	open := map[family.Section]bool{}
	if f.room < leastForHeadings {
		return open
	}
	order, bySection := f.sections()
	free := f.room
	for _, section := range order {
		if fields := bySection[section]; len(fields) > 0 {
			free -= 1 + len(f.sectionRows(fields, section, false, ""))
		}
	}
	for _, section := range order {
		fields := bySection[section]
		more := len(f.sectionRows(fields, section, true, "")) - len(f.sectionRows(fields, section, false, ""))
		if more > 0 && more <= free {
			open[section] = true
			free -= more
		}
	}
	return open
}

// sectionRows returns the visible fields of an open or closed section, starting with the First ones, and its
// fold. If the fold would hide a single field, it is replaced by that field. at is the selected row, which is
// always visible.
func (f *Form) sectionRows(fields []*Field, section family.Section, open bool, at string) []row {
	var all, shown, rest []row
	var folded []*Field
	late := 0 // fields to fold away
	for _, field := range fields {
		if !field.First && !field.Changed() && field.Err() == nil {
			late++
		}
	}
	for _, field := range fields {
		all = append(all, row{field: field})
		if field.First || !open &&
			(field.Changed() || field.Err() != nil || field.Name == at && late > 1) {
			shown = append(shown, row{field: field})
		} else {
			rest = append(rest, row{field: field})
			folded = append(folded, field)
		}
	}
	switch {
	case len(rest) == 0 || len(rest) == 1 && !open:
		return all // The original order is kept, because changing the single field must not move rows.
	case open:
		return append(append(shown, rest...), row{fold: section})
	}
	return append(shown, row{fold: section, folded: folded})
}

// places returns the selectable rows.
func (f *Form) places() []row {
	return slices.DeleteFunc(f.rows(false), func(r row) bool { return r.key() == "" })
}

// index returns the index of the selected row in a list of rows, or 0 if the list does not contain it.
func (f *Form) index(rows []row) int {
	return max(slices.IndexFunc(rows, func(r row) bool { return r.key() == f.at }), 0)
}

// keepRow selects the first row if the selected one has disappeared.
func (f *Form) keepRow() {
	if rows := f.places(); len(rows) > 0 {
		f.at = rows[f.index(rows)].key()
	}
}

// Len returns the index of the selected row and the number of rows.
func (f *Form) Len() (at, n int) {
	rows := f.places()
	return f.index(rows), len(rows)
}

// fold returns the section of the selected fold, or "" if a field is selected.
func (f *Form) fold() family.Section {
	if rows := f.places(); len(rows) > 0 {
		return rows[f.index(rows)].fold
	}
	return ""
}

// unfold opens or closes a section. Opening selects the first field that was hidden. After that no section
// opens or closes automatically.
func (f *Form) unfold(section family.Section) {
	rows := f.places()
	hidden := rows[f.index(rows)].folded
	f.open = f.unfolded()
	f.open[section] = !f.open[section]
	if len(hidden) > 0 {
		f.at = hidden[0].Name
	}
}
