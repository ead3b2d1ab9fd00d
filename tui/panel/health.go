package panel

import "dgplab/tui/kit"

// Health draws the health of the chosen run, alarms of all runs on top, then the
// others in a line each. What does not fit is reached by top, the first line that is
// shown, which is returned within bounds. It is exactly h lines of w cells.
func Health(th *kit.Theme, runs []Run, top, w, h int) (lines []string, first int) {
	return th.Box(nil, w, h), 0
}
