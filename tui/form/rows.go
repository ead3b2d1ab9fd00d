package form

import (
	"slices"

	"dgplab/models/family"
)

// row is a line of a form: a field, or the heading of a section, or the line that
// stands for fields that are folded away.
type row struct {
	heading family.Section
	field   *Field
	fold    family.Section
	folded  []*Field // what the fold hides; none when the section is open
}

// key names a row where the person can be; it is "" for a heading.
func (r row) key() string {
	switch {
	case r.field != nil:
		return r.field.Name
	case r.fold != "":
		return "+" + string(r.fold)
	}
	return ""
}

// sectionOrder is the order of the sections that families know; a screen's own
// stand below that of the data.
var sectionOrder = []family.Section{
	family.DataSection, family.ModelSection, family.KernelSection,
	family.InferenceSection, family.TrainingSection,
}

// rows returns all lines, with headings or without.
func (f *Form) rows(headings bool) []row {
	bySection := map[family.Section][]*Field{}
	order := slices.Clone(sectionOrder)
	for _, field := range f.Fields() {
		section := field.Section
		if section == "" {
			section = family.ModelSection
		}
		if !slices.Contains(order, section) {
			order = slices.Insert(order, 1, section) // Below the data.
		}
		bySection[section] = append(bySection[section], field)
	}
	var rows []row
	for _, section := range order {
		fields := bySection[section]
		if len(fields) > 0 && headings {
			rows = append(rows, row{heading: section})
		}
		rows = append(rows, f.sectionRows(section, fields)...)
	}
	return rows
}

// sectionRows returns the fields of a section that are shown, first those that people
// change first, and the line for the others. A single one of these is not folded away, and keeps its place.
func (f *Form) sectionRows(section family.Section, fields []*Field) []row {
	var all, shown, rest []row
	var folded []*Field
	late := 0 // fields that are folded away where there are several
	for _, field := range fields {
		if !field.First && !field.Changed() && field.Err() == nil {
			late++
		}
	}
	for _, field := range fields {
		all = append(all, row{field: field})
		if field.First || !f.open[section] &&
			(field.Changed() || field.Err() != nil || field.Name == f.at && late > 1) {
			shown = append(shown, row{field: field})
		} else {
			rest = append(rest, row{field: field})
			folded = append(folded, field)
		}
	}
	switch {
	case len(rest) == 0 || len(rest) == 1 && !f.open[section]:
		return all // In their order, so that no line moves when the single one is changed.
	case f.open[section]:
		return append(append(shown, rest...), row{fold: section})
	}
	return append(shown, row{fold: section, folded: folded})
}

// places returns the rows where the person can be.
func (f *Form) places() []row {
	return slices.DeleteFunc(f.rows(false), func(r row) bool { return r.key() == "" })
}

// index returns where in a list of rows the person is, 0 if nowhere.
func (f *Form) index(rows []row) int {
	return max(slices.IndexFunc(rows, func(r row) bool { return r.key() == f.at }), 0)
}

// keepRow brings a person whose row is gone to the first one.
func (f *Form) keepRow() {
	if rows := f.places(); len(rows) > 0 {
		f.at = rows[f.index(rows)].key()
	}
}

// Len returns how many rows there are, and where among them the person is.
func (f *Form) Len() (at, n int) {
	rows := f.places()
	return f.index(rows), len(rows)
}

// fold returns the section that the fold where the person is stands for, "" if they
// are on a field.
func (f *Form) fold() family.Section {
	if rows := f.places(); len(rows) > 0 {
		return rows[f.index(rows)].fold
	}
	return ""
}

// unfold opens or closes a section. A person who opens one comes to the first field
// of those that were hidden.
func (f *Form) unfold(section family.Section) {
	rows := f.places()
	hidden := rows[f.index(rows)].folded
	f.open[section] = !f.open[section]
	if len(hidden) > 0 {
		f.at = hidden[0].Name
	}
}
