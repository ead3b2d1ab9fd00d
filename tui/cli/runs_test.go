package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dgplab/session/query"
	"dgplab/session/rundir"
	"dgplab/tui/kit/kittest"
	"dgplab/viz/golden"
)

// TestRunsJourney trains a run and a fork of it, and applies all commands for runs. A golden file holds the
// output.
func TestRunsJourney(t *testing.T) {
	isolate(t)
	_, first := events(t, mustRun(t, tiny("--steps", "10", "--json")...).out)
	forked := mustRun(t, "train", "--from", first.ID, "--set", "inducing=6", "--seed", "8", "--json")
	_, second := events(t, forked.out)
	if info, err := rundir.Find(second.ID); err != nil || info.Parent != first.ID ||
		info.Values["test_samples"] != "10" {
		t.Errorf("the fork: %+v, %v", info, err)
	}
	var said strings.Builder
	say := func(o outcome, args ...string) {
		line := "$ dgplab " + strings.Join(args, " ") + "\n"
		for name, id := range map[string]string{"FIRST": first.ID, "SECOND": second.ID} {
			line = strings.ReplaceAll(line, id, name)
			o.out = strings.ReplaceAll(o.out, id, name)
			o.err = strings.ReplaceAll(o.err, id, name)
		}
		said.WriteString(line + o.out + o.err + "\n")
	}
	say(outcome{err: strings.SplitAfter(forked.err, "\n")[0]}, "train", "--from", first.ID, "...")
	for _, args := range [][]string{
		{"runs", "tag", first.ID, "paper", "old"},
		{"runs", "untag", first.ID, "old"},
		{"runs", "tag", first.ID, "a b"},
		{"runs", "rename", second.ID, "small steps"},
		{"runs", "note", "small steps", "fewer inducing points\nfaster"},
		{"runs"},
		{"runs", "--reverse"},
		{"runs", "inducing<8", "name:small*"},
		{"runs", "--sort", "inducing"},
		{"runs", "--sort", "seed", "--reverse", "family:star"},
		{"runs", "--", "-tag:paper"},
		{"runs", "shwo"},
		{"runs", "diff", first.ID, "small steps"},
		{"runs", "diff", first.ID, first.ID},
		{"runs", "diff", first.ID, second.ID, "--json"},
		{"runs", "delete", "small steps", "nothing"},
		{"runs", "delete", "small steps"},
		{"runs", "delete", "small steps"},
		{"runs"},
		{"runs", "trash"},
		{"runs", "restore", "small steps"},
		{"runs", "trash"},
		{"train", "--from", first.ID, "--set", "inducting=6"},
		{"train", "--from", first.ID, "--family", "stars"},
		{"train", "--from", first.ID, "--set", "inducing=0"},
		{"train", "--from", first.ID, "--split", "half"},
	} {
		say(dgplab(t, args...), args...)
	}
	golden.Check(t, "runs_journey", scrubResult(said.String()))
	shown := mustRun(t, "runs", "show", "small steps").out
	for _, want := range []string{"name  small steps\n", "fork of  RUNID\n",
		"note  fewer inducing points\n", " faster\n"} {
		if !strings.Contains(scrubResult(shown), want) {
			t.Errorf("no %q in:\n%s", want, scrubResult(shown))
		}
	}
	var list []struct {
		ID, Name, Parent string
		Tags             []string
	}
	if err := json.Unmarshal([]byte(mustRun(t, "runs", "--json", "--sort", "seed").out), &list); err != nil ||
		len(list) != 2 ||
		list[0].Tags[0] != "paper" || list[1].Name != "small steps" || list[1].Parent != first.ID {
		t.Errorf("runs --json: %+v, %v", list, err)
	}
}

// Unreadable files are not usage errors, and are reported with the failed operation.
func TestDamagedRuns(t *testing.T) {
	isolate(t)
	id := kittest.WriteGrid(t, []string{"star"}, []string{"boston"}, 1, 1)[0]
	dir := filepath.Join(os.Getenv("DGPLAB_RUNS"), id)
	damage := func(name string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("[]"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	damage("notes.json")
	said := "notes.json: JSON array instead of an object"
	if o := mustRun(t, "runs"); !strings.Contains(o.err, said) || !strings.Contains(o.out, id) {
		t.Errorf("runs:\n%v", o)
	}
	if o := mustRun(t, "runs", "--json"); !strings.Contains(o.out, `"notes_error":"`) || o.err != "" {
		t.Errorf("runs --json:\n%v", o)
	}
	damage("config.json")
	for _, c := range []struct{ args, want string }{
		{"runs tag " + id + " a", said},
		{"runs show " + id, "config.json: JSON array"},
		{"train --from " + id, id + " cannot be forked: "},
		{"train --resume " + id, "config.json: JSON array"},
	} {
		o := dgplab(t, strings.Fields(c.args)...)
		if o.status != statusFailed || !strings.Contains(o.err, c.want) ||
			strings.Count(o.err, "\n") != 1 || o.out != "" {
			t.Errorf("%s: want status %d and %q, got\n%v", c.args, statusFailed, c.want, o)
		}
	}
	// An invalid folder of runs is not reported as a missing run.
	t.Setenv("DGPLAB_RUNS", filepath.Join(dir, "lock"))
	for _, args := range []string{"runs show x", "runs tag x a", "train --resume x",
		"runs restore x", "compare x"} {
		if o := dgplab(t, strings.Fields(args)...); o.status != statusFailed ||
			strings.Count(o.err, "\n") != 1 {
			t.Errorf("%s:\n%v", args, o)
		}
	}
}

// Lists with more runs than are read in one piece are complete and in the order of rundir.List, as text and
// as JSON.
func TestLongListsOfRuns(t *testing.T) {
	isolate(t)
	for seed := range 150 {
		kittest.WrittenRun{
			Dataset: "boston",
			Family:  "star",
			Seed:    seed,
			LogLik:  []float64{-float64(seed * 7 % 150)},
		}.Write(t)
	}
	list, err := rundir.List()
	if err != nil || len(list) != 150 {
		t.Fatalf("%d runs, %v", len(list), err)
	}
	ids := eachOf(list, func(i rundir.Info) string { return i.ID })
	byScore := slices.Clone(list)
	if err := query.Sort(byScore, "log_lik", true); err != nil {
		t.Fatal(err)
	}
	reversed := slices.Clone(ids)
	slices.Reverse(reversed)
	for _, c := range []struct {
		args []string
		want []string
	}{
		{nil, ids},
		{[]string{"--reverse"}, reversed},
		{[]string{"--sort", "log_lik", "--reverse"},
			eachOf(byScore, func(i rundir.Info) string { return i.ID })},
	} {
		args := append([]string{"runs"}, c.args...)
		var rows []string
		for line := range strings.Lines(mustRun(t, args...).out) {
			rows = append(rows, strings.Fields(line)[0])
		}
		if !slices.Equal(rows[1:], c.want) {
			t.Errorf("%v: %q, want %q", args, rows[1:], c.want)
		}
		var runs []struct{ ID string }
		if err := json.Unmarshal([]byte(mustRun(t, append(args, "--json")...).out), &runs); err != nil {
			t.Fatal(err)
		}
		if got := eachOf(runs, func(r struct{ ID string }) string {
			return r.ID
		}); !slices.Equal(got, c.want) {
			t.Errorf("%v --json: %q, want %q", args, got, c.want)
		}
	}
	if o := mustRun(t, "runs", "--json", "family:nothing"); o.out != "[]\n" {
		t.Errorf("the list of no runs is %q", o.out)
	}
}
