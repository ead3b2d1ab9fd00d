// Package wording words parts of messages that several packages show.
package wording

import (
	"slices"
	"strings"
)

// DidYouMean returns "; did you mean PREFIXNAME?" with the name closest to typed, or "".
func DidYouMean(typed string, names []string, prefix string) string {
	if name, ok := nearest(typed, others(typed, names)); ok {
		return "; did you mean " + prefix + name + "?"
	}
	return ""
}

// DidYouMeanOr is like DidYouMean but returns "; OTHERWISE" if no name is close.
func DidYouMeanOr(typed string, names []string, otherwise string) string {
	if near := DidYouMean(typed, names, ""); near != "" {
		return near
	}
	return "; " + otherwise
}

// others returns the names except typed, which is known to be wrong.
func others(typed string, names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == typed })
}

// nearest returns the first name with the smallest edit distance to typed. The distance is at most
// one per three letters, less than the number of letters, and at most three. If there is no such
// name, nearest returns the name with the prefix typed, provided that there is only one.
func nearest(typed string, names []string) (string, bool) {
	typed = strings.ToLower(typed)
	best, least := "", min(3, (len(typed)+2)/3, len(typed)-1)+1
	var begun []string
	for _, name := range names {
		if d := editDistance(typed, strings.ToLower(name)); d < least {
			best, least = name, d
		}
		if typed != "" && strings.HasPrefix(strings.ToLower(name), typed) {
			begun = append(begun, name)
		}
	}
	if best == "" && len(begun) == 1 {
		best = begun[0]
	}
	return best, best != ""
}

// editDistance returns the optimal string alignment distance between a and b: the number of insertions,
// deletions, replacements and swaps of adjacent letters.
func editDistance(a, b string) int {
	s := []rune(a)
	t := []rune(b)
	before := make([]int, len(t)+1)
	last := make([]int, len(t)+1)
	row := make([]int, len(t)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(s); i++ {
		row[0] = i
		for j := 1; j <= len(t); j++ {
			cost := 1
			if s[i-1] == t[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(t)]
}
