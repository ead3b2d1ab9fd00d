//go:build unix

package journey

// browse filters out the cells of the sweep, marks the other runs, and compares them on the
// dashboard.
func (j *user) browse() {
	j.press("b")
	j.see("6 runs", "Details")
	j.filter("-sweep:pair", 2)
	j.press("Space")
	j.see("1 marked")
	j.press("Down", "Space")
	j.see("2 marked")
	j.press("Enter")
	j.line(`star\b.*` + over)
	j.line(`mean-field\b.*` + over)
	j.page("2", "Direct comparison", "verdict")
}

// fork starts a fork of the selected run with another learning rate.
func (j *user) fork() {
	j.press("b")
	j.see("2 marked")
	j.press("U")
	j.gone("marked")
	j.chosen = j.line(`(?s)Details.*?(\d{8}-\d{6}-\S+)`)[1]
	j.press("f")
	j.see("Fork of " + j.chosen)
	j.fill("learning_rate", "0.02")
	j.press("Enter")
	j.line(`▸.*0\.02\b.*` + going)
}

// resume resumes the first of the count runs that match a query, in the browser.
func (term *terminal) resume(query string, count int) {
	term.t.Helper()
	term.press("b")
	term.see("Details")
	term.filter(query, count)
	term.press("R")
	term.see("training", "/ 10,000,000")
}
