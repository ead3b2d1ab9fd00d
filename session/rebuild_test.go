package session

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dgplab/models"
	"dgplab/session/rundir"
)

// A damaged run is refused with its reason by everything that rebuilds its model: diagnostics, the
// posterior, predictions, and a run that takes its initial parameters.
func TestDamagedRunsAreNotRebuilt(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	train := func(seed uint64) *Snapshot {
		spec, err := models.Lookup("mean-field")
		if err != nil {
			t.Fatal(err)
		}
		c := realConfig(spec)
		c.Seed = seed
		r, err := Start(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		return wait(t, r, rundir.StopSteps)
	}
	source := train(5)
	other := train(6)
	read := func(dir, name string) string {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	config := read(source.Dir, "config.json")
	checkpoint := read(source.Dir, "checkpoint")
	edited := func(old, text string) func() (string, string) {
		return func() (string, string) {
			if !strings.Contains(config, old) {
				t.Fatalf("%s is not in the configuration", old)
			}
			return strings.ReplaceAll(config, old, text), checkpoint
		}
	}
	for _, c := range []struct {
		name  string
		spoil func() (config, checkpoint string)
		// rebuilt and started are parts of the errors of the run itself and of a run that starts from it,
		// or "" if there is none.
		rebuilt, started string
	}{
		{"nothing", edited("mean-field", "mean-field"), "", ""},
		{"no checkpoint", func() (string, string) { return config, "" }, "checkpoint", "checkpoint"},
		{"a damaged checkpoint", func() (string, string) { return config, checkpoint[:len(checkpoint)-9] },
			"checkpoint", "checkpoint"},
		{"the checkpoint of another run",
			func() (string, string) { return config, read(other.Dir, "checkpoint") },
			"belongs to run " + other.ID, ""},
		{"no configuration", func() (string, string) { return "{", checkpoint },
			"config.json", "config.json"},
		{"an unknown family", edited(`"family": "mean-field"`, `"family": "nobody"`),
			"nobody", "nobody"},
		{"a value is missing", edited(`"inducing": "10",`, ""), "no value for inducing",
			"no value for inducing"},
		{"other data", edited(`"n": `, `"n": 1`), "have changed since the run", ""},
		{"another model", edited(`"inducing": "10"`, `"inducing": "9"`),
			"of length", "its data may be different"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, saved := c.spoil()
			for name, text := range map[string]string{"config.json": text, "checkpoint": saved} {
				path := filepath.Join(source.Dir, name)
				err := os.WriteFile(path, []byte(text), 0o600)
				if text == "" {
					err = os.Remove(path)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			check := func(what, want string, err error) {
				t.Helper()
				if want == "" && err == nil {
					return
				}
				if err == nil || want == "" || !strings.Contains(err.Error(), want) {
					t.Errorf("%s: %v, want %q", what, err, want)
				}
			}
			r, err := Start(t.Context(), warmConfig(t, "star", source.ID))
			if err == nil {
				err = r.Wait().Err
			}
			check("a run that starts from it", c.started, err)
			record, err := rundir.FindReadOnly(source.ID)
			if err != nil {
				check("opened", c.rebuilt, err)
				return
			}
			_, err = Diagnose(context.Background(), record)
			check("diagnosed", c.rebuilt, err)
			var out bytes.Buffer
			check("posterior", c.rebuilt, WritePosterior(t.Context(), record, &out))
			table := strings.NewReader("x\n0.5\n")
			_, err = Predict(t.Context(), record, "new.csv", table, &out, PredictOptions{})
			check("predicted", c.rebuilt, err)
		})
	}
}
