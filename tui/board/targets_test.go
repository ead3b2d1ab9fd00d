package board

import (
	"math"
	"slices"
	"strings"
	"testing"

	"dgplab/tui/kit/kittest"
)

// The same target is found in runs with different targets.
func TestTargetsByName(t *testing.T) {
	set := two()
	several := kittest.Predictions(0, 40, 3, 1, 1)
	alone := kittest.Predictions(0, 40, 1, 1, 2)
	several.Names, alone.Names = []string{"Cd", "Ni", "Zn"}, []string{"Zn"}
	for i := range several.N {
		several.Target[3*i] = math.NaN()
	}
	set.Runs[0].Snapshot.Predictions, set.Runs[1].Snapshot.Predictions = alone, several
	if names := targetsOf(set.Runs); !slices.Equal(names, []string{"Ni", "Zn"}) ||
		!haveSeveralTargets(set.Runs) {
		t.Fatalf("targets %q", names)
	}
	for target, want := range map[int][2]int{0: {-1, 1}, 1: {0, 2}} {
		names := targetsOf(set.Runs)
		if got := [2]int{columnOf(alone, names, target), columnOf(several, names, target)}; got != want {
			t.Errorf("target %d is in columns %v, want %v", target, got, want)
		}
	}
	text := strings.Join(drawPanel("Coverage", 0)(set)(80, 20), "\n")
	if !strings.Contains(text, "not tested on this target") {
		t.Errorf("the run that was not tested on Ni is not mentioned:\n%s", text)
	}
	// Runs with a single target are drawn together.
	several.P, several.Names, several.Target = 1, []string{"price"}, several.Target[:40]
	if names := targetsOf(set.Runs); !slices.Equal(names, []string{"Zn"}) ||
		columnOf(several, names, 0) != 0 || haveSeveralTargets(set.Runs) {
		t.Errorf("with a single target: %q", names)
	}
}
