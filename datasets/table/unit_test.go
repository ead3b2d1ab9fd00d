package table

import (
	"slices"
	"testing"
)

// TestUnits checks the units of the inputs from every kind of column.
func TestUnits(t *testing.T) {
	yesNo := []Level{{Name: "no"}, {Name: "yes"}}
	table := Description{Columns: []Column{
		{Name: "id", Kind: Text, Role: Ignored},
		{Name: "town", Kind: Category, Inputs: []string{"town=a", "town=b", "town=c"}},
		{Name: "day", Kind: Date, Unit: inDays, Inputs: []string{"day"}},
		{Name: "price", Kind: Number, Role: Target},
		{Name: "garden", Kind: Boolean, Levels: yesNo, Inputs: []string{"garden"}},
		{Name: "since", Kind: Date, Unit: inSeconds, Log: true, Inputs: []string{"log(since)"}},
		{Name: "until", Kind: Date, Unit: inSeconds, Role: Target, Log: true},
	}}
	inputs, targets := table.Units()
	if want := []string{"", "", "", inDays, "0 no, 1 yes", ""}; !slices.Equal(inputs, want) {
		t.Errorf("inputs %q, want %q", inputs, want)
	}
	if want := []string{"", inSeconds}; !slices.Equal(targets, want) {
		t.Errorf("targets %q, want %q", targets, want)
	}
}
