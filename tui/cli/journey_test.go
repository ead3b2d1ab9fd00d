//go:build unix

package cli

import "testing"

// forever is a number of steps for which no test waits.
const forever = "10000000"

// going matches the steps of a training run among several runs.
const going = `running +[\d,]+ / 10,000,000`

// over matches the state of a run that was stopped or has done its steps.
const over = `(stopped|finished)`

// user is a terminal with values that the test needs later.
type user struct {
	*terminal
	stty   string // settings of the terminal before the program
	chosen string // ID of the run selected in browse
}

// TestJourney uses the whole workbench in a real terminal like a user. It checks only essential texts; the
// layouts have golden files in the packages of the screens. Each part starts in the state left by the
// previous part.
func TestJourney(t *testing.T) {
	j := &user{terminal: open(t, 120, 40)}
	for _, part := range []struct {
		name string
		walk func(*user)
	}{
		{"set up two families", (*user).setUpTwoFamilies},
		{"dashboard pages", (*user).turnPages},
		{"curves", (*user).readCurves},
		{"pause and continue", (*user).pauseAndContinue},
		{"compare", (*user).compareBoth},
		{"sweep", (*user).sweep},
		{"browse", (*user).browse},
		{"fork", (*user).fork},
		{"palette and help", (*user).askForHelp},
		{"resize", (*user).resizeTerminal},
		{"quit", (*user).quit},
		{"command line", (*user).useTheShell},
		{"restart", (*user).startAgain},
	} {
		ok := t.Run(part.name, func(t *testing.T) {
			j.t = t
			part.walk(j)
		})
		if !ok {
			return
		}
	}
}

// setUpTwoFamilies leaves the quick size and fills in the form for a small model, twice.
func (j *user) setUpTwoFamilies() {
	j.stty = j.output("stty -g")
	j.shell("clear; dgplab")
	j.see("Data set", "Family", "Settings", "quick, within 1m")
	j.press("z")
	j.see("full size")
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
	j.page("2", "Direct comparison", "still running")
	j.line(`star .*~`) // The scores of a run in training may still change.
	j.page("3", "Errors", "no run has been evaluated")
	j.page("4", "K_MM of layer 1", "condition")
	j.page("1", "ELBO", "Validation", "Covariance", "Layer")
	j.line(`mean-field.*star`) // Both are in the legends.
}

func (j *user) readCurves() {
	j.press("Right")
	j.line(`╎ [\dm.]+s .*mean-field`)
	j.press("]")
	j.see("zoomed")
	j.press("0")
	j.gone("zoomed")
	j.press("Escape")
	j.gone("╎")

	for _, axis := range []string{"over steps", "over epochs", "over time"} {
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
	j.page("3", "PIT", "Coverage", "50 test")
}

// sweep trains two values with two seeds around the selected run, and opens a cell.
func (j *user) sweep() {
	j.press("a")
	j.see("sweep", "Values", "Earlier sweeps")
	j.fill("seed", "0,1")
	j.field("name")
	j.press("Right") // Letters are typed only while a row is edited.
	j.write("pair")
	j.line(fieldPattern("name") + `\W*pair\b`)
	j.fill("inducing", "4,8")
	j.fill("steps", "300")
	j.line(`sweep +4 runs`)
	j.press("Enter")
	j.see("Cells", "pair")
	j.see("4 of 4", "by inducing", "Scores")
	j.press("o")
	j.see("NLL by inducing")
	j.press("2")
	j.see("comparison", "4 of 4 runs done", "Direct comparison", "2 seeds")
	j.press("1")
	j.see("NLL by inducing")

	j.press("Down", "Enter")
	j.see("300 steps", "1 training", "3 calibration")
	j.press("Escape")
	j.see("Cells", "4 of 4")
}

// browse hides the cells of the sweep with a filter, marks the other runs, and compares them on the
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
	j.see("Details")
	j.gone("marked") // Opening runs clears the marks.
	j.chosen = j.line(`(?s)Details.*?(\d{8}-\d{6}-\S+)`)[1]
	j.press("f")
	j.see("Fork of " + j.chosen)
	j.fill("learning_rate", "0.02")
	j.press("Enter")
	j.line(`▸.*0\.02\b.*` + going)
}

func (j *user) askForHelp() {
	j.press("C-p")
	j.see("Commands")
	j.write("health")
	j.line(`› page health`)
	j.press("Enter")
	j.see("▸ 4", "K_MM of layer 1")
	j.press("?")
	j.see("Steer", "Pause or continue the training")
	j.press("?")
	j.gone("Pause or continue the training")
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

// quit quits while a run is training, which requires confirmation.
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
	j.ended("0", j.stty)
}

// useTheShell checks the results of the screens on the command line.
func (j *user) useTheShell() {
	j.directories(6, 7) // The fork was not evaluated, because the program was quit.
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
	j.ended("0", j.stty)
	j.directories(7, 7)
}
