package cli

import (
	"os"
	"regexp"
	"testing"
)

// tooLarge returns arguments for training a model that is too large for any machine.
func tooLarge(command string, more ...string) []string {
	return append([]string{command, "--dataset", "steps", "--family", "fully-coupled",
		"--set", "layers=4", "--set", "width=64", "--set", "inducing=4096"}, more...)
}

func TestWhatDoesNotFitIsRefusedBeforeThereIsARun(t *testing.T) {
	isolate(t)
	refusal := regexp.MustCompile(`the run needs about \d{4,}\.\d GB of memory; \d+\.\d GB are available ` +
		`\(--allow-memory skips this check\)`)
	for _, command := range []string{"train", "sweep"} {
		o := dgplab(t, tooLarge(command)...)
		if o.status == 0 || !refusal.MatchString(o.err) {
			t.Errorf("%s: status %d, %q", command, o.status, o.err)
		}
	}
	if entries, err := os.ReadDir(os.Getenv("DGPLAB_RUNS")); err == nil && len(entries) > 0 {
		t.Errorf("there are run directories: %v", entries)
	}
	if o := dgplab(t, tooLarge("sweep", "--allow-memory", "--dry-run")...); o.status != 0 {
		t.Errorf("with --allow-memory: status %d, %q", o.status, o.err)
	}
}
