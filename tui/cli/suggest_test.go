package cli

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"

	"dgplab/session/probe"
)

// TestSuggest suggests inputs from a run of two inputs. The most uncertain candidates of a plane are the
// farthest ones.
func TestSuggest(t *testing.T) {
	id, rows := trained(t)
	text := "width,height\n6,4\n40,4\n7,5\n-30,5\n"
	if err := os.WriteFile("candidates.csv", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	o := mustRun(t, "suggest", id, "--candidates", "candidates.csv", "--count", "2", "--out", "next.csv")
	for _, want := range []string{"alm of 4 candidates", "256 joint draws", "width", "load sd", "-30", "40",
		"written to", "next.csv"} {
		if !strings.Contains(o.out, want) {
			t.Errorf("want %q:\n%v", want, o)
		}
	}
	if text, err := os.ReadFile("next.csv"); err != nil ||
		string(text) != "width,height\n40,4\n-30,5\n" && string(text) != "width,height\n-30,5\n40,4\n" {
		t.Errorf("%q, %v", text, err)
	}
	mustRun(t, "predict", id, "next.csv")
	first := mustRun(t, "suggest", id, "--criterion", "ei", "--json", "--goal", "maximum")
	var s probe.Suggestions
	if err := json.Unmarshal([]byte(first.out), &s); err != nil || len(s.List) != 1 || s.Candidates != 200 ||
		s.Run != id || len(s.List[0].Mean) != 1 || len(s.Inputs) != 2 {
		t.Errorf("%v: %+v", err, s)
	}
	again := mustRun(t, "suggest", id, "--criterion", "ei", "--json", "--goal", "maximum")
	if again.out != first.out {
		t.Errorf("twice:\n%s%s", first.out, again.out)
	}
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	for want, got := range map[string]outcome{
		"dgplab: no such file: none.csv (see dgplab suggest --help)": dgplab(t, "suggest", id,
			"--candidates", "none.csv"),
		"dgplab: . is a folder; give a file to write to": dgplab(t, "suggest", id, "--out", "."),
		"dgplab: 9 suggestions need as many candidates, and there are 3": dgplab(t, "suggest", id,
			"--candidates", rows, "--count", "9"),
		"dgplab: interrupted; nothing was suggested": run(t, gone, "suggest", id),
	} {
		if got.status == 0 || !strings.Contains(got.err, want) {
			t.Errorf("want %q:\n%v", want, got)
		}
	}
}

// Errors about a table from standard input name it.
func TestStandardInputIsNamed(t *testing.T) {
	id, _ := trained(t)
	for _, args := range [][]string{{"predict", id, "-"}, {"suggest", id, "--candidates", "-"}} {
		var errs strings.Builder
		status := Run(t.Context(), Streams{In: strings.NewReader("nonsense\n1\n"), Out: io.Discard,
			Err: &errs}, args)
		if status == statusOK || !strings.Contains(errs.String(), "standard input, line") {
			t.Errorf("%q: status %d, %s", args, status, errs.String())
		}
	}
}
