package kit

import (
	"testing"

	"github.com/muesli/termenv"
)

func TestColors(t *testing.T) {
	for _, c := range []struct {
		env   map[string]string
		found termenv.Profile
		want  termenv.Profile
	}{
		{map[string]string{"TERM": "screen"}, termenv.Ascii, termenv.ANSI},
		{map[string]string{"TERM": "screen.xterm-new"}, termenv.Ascii, termenv.ANSI},
		{map[string]string{"TERM": "screen-256color"}, termenv.ANSI256, termenv.ANSI256},
		{map[string]string{"TERM": "screen", "NO_COLOR": "1"}, termenv.Ascii, termenv.Ascii},
		{map[string]string{"TERM": "screen", "CI": "true"}, termenv.Ascii, termenv.Ascii},
		{map[string]string{"TERM": "tmux", "CLICOLOR": "0"}, termenv.Ascii, termenv.Ascii},
		{map[string]string{"TERM": "screens"}, termenv.Ascii, termenv.Ascii},
		{map[string]string{"TERM": "vt100"}, termenv.Ascii, termenv.Ascii},
	} {
		if got := Colors(c.found, func(name string) string { return c.env[name] }); got != c.want {
			t.Errorf("%v: profile %v, want %v", c.env, got, c.want)
		}
	}
}
