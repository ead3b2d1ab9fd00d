package cli

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"dgplab/datasets"
	"dgplab/datasets/files"
	"dgplab/datasets/table"
	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/config"
	"dgplab/session/rundir"
)

// config returns the configuration given by the flags. Missing values are empty, and presets are
// not expanded.
func (f *fieldFlags) config(cmd *cobra.Command) (rundir.Config, error) {
	c := rundir.Config{Targets: f.targets, Set: map[string]string{}}
	for name, text := range f.given(cmd) {
		var value *models.ValueError
		if err := c.SetField(name, text); errors.As(err, &value) {
			return c, usage(cmd, "bad value: --%s=%s; %s", name, value.Value, value.Want)
		}
	}
	c.Dataset = dataset(c.Dataset)
	var err error
	c.Columns, err = f.columns.choices(cmd, c.Columns)
	if err != nil {
		return c, err
	}
	pairs, err := f.settings(cmd)
	if err != nil {
		return c, err
	}
	for _, pair := range pairs {
		name, value, _ := strings.Cut(pair, "=")
		c.Set[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
	return c, pinWarmStart(c.Set)
}

// pinWarmStart replaces latest with the ID of the run to start from, so that the configuration keeps its
// meaning.
func pinWarmStart(set map[string]string) error {
	name := set[rundir.WarmStartSetting]
	if !strings.HasPrefix(name, rundir.Latest) {
		return nil
	}
	info, err := findRun(name)
	if err == nil {
		set[rundir.WarmStartSetting] = info.ID
	}
	return err
}

// withDefaults fills in the default data set, the default family and the values of the preset. It
// ignores errors, which check reports.
func withDefaults(c rundir.Config) rundir.Config {
	if c.Dataset == "" {
		c.Dataset = defaultDataset()
	}
	if c.Family == "" {
		c.Family = models.DefaultFamily
	}
	if full, err := config.WithPreset(c, c.Preset); err == nil {
		return full
	}
	return c
}

// check validates a configuration without its data. For an unknown name it suggests the most similar one.
// Errors are usage errors, except for unreadable files and data sets that must be fetched.
func check(cmd *cobra.Command, c rundir.Config) error {
	if err := cmp.Or(checkFamily(cmd, c.Family), checkSet(cmd, c), checkDataset(cmd, c.Dataset)); err != nil {
		return err
	}
	return refusedValue(cmd, c.Family, config.Validate(c))
}

// refusedValue turns an error of config.Validate into a usage error, unless it can be fixed
// without changing the command line.
func refusedValue(cmd *cobra.Command, familyName string, err error) error {
	var fetch *datasets.NotFetchedError
	if err == nil || errors.As(err, &fetch) || errors.Is(err, fs.ErrPermission) {
		return err
	}
	return refusal(cmd, familyName, err)
}

func checkFamily(cmd *cobra.Command, name string) error {
	if _, err := models.Lookup(name); err == nil {
		return nil
	}
	return usage(cmd, "unknown family: %q%s", name, didYouMeanOr(name, familyNames()))
}

// checkDataset accepts catalogue names and existing files.
func checkDataset(cmd *cobra.Command, name string) error {
	if _, err := os.Stat(name); err == nil {
		return nil
	}
	if _, err := datasets.Lookup(name); err == nil {
		return nil
	}
	if strings.ContainsAny(name, `/\.`) {
		return usage(cmd, "unknown data set: no such file: %s", name)
	}
	return usage(cmd, "unknown data set: %q%s", name, didYouMeanOr(name, datasetNames()))
}

// checkSet accepts the names of hyperparameters of the family and of training settings. Training settings
// that the family does not use are rejected later.
func checkSet(cmd *cobra.Command, c rundir.Config) error {
	spec, err := models.Lookup(c.Family)
	if err != nil {
		return err
	}
	list, err := config.FamilyHyperparameters(c.Family)
	if err != nil {
		return err
	}
	names := family.Names(list)
	training := family.Names(config.Hyperparameters())
	for _, name := range sortedKeys(c.Set) {
		if why, absent := spec.Absent[name]; absent {
			return &usageError{flagOf(cmd, name) + "=" + c.Set[name] + ": " + c.Family +
				" has no such setting: " + why, "dgplab families " + c.Family}
		}
		if !slices.Contains(names, name) && !slices.Contains(training, name) {
			return &usageError{"unknown hyperparameter: " + flagOf(cmd, name) + "=" + c.Set[name] +
				" for family " + c.Family + didYouMeanOr(name, names), "dgplab families " + c.Family}
		}
	}
	return nil
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// refusal turns a validation error into a usage error.
func refusal(cmd *cobra.Command, familyName string, err error) error {
	var value *models.ValueError
	if errors.As(err, &value) {
		return &usageError{badValue(cmd, value), "dgplab families " + familyName}
	}
	return usage(cmd, "%s", oneLine(err))
}

// badValue returns a message about an invalid value in command-line notation.
func badValue(cmd *cobra.Command, e *models.ValueError) string {
	return "bad value: " + flagOf(cmd, e.Name) + strings.TrimPrefix(e.Error(), e.Name)
}

// blame classifies the error of a configuration that does not fit its data. It is a usage error if the
// command line contains an invalid value, selects a split, targets or columns that the data do not have, or
// leaves a question about the data open. Otherwise it is an error in the data.
func blame(cmd *cobra.Command, c rundir.Config, err error) error {
	var value *models.ValueError
	chosen := c.Split != "" || len(c.Targets) > 0 || len(c.Columns.Items()) > 0
	var file *table.Error
	if errors.As(err, &file) && file.Question != nil {
		return refusal(cmd, c.Family, err)
	}
	if !errors.As(err, &value) && (!chosen || ofData(err)) {
		return err
	}
	return refusal(cmd, c.Family, err)
}

// ofData reports whether an error is about data that must be fetched or cannot be read.
func ofData(err error) bool {
	var fetch *datasets.NotFetchedError
	var file *table.Error
	var path *fs.PathError
	var irregular *files.IrregularError
	return errors.As(err, &fetch) || errors.As(err, &path) || errors.As(err, &irregular) ||
		errors.As(err, &file) && file.Line > 0
}

// recordedCommand returns the dgplab train command that repeats a recorded run. It sets the values whose
// defaults have changed since the run.
func recordedCommand(run rundir.Info) string {
	c := run.Config.Clone()
	spec, err := models.Lookup(c.Family)
	if err != nil {
		return commandLine(c)
	}
	values, err := config.RecordedValues(run.ID, spec, run.Values)
	if err != nil {
		return commandLine(c)
	}
	for _, a := range run.Adapted {
		values[a.Name] = run.Chosen(a.Name)
	}
	changed, err := config.PresetChanges(spec, c.Preset, values)
	if err != nil {
		return commandLine(c)
	}
	_, steps := c.Set[rundir.StepsSetting]
	for _, name := range changed {
		if name == rundir.EpochsSetting && steps {
			continue // The number of steps implies it.
		}
		c.Set[name] = values[name]
	}
	return commandLine(c)
}

// commandLine returns the dgplab train command for a configuration.
func commandLine(c rundir.Config) string {
	parts := []string{"dgplab train --dataset", quote(c.Dataset), "--family", c.Family}
	for _, target := range c.Targets {
		parts = append(parts, "--target", quote(target))
	}
	parts = append(parts, columnArguments(c.Columns)...)
	if c.Split != "" {
		parts = append(parts, "--split", quote(c.Split))
	}
	preset, err := config.WithPreset(rundir.Config{Family: c.Family}, c.Preset)
	if err == nil && c.Preset != "" {
		parts = append(parts, "--preset", quote(c.Preset))
	}
	steps := ""
	for _, name := range sortedKeys(c.Set) {
		value, ofPreset := preset.Set[name]
		switch {
		case ofPreset && value == c.Set[name]:
		case name == "steps":
			steps = c.Set[name]
		default:
			parts = append(parts, "--set", quote(name+"="+c.Set[name]))
		}
	}
	if steps != "" {
		parts = append(parts, "--steps", steps)
	}
	if c.Seed != 0 {
		parts = append(parts, "--seed", strconv.FormatUint(c.Seed, 10))
	}
	return strings.Join(parts, " ")
}

// quote returns text quoted as one word for a POSIX shell.
func quote(text string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			strings.ContainsRune("_-./:=,+@%", r)
	}
	if text != "" && strings.IndexFunc(text, func(r rune) bool { return !plain(r) }) < 0 {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
