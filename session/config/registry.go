package config

import (
	"path/filepath"

	"dgplab/datasets"
	"dgplab/models"
)

// Registry looks up the names in a configuration. Tests replace parts of it.
type Registry struct {
	// Family returns the family with the given name.
	Family func(name string) (models.Spec, error)
	// Dataset checks that a data set can be loaded now. It returns a name that is valid in every
	// working directory.
	Dataset func(name string) (string, error)
	// CheckSplit returns an error if text is not a valid split.
	CheckSplit func(text string) error
}

// DefaultRegistry returns the families of package models and the data sets of package datasets.
func DefaultRegistry() Registry {
	return Registry{
		Family:  models.Lookup,
		Dataset: findDataset,
		CheckSplit: func(text string) error {
			_, err := datasets.ParseSplit(text)
			return err
		},
	}
}

// findDataset returns the name of a catalogue data set, or the absolute path of a file.
func findDataset(name string) (string, error) {
	info, err := datasets.Lookup(name)
	if err != nil {
		return "", err
	}
	if info.Kind == datasets.File {
		return filepath.Abs(name)
	}
	if !info.Cached {
		return "", &datasets.NotFetchedError{Name: name}
	}
	return name, nil
}

// SplitOf parses a split of a data set. An empty text selects the default split.
func SplitOf(ds *datasets.Dataset, text string) (datasets.Split, error) {
	if text == "" {
		return datasets.DefaultSplit(ds), nil
	}
	split, err := datasets.ParseSplit(text)
	if err != nil {
		return split, err
	}
	return split.Named(ds)
}
