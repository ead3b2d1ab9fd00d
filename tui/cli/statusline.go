package cli

import (
	"fmt"

	"dgplab/tui/printable"
)

// statusLine shows on standard error, where that is a terminal, what is done now,
// in one line that is written over. It does nothing between two calls.
type statusLine struct {
	*console
	rewrite bool
}

func (c *console) newStatusLine() *statusLine {
	return &statusLine{console: c, rewrite: isTerminal(c.Err) && c.getenv("TERM") != "dumb"}
}

func (l *statusLine) show(text string) {
	if l.rewrite {
		fmt.Fprintf(l.Err, "\r\x1b[K%s", printable.Text(text))
	}
}

// end leaves an empty line behind.
func (l *statusLine) end() { l.show("") }
