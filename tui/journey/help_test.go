//go:build unix

package journey

func (j *user) askForHelp() {
	j.press("C-p")
	j.see("Commands")
	j.write("health")
	j.line(`› page_health`)
	j.press("Enter")
	j.see("▸ 4", "K_MM of layer 1")
	j.press("?")
	j.see("Show or close this page")
	j.press("?")
	j.gone("Show or close this page")
}

func (j *user) resizeTerminal() {
	j.resize(80, 24)
	j.drawn(80)
	j.line(`▸.*running +[\d,]+`)
	j.resize(40, 10)
	j.drawn(40)
	j.press("1")
	j.see("▸ 1", "ELBO")
	j.press("4")
	j.see("▸ 4", "Health")
	j.resize(120, 40)
	j.drawn(120)
	j.line(`▸.*` + going)
}

// quit quits while a run is training, which needs confirmation.
func (j *user) quit() {
	j.press("q")
	j.see("quit?")
	j.press("n")
	j.gone("quit?")
	j.line(`▸.*` + going)
	j.press("q")
	j.see("quit?")
	j.press("y")
	j.see("resume with: dgplab train --resume")
	j.left(j.stty)
}
