package kit

import (
	"strings"

	"github.com/muesli/termenv"
)

// Colors returns the colour profile of a terminal from the detected profile and the environment. Terminals
// named screen or tmux and the BSD text consoles have 16 colours, although this is not part of their names.
// With NO_COLOR, CLICOLOR=0 and CI the detected profile is kept.
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
