package table

import "strings"

// IsMissing reports whether a trimmed cell denotes a missing value: empty, ?, - or --, or one of
// NA, N/A, n.a., k.A. (keine Angabe), NaN, null and nil in any case, #NA, #N/A, <NA> or None.
func IsMissing(text string) bool {
	switch len(text) {
	case 0:
		return true
	case 1:
		return text == "?" || text == "-"
	case 2:
		return text == "--" || strings.EqualFold(text, "NA")
	case 3:
		return strings.EqualFold(text, "NaN") || strings.EqualFold(text, "N/A") ||
			strings.EqualFold(text, "nil") || text == "#NA"
	case 4:
		return strings.EqualFold(text, "null") || strings.EqualFold(text, "n.a.") ||
			strings.EqualFold(text, "k.A.") || text == "#N/A" || text == "<NA>" || text == "None"
	}
	return false
}
