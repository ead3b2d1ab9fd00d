package files

import "strings"

// NestsDeeply reports whether a TOML text may nest tables in more than most levels, by inline tables or by
// dotted keys. The parser takes minutes for thousands of levels. NestsDeeply has no false negatives; it takes
// many inline tables one after another for nested ones.
func NestsDeeply(text string, most int) bool {
	if strings.Count(text, "{") > most {
		return true
	}
	for line := range strings.Lines(text) {
		if strings.Count(line, ".") > most && !strings.HasPrefix(line, "#") {
			return true
		}
	}
	return false
}
