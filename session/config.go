package session

import (
	"maps"
	"slices"
	"strconv"

	"dgplab/datasets"
)

// Validate refuses everything that can be refused without loading data or
// allocating a model: an unknown data set, one that was not fetched, an unknown
// family or split, and hyperparameters out of bounds, which are a
// *models.ValueError with the name, the value and what is allowed.
func (c Config) Validate() error {
	_, err := realEnvironment().resolve(c)
	return err
}

// Complete is Validate, and returns the configuration as the run's directory will
// have it once the data are loaded: the data set by a name that holds in every
// working directory, the split by its full name.
func (c Config) Complete() (Config, error) {
	r, err := realEnvironment().resolve(c)
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

// clone returns a copy that shares nothing with c.
func (c Config) clone() Config {
	c.Targets = slices.Clone(c.Targets)
	set := make(map[string]string, len(c.Set))
	maps.Copy(set, c.Set)
	c.Set = set
	return c
}

// withSteps returns a copy with another limit of steps.
func (c Config) withSteps(n int) Config {
	c = c.clone()
	c.Set["steps"] = strconv.Itoa(n)
	return c
}
