package cli

import (
	"maps"
	"slices"

	"dgplab/datasets"
	"dgplab/models"
)

func familyNames() []string {
	var names []string
	for _, spec := range models.Families() {
		names = append(names, spec.Name)
	}
	return names
}

func datasetNames() []string {
	var names []string
	for _, info := range datasets.Catalogue() {
		names = append(names, info.Name)
	}
	return names
}

// fetchableNames are those of the sets that are downloads.
func fetchableNames() []string {
	var names []string
	for _, info := range datasets.Catalogue() {
		if info.Kind == datasets.Fetchable {
			names = append(names, info.Name)
		}
	}
	return names
}

// defaultDataset is the set that the catalogue marks.
func defaultDataset() string {
	for _, info := range datasets.Catalogue() {
		if info.Default {
			return info.Name
		}
	}
	return ""
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
