package cli

import (
	"strings"
	"testing"
)

// A run keeps the settings that control its parameters: its objective is named after its prior, its printed
// command repeats them, and a resumed run equals an uninterrupted one.
func TestControlsOfRuns(t *testing.T) {
	isolate(t)
	line := []string{"train", "--dataset", "steps", "--family", "svgp", "--inducing", "5",
		"--fix", "noise_variance", "--bound", "lengthscale=0.1..9", "--prior", "variance=gamma(2,1)",
		"--prior", "Z=normal(0,1)"}
	short := mustRun(t, append(line, "--steps", "40", "--set", "schedule=stairs", "--name", "short")...)
	if !strings.Contains(short.out, "ELBO + log prior (MAP)") || !strings.Contains(short.out, "log prior ") {
		t.Errorf("the output does not name the objective:\n%s", short.out)
	}
	shown := mustRun(t, "runs", "show", "short").out
	for _, want := range []string{"--set bound=lengthscale=0.1..9 --set fix=noise_variance",
		"'prior=variance=gamma(2,1),Z=normal(0,1)'"} {
		if !strings.Contains(shown, want) {
			t.Errorf("the printed command lacks %s:\n%s", want, shown)
		}
	}
	mustRun(t, append(line, "--steps", "60", "--set", "schedule=stairs", "--name", "long")...)
	mustRun(t, "train", "--resume", "short", "--steps", "60")
	scores := func(name string) string {
		out := mustRun(t, "runs", "show", name).out
		_, scores, _ := strings.Cut(out, "test set")
		scores, _, _ = strings.Cut(scores, "training time")
		return scores
	}
	if got, want := scores("short"), scores("long"); got != want {
		t.Errorf("the resumed run has\n%s\nthe uninterrupted one\n%s", got, want)
	}
}
