//go:build unix

package cli

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

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

// TestPipesJourney trains in the workbench on pipes. The next start does not propose them.
func TestPipesJourney(t *testing.T) {
	j := &user{terminal: open(t, 80, 24)}
	const options = "--start --family linear"
	table := j.birds()
	for _, line := range []string{
		"cat " + table + " | dgplab --dataset - " + options,
		"mkfifo pipe; cat " + table + " >pipe & dgplab --dataset pipe " + options,
	} {
		j.shell("clear; " + line)
		j.see("converged at step")
		j.press("q")
		j.prompt()
	}
	j.shell("clear; dgplab")
	j.see("› mountaincar")
	j.press("q")
	j.prompt()
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
