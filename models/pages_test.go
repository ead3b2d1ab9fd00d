package models_test

import (
	"slices"
	"strings"
	"testing"

	"dgplab/models"
	"dgplab/models/kernel"
	"dgplab/viz/golden"
)

// TestPages checks the generated tables of families and hyperparameters in the pages.
func TestPages(t *testing.T) {
	golden.Page(t, "../README.md", "famil", map[string]string{"families": familyTable()})
	golden.Page(t, "README.md", "hyper", map[string]string{"hyperparameters": hyperparameterTable()})
	golden.Page(t, "README.md", "kernel", map[string]string{"kernels": kernelTable()})
}

func kernelTable() string {
	var rows [][]string
	for _, d := range kernel.Describe() {
		rows = append(rows, []string{"`" + d.Name + "`", d.Formula, strings.Join(d.Parameters, ", "), d.Use})
	}
	return golden.Table([]string{"name", "k(x, x')", "parameters", "for"}, rows)
}

func familyTable() string {
	var rows [][]string
	for _, spec := range models.Families() {
		rows = append(rows, []string{"`" + spec.Name + "`", spec.Title, spec.Summary, spec.Source})
	}
	return golden.Table([]string{"family", "title", "description", "source"}, rows)
}

// hyperparameterTable returns a table of the hyperparameters of all families. If families declare a
// hyperparameter differently, the table has a row for each declaration.
func hyperparameterTable() string {
	var rows [][]string
	owners := map[string][]string{}
	for _, spec := range models.Families() {
		for _, h := range spec.Hyperparameters {
			row := []string{"`" + h.Name + "`", h.Default, h.Allowed(), h.Help, h.Paper}
			id := strings.Join(row, "\n")
			if owners[id] == nil {
				rows = append(rows, row)
			}
			owners[id] = append(owners[id], spec.Name)
		}
	}
	for i, row := range rows {
		rows[i] = append(row, describeFamilies(owners[strings.Join(row, "\n")]))
	}
	return golden.Table([]string{"name", "default", "allowed", "description", "paper", "families"}, rows)
}

// describeFamilies returns a short description of the named families.
func describeFamilies(names []string) string {
	var others []string
	for _, spec := range models.Families() {
		if !slices.Contains(names, spec.Name) {
			others = append(others, spec.Name)
		}
	}
	switch {
	case len(others) == 0:
		return "all"
	case len(others) < len(names):
		return "all but " + strings.Join(others, ", ")
	}
	return strings.Join(names, ", ")
}
