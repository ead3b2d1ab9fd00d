package session

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"dgplab/datasets"
	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/rundir"
)

// Fork returns the configuration of a run like the given one but for the changes: a map
// from names to values. Names are dataset, targets, split, family, seed, and the
// hyperparameters of the (new) family and of the training. Every hyperparameter is set, so that later defaults do not matter. Targets are
// separated by commas, and quoted as in a CSV file where they have one.
//
// Another family keeps the values that it shares with the old one: of
// hyperparameters that both have, and that it allows. Another data set has other
// targets, and a split that it does not have becomes its default.
//
// The configuration is valid as by Config.Validate; the error about a value is a
// *models.ValueError. Start it with WithParent.
func Fork(run rundir.Info, changes map[string]string) (rundir.Config, error) {
	return fork(realEnvironment(), run, changes)
}

func fork(env environment, run rundir.Info, changes map[string]string) (rundir.Config, error) {
	if run.State == rundir.Broken {
		return rundir.Config{}, fmt.Errorf("%s cannot be forked: %w", run.ID, run.Err)
	}
	c := run.Config.Clone()
	for name, value := range run.Values {
		c.Set[name] = value
	}
	if err := apply(&c, changes); err != nil {
		return c, err
	}
	if c.Family != run.Config.Family {
		spec, err := env.family(c.Family)
		if err != nil {
			return c, err
		}
		keepShared(&c, allHyperparameters(spec), changes)
	}
	r, err := env.resolve(c)
	if err != nil {
		return c, err
	}
	c = r.Config
	for name, value := range r.values {
		c.Set[name] = value
	}
	return c, nil
}

// apply makes the changes, whatever they are. What is no field of Config is taken
// for a hyperparameter.
func apply(c *rundir.Config, changes map[string]string) error {
	for name, value := range changes {
		value = strings.TrimSpace(value)
		switch name {
		case "dataset":
			c.Dataset = value
		case "family":
			c.Family = value
		case "split":
			c.Split = value
		case "seed":
			seed, err := strconv.ParseUint(value, 10, 64)
			if err != nil {
				return &models.ValueError{Name: name, Value: value, Want: "want a whole number from 0"}
			}
			c.Seed = seed
		case "targets":
			targets, err := splitTargets(value)
			if err != nil {
				return &models.ValueError{Name: name, Value: value, Want: "want columns separated by commas"}
			}
			c.Targets = targets
		default:
			c.Set[name] = value
		}
	}
	if _, ok := changes["dataset"]; ok {
		moveTo(c, changes)
	}
	return nil
}

// moveTo drops what another data set does not have, unless it was asked for.
func moveTo(c *rundir.Config, changes map[string]string) {
	if _, ok := changes["targets"]; !ok {
		c.Targets = nil
	}
	if _, ok := changes["split"]; ok || !strings.HasPrefix(c.Split, "standard:") {
		return
	}
	info, err := datasets.Lookup(c.Dataset)
	number, bad := strconv.Atoi(strings.TrimPrefix(c.Split, "standard:"))
	if err != nil || bad != nil || number >= info.Splits {
		c.Split = ""
	}
}

// keepShared drops the values that are not changes and that a list of
// hyperparameters does not have or does not allow.
func keepShared(c *rundir.Config, list []models.Hyperparameter, changes map[string]string) {
	for name, value := range c.Set {
		if _, ok := changes[name]; ok {
			continue
		}
		k := slices.IndexFunc(list, func(h family.Hyperparameter) bool { return h.Name == name })
		if k < 0 || list[k].Validate(value) != nil {
			delete(c.Set, name)
		}
	}
}

// splitTargets reads a list of columns; an empty text is the default target.
func splitTargets(text string) ([]string, error) {
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

// JoinTargets writes target columns as Fork reads them.
func JoinTargets(targets []string) string {
	if len(targets) == 0 {
		return ""
	}
	var text strings.Builder
	w := csv.NewWriter(&text)
	_ = w.Write(targets) // A Builder takes everything.
	w.Flush()
	return strings.TrimSuffix(text.String(), "\n")
}
