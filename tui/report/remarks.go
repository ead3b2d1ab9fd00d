package report

import (
	"fmt"

	"dgplab/session/compare"
)

// Extent returns the numbers of compared runs, methods and data sets.
func Extent(r *compare.Report) string {
	return Plural(len(r.Runs), "run", "runs") + ", " + Plural(len(r.Methods), "method", "methods") + ", " +
		Plural(len(r.Datasets), "data set", "data sets")
}

// maxLeftOut is the maximum number of excluded runs to name.
const maxLeftOut = 12

// Remarks returns the excluded runs, the notes on the others, and the failed direct comparisons.
func Remarks(r *compare.Report, failed []string) (list []string) {
	for i, l := range r.LeftOut {
		if i == maxLeftOut {
			list = append(list, fmt.Sprintf("excluded: %d more", len(r.LeftOut)-i))
			break
		}
		list = append(list, fmt.Sprintf("excluded: %s: %s", l.ID, l.Why))
	}
	for _, note := range r.Notes {
		list = append(list, "note: "+note)
	}
	return append(list, failed...)
}
