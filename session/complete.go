package session

import (
	"slices"

	"strconv"

	"dgplab/datasets"
	"dgplab/models"
	"dgplab/session/rundir"
)

// Validate refuses everything that can be refused without loading data or
// allocating a model: an unknown data set, one that was not fetched, an unknown
// family or split, and hyperparameters out of bounds, which are a
// *models.ValueError with the name, the value and what is allowed.
func Validate(c rundir.Config) error {
	_, err := realEnvironment().admit(c)
	return err
}

// Complete is Validate, and returns the configuration as the run's directory will
// have it once the data are loaded: the data set by a name that holds in every
// working directory, the split by its full name.
func Complete(c rundir.Config) (rundir.Config, error) {
	r, err := realEnvironment().admit(c)
	if err != nil {
		return c, err
	}
	c = r.Config
	split := datasets.Split{}
	if c.Split != "" {
		split, err = datasets.ParseSplit(c.Split)
	} else {
		var info datasets.Info
		info, err = datasets.Lookup(c.Dataset)
		split = info.DefaultSplit()
	}
	c.Split = split.String()
	return c, err
}

// withSteps returns a copy of c whose length is a number of steps.
func withSteps(c rundir.Config, n int) rundir.Config {
	c = c.Clone()
	c.Set[rundir.StepsSetting] = strconv.Itoa(n)
	if _, set := c.Set[rundir.EpochsSetting]; set {
		c.Set[rundir.EpochsSetting] = noEpochs
	}
	return c
}

// BaselineOf returns the configuration of the baseline on the same data as c: data set,
// targets and whether it is their logarithms, split and seed.
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
