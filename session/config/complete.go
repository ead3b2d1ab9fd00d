package config

import (
	"slices"
	"strconv"
	"sync"

	"dgplab/datasets"
	"dgplab/models"
	"dgplab/session/rundir"
)

// Validate checks a configuration as far as possible without loading data or allocating a model. It returns
// an error if the data set is unknown or has not been fetched, if the family or the split is unknown, or if
// hyperparameters are invalid. In the latter case the error is a *models.ValueError with the name, the value
// and the allowed values.
func Validate(c rundir.Config) error {
	_, err := DefaultRegistry().ResolveNew(c)
	return err
}

// Complete validates c like Validate and returns the configuration that the run directory will
// contain once the data are loaded: with a data set name that is valid in every working directory
// and the full name of the split.
func Complete(c rundir.Config) (rundir.Config, error) {
	r, err := DefaultRegistry().ResolveNew(c)
	if err != nil {
		return c, err
	}
	c = r.Config
	if c.Split == "" {
		info, err := datasets.Lookup(c.Dataset)
		c.Split = info.DefaultSplit().String()
		return c, err
	}
	split, err := datasets.ParseSplit(c.Split)
	if err != nil {
		return c, err
	}
	split, err = split.Located()
	c.Split = split.String()
	return c, err
}

// WithSteps returns a copy of c with its length set to n steps.
func WithSteps(c rundir.Config, n int) rundir.Config {
	c = c.Clone()
	c.Set[rundir.StepsSetting] = strconv.Itoa(n)
	if _, set := c.Set[rundir.EpochsSetting]; set {
		c.Set[rundir.EpochsSetting] = noEpochs
	}
	return c
}

// seedlessFamilies has the families with Spec.Seedless.
var seedlessFamilies = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	for _, spec := range models.Families() {
		names[spec.Name] = spec.Seedless
	}
	return names
})

// Seedless reports whether runs that differ from c only in their seed train the same model, so that one of
// them suffices.
func Seedless(c rundir.Config) bool {
	if !seedlessFamilies()[c.Family] {
		return false
	}
	text, given := c.Set["validation"]
	share, err := strconv.ParseFloat(text, 64)
	return !given || err == nil && share == 0 // The seed chooses the points for validation.
}

// BaselineOf returns the configuration of the baseline on the same data as c: data set, targets and
// their transformation, split and seed.
func BaselineOf(c rundir.Config) rundir.Config {
	base := rundir.Config{
		Dataset: c.Dataset,
		Targets: slices.Clone(c.Targets),
		Columns: c.Columns.Clone(),
		Split:   c.Split,
		Family:  models.BaselineFamily,
		Seed:    c.Seed,
		Set:     map[string]string{},
	}
	for _, h := range data() {
		if value, ok := c.Set[h.Name]; ok {
			base.Set[h.Name] = value
		}
	}
	return base
}
