package comparison

import (
	"fmt"

	"dgplab/session/compare"
)

// shownLeftOut is how many runs that were left out are named.
const shownLeftOut = 12

// Remarks says what a comparison left out, what is peculiar about the rest, and of which
// methods there is no direct comparison.
func Remarks(r *compare.Report, failed []string) (list []string) {
	for i, l := range r.LeftOut {
		if i == shownLeftOut {
			list = append(list, fmt.Sprintf("left out: %d more", len(r.LeftOut)-i))
			break
		}
		list = append(list, fmt.Sprintf("left out: %s: %s", l.ID, l.Why))
	}
	for _, note := range r.Notes {
		list = append(list, "note: "+note)
	}
	return append(list, failed...)
}
