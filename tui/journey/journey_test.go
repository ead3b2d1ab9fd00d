//go:build unix

package journey

import "testing"

// forever is more steps than any test waits for.
const forever = "10000000"

// going is how a run that goes on shows its steps where there are several runs.
const going = `running +[\d,]+ / 10,000,000`

// over is how a run ends that somebody stops, or that has done its steps.
const over = `(stopped|finished)`

// traveller is somebody at the terminal, with what they remember.
type traveller struct {
	*terminal
	stty   string // settings of the terminal before the program
	chosen string // ID of the run that was chosen in the browser
}

// TestJourney is an afternoon with the workbench. Each part begins where the one
// before it ended.
func TestJourney(t *testing.T) {
	j := &traveller{terminal: open(t, 120, 40)}
	for _, part := range []struct {
		name string
		walk func(*traveller)
	}{
		{"two families are set up and train", (*traveller).setUpTwoFamilies},
		{"the pages of the dashboard", (*traveller).turnPages},
		{"curves are read", (*traveller).readCurves},
		{"a run is paused and goes on", (*traveller).pauseAndContinue},
		{"both end and are compared", (*traveller).compareBoth},
		{"an ablation", (*traveller).ablate},
		{"the browser", (*traveller).browse},
		{"a fork", (*traveller).fork},
		{"palette and help", (*traveller).askForHelp},
		{"another size of terminal", (*traveller).resizeTerminal},
		{"quitting", (*traveller).quit},
		{"the runs from the shell", (*traveller).useTheShell},
		{"starting again", (*traveller).startAgain},
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
