package sweep

import (
	"fmt"

	"dgplab/tui/kit"
)

// scrolled is the scroll window of a text.
type scrolled struct {
	top           int
	lines, height int // at the last drawing
}

// to moves the top of the window to a line, as far as the text allows.
func (s *scrolled) to(top int) { s.top = max(min(top, s.lines-s.height), 0) }

// act scrolls for a key.
func (s *scrolled) act(act kit.Action) { s.to(act.Moved(s.top, s.lines-s.height+1, s.height)) }

// bar returns the scroll bar of the last drawing.
func (s *scrolled) bar() kit.Bar { return kit.Bar{Top: s.top, Shown: s.height, All: s.lines} }

// window returns the lines that are visible in h lines, and their numbers unless all lines are visible.
func (s *scrolled) window(lines []string, h int) (visible []string, where string) {
	s.lines, s.height = len(lines), max(h, 0)
	s.to(s.top)
	end := min(s.top+s.height, s.lines)
	if s.height < s.lines && s.height > 0 {
		where = fmt.Sprintf("%d-%d of %d", s.top+1, end, s.lines)
	}
	return lines[s.top:end], where
}
