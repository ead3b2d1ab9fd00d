package rundir

import (
	"errors"
	"slices"
	"testing"

	"dgplab/models"
)

func TestFieldsOfAConfiguration(t *testing.T) {
	names := []string{DatasetField, TargetsField, SplitField, FamilyField, PresetField, SeedField, "layers"}
	var c Config
	want := Config{Dataset: "a.csv", Targets: []string{"a,b", "c"}, Split: "standard:3",
		Family: "star", Preset: "p", Seed: 7,
		Set: map[string]string{"layers": "2"}}
	for _, name := range names {
		if err := c.SetField(name, " "+want.Field(name)+" "); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range names {
		if c.Field(name) != want.Field(name) {
			t.Errorf("%s is %q, want %q", name, c.Field(name), want.Field(name))
		}
	}
	var value *models.ValueError
	for name, text := range map[string]string{SeedField: "-1", TargetsField: `"a`, ColumnsField: "a"} {
		if err := c.SetField(name, text); !errors.As(err, &value) || value.Name != name {
			t.Errorf("%s=%s: %v", name, text, err)
		}
	}
	_ = c.SetField(PresetField, DefaultPreset)
	if c.Preset != "" {
		t.Errorf("the preset of defaults is named %q", c.Preset)
	}
}

// A list with an open quotation mark is refused with the expected format.
func TestParseColumns(t *testing.T) {
	if _, err := ParseColumns(`ignore="a`); err == nil ||
		err.Error() != "want choices such as ignore=id,missing=mean" {
		t.Errorf("error %v", err)
	}
}

func TestTargetsRoundTrip(t *testing.T) {
	for _, targets := range [][]string{nil, {"y"}, {"a", "b"}, {"a,b", `say "c"`}, {"größe (cm)"}} {
		got, err := SplitColumns(joinColumns(targets))
		if err != nil || !slices.Equal(got, targets) {
			t.Errorf("%q: %q, %v", targets, got, err)
		}
	}
}
