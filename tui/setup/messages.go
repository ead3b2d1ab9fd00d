package setup

// fetchTickedMsg redraws the progress of a download.
type fetchTickedMsg struct{ fetch *fetch }

// fetchDoneMsg is the result of a download.
type fetchDoneMsg struct {
	fetch *fetch
	err   error
}
