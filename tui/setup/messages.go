package setup

// fetchTickedMsg asks to show how far a download has come.
type fetchTickedMsg struct{ fetch *fetch }

// fetchDoneMsg says that a download is complete, or why it is not.
type fetchDoneMsg struct {
	fetch *fetch
	err   error
}
