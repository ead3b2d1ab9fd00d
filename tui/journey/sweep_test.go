//go:build unix

package journey

// ablate trains two values with two seeds around the selected run, and opens one of the cells.
func (j *user) ablate() {
	j.press("a")
	j.see("sweep", "Values", "Earlier sweeps")
	j.fill("seed", "0,1")
	j.fill("name", "pair")
	j.fill("inducing", "4,8")
	j.fill("steps", "300")
	j.line(`sweep +4 runs`)
	j.press("Enter")
	j.see("Cells", "pair")
	j.see("4 of 4", "by inducing", "Scores")
	j.press("o")
	j.see("NLL by inducing")
	j.press("2")
	j.see("comparison", "4 of 4 runs done", "Ranks by NLL", "Direct comparison", "2 seeds")
	j.press("1")
	j.see("NLL by inducing")

	j.press("Down", "Enter")
	j.see("300 steps", "1 training", "3 calibration")
	j.press("Escape")
	j.see("Cells", "4 of 4")
}
