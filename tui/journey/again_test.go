//go:build unix

package journey

import (
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// useTheShell reads from the command line what the screens have made.
func (j *traveller) useTheShell() {
	j.directories(6, 7) // The fork was not: the program was left.
	j.run("dgplab runs", "-mean-field-", "-star-")
	j.run("dgplab runs -- -test.log_lik:*", "10,000,000")
	j.run("dgplab runs show "+j.chosen, "mean-field", "inducing")
	j.run("dgplab sweep show pair", "inducing")
	j.run("dgplab compare pair", "inducing", "verdict")
}

// startAgain finds everything as it was left, and goes on with the run that was cut
// short.
func (j *traveller) startAgain() {
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
	j.line(`test log-likelihood.*RMSE`)
	j.press("q")
	j.left(j.stty)
	j.directories(7, 7)
}

// resume goes on with the first of the runs that match a query, in the browser.
func (term *terminal) resume(query string, count int) {
	term.t.Helper()
	term.press("b")
	term.see("Details")
	term.filter(query, count)
	term.press("R")
	term.see("training", "/ 10,000,000")
}

// TestKill kills the program, which can do nothing about it, while two runs are
// going. What is left can be mended.
func TestKill(t *testing.T) {
	term := open(t, 120, 40)
	term.shell("dgplab --dataset steps --family mean-field --set layers=2 --set inducing=8 --set early_stopping=off --set steps=" + forever + " --start")
	term.line(`checkpoint step [1-9]`)
	term.press("n")
	term.part("Family")
	term.down("star")
	term.press("Enter")
	term.line(`star\b.*` + going)
	term.line(`checkpoint step [1-9]`)

	if err := syscall.Kill(term.process(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	term.see("shell>")
	term.press("C-j") // Enter is no end of a line in the state that the terminal is in.
	term.write("reset; echo mended")
	term.press("C-j")
	term.line(`^mended`)
	term.usable()

	stty := term.output("stty -g")
	term.shell("clear; dgplab")
	term.see("Data set", "Family")
	for _, count := range []int{2, 1} {
		term.resume("state:interrupted", count)
		if steps := term.line(`training +([\d,]+) / |([\d,]+) / 10,000,000`); atoi(t, steps[1]+steps[2]) == 0 {
			t.Error("a run that was killed begins anew")
		}
	}
	term.line(`mean-field\b.*` + going)
	term.line(`star\b.*` + going)
	term.press("q")
	term.see("quit?")
	term.press("y")
	term.left(stty)
}

// atoi reads a number with commas.
func atoi(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(strings.ReplaceAll(text, ",", ""))
	if err != nil {
		t.Fatal(err)
	}
	return n
}
