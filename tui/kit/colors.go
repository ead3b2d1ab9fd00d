package kit

import (
	"strings"

	"github.com/muesli/termenv"
)

// Colors returns how many colours a terminal has, given what its environment says and what
// was made of that: one that is called screen or tmux, or as one of the text consoles of BSD,
// has 16, which is not in its name. Whoever wants none (NO_COLOR, CLICOLOR=0) or is no person
// (CI) keeps that.
func Colors(found termenv.Profile, getenv func(string) string) termenv.Profile {
	switch {
	case found != termenv.Ascii, getenv("NO_COLOR") != "", getenv("CLICOLOR") == "0", getenv("CI") != "":
		return found
	}
	term := getenv("TERM")
	for _, name := range []string{"screen", "tmux", "rxvt", "cons25", "wsvt25"} {
		if term == name || strings.HasPrefix(term, name+"-") || strings.HasPrefix(term, name+".") {
			return termenv.ANSI
		}
	}
	return found
}
