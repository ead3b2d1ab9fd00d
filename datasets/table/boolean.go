package table

import "strings"

// pairs lists the words of booleans, for 0 and 1. A word of several pairs that occurs alone belongs
// to the first pair.
var pairs = [...][2]string{{"no", "yes"}, {"false", "true"}, {"n", "y"}, {"f", "t"},
	{"nein", "ja"}, {"non", "oui"}, {"no", "si"}, {"no", "sí"}, {"no", "sì"}}

// booleanPair returns the pair, in lower case, that contains all strings regardless of case.
func booleanPair(texts []string) (pair [2]string, ok bool) {
	for _, pair := range pairs {
		all := len(texts) > 0
		for _, text := range texts {
			all = all && (strings.EqualFold(text, pair[0]) || strings.EqualFold(text, pair[1]))
		}
		if all {
			return pair, true
		}
	}
	return pair, false
}
