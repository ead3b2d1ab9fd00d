//go:build unix

package journey

// setUpTwoFamilies fills in the form for a small model, twice.
func (j *user) setUpTwoFamilies() {
	j.stty = j.output("stty -g")
	j.shell("clear; dgplab")
	j.see("Data set", "Family", "Settings")
	j.down("steps")
	j.part("Family")
	j.up("mean-field")
	j.part("Settings")
	j.fill("layers", "2")
	j.fill("inducing", "8")
	j.fill("steps", forever)
	j.field("early_stopping")
	j.press("Right")
	j.line(fieldPattern("early_stopping") + `.*\boff\b`)
	j.press("Enter")
	j.line(`mean-field\b.*running`)

	j.press("n")
	j.part("Family")
	j.down("star")
	j.press("Enter")
	j.line(`mean-field\b.*` + going)
	j.line(`▸.*star\b.*` + going)
}

func (j *user) turnPages() {
	j.page("2", "Direct comparison", "not evaluated yet")
	j.line(`star .*~`) // The scores of a running run still change.
	j.page("3", "PIT", "Coverage", "evaluated")
	j.page("4", "K_MM of layer 1", "condition")
	j.page("1", "ELBO", "Validation", "Covariance", "Layer")
	j.line(`mean-field.*star`) // Both are in the legends.
}

func (j *user) readCurves() {
	j.press("Right")
	j.line(`╎ step [\d,]+ .*mean-field`)
	j.press("]")
	j.see("zoomed")
	j.press("0")
	j.gone("zoomed")
	j.press("Escape")
	j.gone("╎ step")

	for _, axis := range []string{"over epochs", "over time", "over steps"} {
		j.press("x")
		j.see(axis)
	}
	for _, axis := range []string{"symmetric log", "gap to best", "linear"} {
		j.press("l")
		j.see(axis)
	}
	j.press("Enter")
	j.gone("Covariance of")
	j.see("ELBO")
	j.press("Enter")
	j.see("Covariance of")
}

func (j *user) pauseAndContinue() {
	j.press("Space")
	j.line(`star\b.*paused`)
	j.line(`mean-field\b.*` + going)
	j.press("Space")
	j.line(`star\b.*` + going)
}

func (j *user) compareBoth() {
	j.press("s")
	j.line(`▸.*star\b.*` + over)
	j.press(".")
	j.line(`▸.*mean-field\b.*` + going)
	j.press("s")
	j.line(`▸.*mean-field\b.*` + over)
	j.page("2", "50 test points", "verdict")
	j.page("3", "n=50")
}
