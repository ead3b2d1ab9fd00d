package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"dgplab/session/rundir"
)

// TestPresets trains with a preset and a changed value, forks the run, and starts a sweep. It checks the text
// about the preset and the command that repeats the run.
func TestPresets(t *testing.T) {
	isolate(t)
	small := []string{"--set", "inducing=4", "--set", "layers=2", "--set", "width=1", "--set", "batch=16",
		"--steps", "2", "--set", "test_samples=2"}
	mustRun(t,
		append([]string{"train", "--dataset", "steps", "--family", "mean-field", "--preset",
			"lindinger2020-natgrad"}, small...)...)
	list, err := rundir.List()
	if err != nil || len(list) != 1 {
		t.Fatalf("%d runs, %v", len(list), err)
	}
	c := list[0].Config
	if c.Preset != "lindinger2020-natgrad" || c.Set["optimizer"] != "natgrad" ||
		c.Set["learning_rate"] != "0.001" || c.Set["inducing"] != "4" {
		t.Errorf("%+v", c)
	}
	shown := mustRun(t, "runs", "show", list[0].ID).out
	for _, want := range []string{
		"lindinger2020-natgrad, except layers, width, inducing, batch, steps, test_samples\n",
		"dgplab train --dataset steps --family mean-field --split interpolation:0 --preset " +
			"lindinger2020-natgrad " +
			"--set batch=16 --set inducing=4 --set layers=2 --set test_samples=2 --set width=1 --steps 2\n",
	} {
		if !strings.Contains(shown, want) {
			t.Errorf("no %q in\n%s", want, shown)
		}
	}
	fork := mustRun(t, "train", "--from", list[0].ID, "--preset", "default", "--json", "--steps", "2",
		"--set", "inducing=4", "--set", "layers=2", "--set", "width=1")
	var summary struct {
		Values map[string]string `json:"values"`
	}
	lines := strings.Split(strings.TrimSpace(fork.out), "\n")
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &summary); err != nil ||
		summary.Values["optimizer"] != "adam" || summary.Values["batch"] != "512" {
		t.Errorf("%v, %v", summary.Values, err)
	}
	plan := mustRun(t, "sweep", "--dataset", "steps", "--family", "mean-field,svgp", "--preset",
		"lindinger2020", "--dry-run", "--json").out
	if !strings.Contains(plan, `"seeds":[0],"preset":"lindinger2020"},"runs":2`) {
		t.Error(plan)
	}
}

// Values without effect, and presets that a family does not have, are refused.
func TestWhatHasNoEffectIsRefused(t *testing.T) {
	isolate(t)
	for _, f := range []failure{
		{"train --family mean-field --set natgrad_step=0.1", statusUsage,
			"bad value: --set natgrad_step: only with optimizer=natgrad (see dgplab families mean-field)"},
		{"sweep --family mean-field --set natgrad_step=0.1,0.2", statusUsage,
			"bad value: --set natgrad_step: only with optimizer=natgrad"},
		{"train --family star --preset nobody1900", statusUsage,
			"bad value: --preset=nobody1900: want one of default, lindinger2020"},
		{"sweep --family svgp,star --preset lindinger2020-natgrad", statusUsage,
			"bad value: --preset=lindinger2020-natgrad: want one of default, lindinger2020"},
		{"bench --family star --preset nobody1900", statusUsage,
			"bad value: --preset=nobody1900: want one of default, lindinger2020"},
	} {
		f.check(t)
	}
}
