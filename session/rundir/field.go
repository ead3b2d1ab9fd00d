package rundir

import (
	"encoding/csv"
	"errors"
	"slices"
	"strconv"
	"strings"

	"dgplab/datasets/table"
	"dgplab/models"
)

// The fields of every configuration. All other names are hyperparameters in Config.Set.
const (
	DatasetField = "dataset"
	TargetsField = "targets"
	ColumnsField = "columns"
	SplitField   = "split"
	FamilyField  = "family"
	PresetField  = "preset"
	SeedField    = "seed"
)

// IsField reports whether name is one of the fields above.
func IsField(name string) bool {
	return slices.Contains([]string{DatasetField, TargetsField, ColumnsField, SplitField, FamilyField,
		PresetField, SeedField}, name)
}

// DefaultPreset is the name of the preset that consists of a family's defaults.
const DefaultPreset = "default"

// Field returns the value of a field or hyperparameter as text, or "" if it is not set.
func (c Config) Field(name string) string {
	switch name {
	case DatasetField:
		return c.Dataset
	case TargetsField:
		return joinColumns(c.Targets)
	case ColumnsField:
		return joinColumns(c.Columns.Items())
	case SplitField:
		return c.Split
	case FamilyField:
		return c.Family
	case PresetField:
		return c.Preset
	case SeedField:
		return strconv.FormatUint(c.Seed, 10)
	}
	return c.Set[name]
}

// SetField sets a field from text. It returns a *models.ValueError if the text cannot be parsed. Any other
// name is a hyperparameter; its value is not validated.
func (c *Config) SetField(name, text string) (err error) {
	text = strings.TrimSpace(text)
	switch name {
	case DatasetField:
		c.Dataset = text
	case TargetsField:
		c.Targets, err = SplitColumns(text)
		if err != nil {
			return &models.ValueError{Name: name, Value: text, Want: "want columns separated by commas"}
		}
	case ColumnsField:
		c.Columns, err = ParseColumns(text)
		if err != nil {
			return &models.ValueError{Name: name, Value: text, Want: err.Error()}
		}
	case SplitField:
		c.Split = text
	case FamilyField:
		c.Family = text
	case PresetField:
		c.Preset = text
		if text == DefaultPreset {
			c.Preset = ""
		}
	case SeedField:
		c.Seed, err = strconv.ParseUint(text, 10, 64)
		if err != nil {
			return &models.ValueError{Name: name, Value: text, Want: "want a whole number from 0"}
		}
	default:
		if c.Set == nil {
			c.Set = map[string]string{}
		}
		c.Set[name] = text
	}
	return nil
}

// SplitColumns parses a comma-separated list of columns or choices, quoted as in CSV. It returns nil for an
// empty text.
func SplitColumns(text string) ([]string, error) {
	if text == "" {
		return nil, nil
	}
	r := csv.NewReader(strings.NewReader(text))
	r.TrimLeadingSpace = true
	record, err := r.Read()
	for k, target := range record {
		record[k] = strings.TrimSpace(target)
	}
	return record, err
}

// ParseColumns parses choices such as ignore=id,missing=mean. The error describes the expected
// format.
func ParseColumns(text string) (table.Choices, error) {
	items, err := SplitColumns(text)
	if err != nil {
		return table.Choices{}, errors.New("want choices such as ignore=id,missing=mean")
	}
	return table.ParseChoices(items)
}

// joinColumns formats a list of columns or choices for SplitColumns.
func joinColumns(targets []string) string {
	if len(targets) == 0 {
		return ""
	}
	var text strings.Builder
	w := csv.NewWriter(&text)
	_ = w.Write(targets) // A Builder never fails.
	w.Flush()
	return strings.TrimSuffix(text.String(), "\n")
}
