//go:build unix

package cli

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestNetworkJourney trains a GP regression network on three outputs, one of them held out, and then a sparse
// GP. It compares the two on the held-out output.
func TestNetworkJourney(t *testing.T) {
	j := &user{terminal: open(t, 120, 40)}
	j.shell("clear; dgplab --dataset '" + j.metals() +
		"' --target Cd --target Ni --target Zn --split outputs:Cd --family gprn --steps 40")
	j.see("This run", "N 40 + 0 validation + 4 test points", "3 outputs",
		"variational in closed form", "memory about")
	j.line(`› gprn\b`)
	j.press("Enter")
	j.see("finished", "exact", "w_31", "Functions of the posterior", "Network", "average of 40 points")

	j.press("n")
	j.part("Family")
	j.up("svgp")
	j.see("trained on the rows that have Cd")
	j.press("Enter")
	j.line(`gprn\b.*finished`)
	j.line(`▸.*svgp\b.*finished`)

	j.page("2", "trained on", "the rows that have Cd", "all rows", "4 test points", "verdict")
	j.page("3", "PIT: Cd", "Coverage: Cd", "4 test points")
	j.press("q")
	j.prompt()
	j.run("dgplab compare $(cd \"$DGPLAB_RUNS\"; ls -d *-metals-*) --metric mae.Cd",
		"Test MAE of Cd", "gprn", "svgp", "trained on the rows that have Cd")
}

// metals writes a table of three correlated metals along a line, and returns its path.
func (term *terminal) metals() string {
	term.t.Helper()
	var text strings.Builder
	text.WriteString("place,Cd,Ni,Zn\n")
	for i := range 40 {
		x := float64(i) / 10
		a := math.Sin(2 * x)
		b := math.Cos(1.3 * x)
		fmt.Fprintf(&text, "%.1f,%.3f,%.3f,%.3f\n", x, a+0.3*b, 20+5*a+0.2*float64(3*i%7-3),
			60-8*b+0.3*float64(5*i%4))
	}
	return term.file("metals.csv", text.String())
}

// TestLettersJourney trains an amortized deep GP on the data set letters, from the form to the map of the
// decisions.
func TestLettersJourney(t *testing.T) {
	j := &user{terminal: open(t, 120, 40)}
	j.shell("clear; dgplab --dataset letters --family avdgp --steps 20 --set layers=2 --set width=2 --set " +
		"inducing=4" +
		" --set samples=4 --set batch=50 --set test_samples=2 --set validation=0.1 --set " +
		"validation_points=32 --set early_stopping=off")
	j.see("This run", "N 32,400 + 3,600 validation + 4,000 test")
	j.line(`› avdgp\b`)
	j.press("Enter")
	j.see("finished", "accuracy", "4,000 test points", "Validation log-likelihood",
		"Inducing points of layer 1")
	j.press("6")
	j.see("Fit of P(inside=yes) along", "Test predictions")
	j.pressUntil("Tab", `▸ Predictions`)
	j.line(`P\(inside=yes\) 0 █+ 1`)
	j.press("Enter")
	j.line(`P\(inside=yes\) 0 █+ 1.*\+ yes.*× no.*points`)
}

// TestClassesJourney trains on a table with three named classes, from the form to the reliability
// and confusion panels, on a terminal of the usual size.
func TestClassesJourney(t *testing.T) {
	j := &user{terminal: open(t, 80, 24)}
	j.shell("clear; dgplab --family aep --steps 30 --set inducing=8 --set width=1 --set early_stopping=off " +
		"--set validation=0")
	j.see("Data set", "Family", "Settings")
	j.up("file")
	j.write(j.birds())
	j.see("This run", "3 classes", "jay (30), owl (30), wren (30)")
	j.press("Enter")
	j.see("finished")
	j.page("3", "Reliability")
	j.pressUntil("Tab", `▸ Confusion`)
	j.line(`A B C|A +B +C`)
	for _, row := range []string{`A jay`, `B owl`, `C wren`} {
		j.line(row + `( +\d+){3}`)
	}
	j.press("q")
	j.prompt()
	j.run("dgplab runs", "birds", "aep")
}

// birds writes a table with two measurements of three kinds of birds, and returns its path.
func (term *terminal) birds() string {
	term.t.Helper()
	var text strings.Builder
	text.WriteString("wing,song,kind\n")
	for i := range 90 {
		kind := i * 7 % 3
		x := float64(i) / 45
		fmt.Fprintf(&text, "%.3f,%.3f,%s\n", float64(kind)+0.4*math.Sin(9*x),
			0.5*float64(kind*kind)+0.4*math.Cos(7*x), []string{"wren", "owl", "jay"}[kind])
	}
	return term.file("birds.csv", text.String())
}
