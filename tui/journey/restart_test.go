//go:build unix

package journey

// useTheShell checks the results of the screens on the command line.
func (j *user) useTheShell() {
	j.directories(6, 7) // The fork was not: the program was left.
	j.run("dgplab runs", "-mean-field-", "-star-")
	j.run("dgplab runs -- -test.log_lik:*", "10,000,000")
	j.run("dgplab runs show "+j.chosen, "mean-field", "inducing")
	j.run("dgplab sweep show pair", "inducing")
	j.run("dgplab compare pair", "inducing", "verdict")
}

// startAgain checks that the state is restored, and resumes the interrupted run.
func (j *user) startAgain() {
	j.shell("clear; dgplab")
	j.line(`› steps\b`)
	j.press("b")
	j.line(`filter -sweep:pair\s*$`)
	j.see("3 of 7 runs")
	j.line(`(?s)Details.*` + j.chosen)

	j.press("C-p")
	j.write("dashboard")
	j.line(`› dash`)
	j.press("Enter")
	j.see("▸ 4")
	j.line(`star\b.*` + over)
	j.line(`mean-field\b.*` + over)

	j.resume("-test.log_lik:*", 1)
	j.press("s")
	j.line(over)
	j.line(`test LL.*RMSE`)
	j.press("q")
	j.left(j.stty)
	j.directories(7, 7)
}
