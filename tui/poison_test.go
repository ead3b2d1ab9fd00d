package tui

import (
	"context"
	"strings"
	"testing"

	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

// On all screens, frames of runs whose files contain terminal commands have no escape sequences from these
// files.
func TestFramesContainNoEscapeSequencesFromFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("many frames and commands")
	}
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	run, err := session.Start(context.Background(), rundir.Config{
		Dataset: "steps",
		Family:  "svgp",
		Set:     map[string]string{"steps": "3", "inducing": "4", "test_samples": "5"},
	})
	if err != nil {
		t.Fatal(err)
	}
	end := run.Wait()
	if end.Err != nil {
		t.Fatal(end.Err)
	}
	if err := rundir.Annotate(end.ID, func(n *rundir.Notes) {
		n.Name = "name"
		n.Tags = []string{"good"}
		n.Note = "a note"
	}); err != nil {
		t.Fatal(err)
	}
	kittest.PoisonCopies(t, end.Dir)

	a := testApp(&workbench{}, 160, 50)
	seen := ""
	look := func(what string) {
		t.Helper()
		frame := a.View()
		seen += frame
		if bad := kittest.Harmful(frame); bad != "" {
			t.Errorf("%s: %q", what, bad)
		}
	}
	press := func(keys ...string) {
		t.Helper()
		for _, key := range keys {
			_, cmd := a.Update(kittest.Press(key))
			look(key)
			soon(a, cmd)
			look(key + " and what it does")
		}
	}
	browse := func() {
		t.Helper()
		soon(a, a.Go(kit.Browse, nil))
		look("the browser")
	}
	perform(a, a.Go(kit.Browse, nil)) // perform waits for the list.
	for range 40 {
		press("down")
	}
	for _, way := range [][]string{{"f"}, {"enter", "2", "3", "4", "?"}, {"N"}, {"a"}, {"t"}, {"r"},
		{"w"}, {"d", "u"}, {"ctrl+p"}} {
		browse()
		press("home")
		for range 3 {
			press(way...)
			press("esc", "esc")
			browse()
			press("down")
		}
	}
	browse()
	press("home", " ", "down", " ", "down", " ", "enter", "2", "3", "4")
	if !strings.Contains(seen, "ZXZpbA==") && !strings.Contains(seen, "2J") {
		t.Error("none of the texts is on a screen")
	}
}
