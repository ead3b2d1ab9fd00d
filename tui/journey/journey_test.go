//go:build unix

package journey

import "testing"

// forever is a number of steps that no test waits for.
const forever = "10000000"

// going matches the steps of a training run if there are several runs.
const going = `running +[\d,]+ / 10,000,000`

// over matches the state of a run that was stopped or has completed its steps.
const over = `(stopped|finished)`

// user is a terminal with values that the test needs later.
type user struct {
	*terminal
	stty   string // settings of the terminal before the program
	chosen string // ID of the run selected in browse
}

// TestJourney uses all of the workbench. Each part starts in the state that the previous one left.
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
		{"ablate", (*user).ablate},
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
