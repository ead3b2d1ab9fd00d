package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dgplab/datasets"
	"dgplab/viz/golden"
)

// TestFetchFromMirror needs a local mirror of the data sets and is skipped without it.
func TestFetchFromMirror(t *testing.T) {
	mirror, err := filepath.Abs("../../../shared/data/mirror")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(mirror); err != nil {
		t.Skipf("no mirror of the data sets: %v", err)
	}
	isolate(t)
	t.Setenv("DGPLAB_MIRROR", "file://"+mirror)
	o := mustRun(t, "datasets", "fetch", "yacht", "yacht")
	golden.Check(t, "fetch", scrub(o.String()))
	if again := mustRun(t, "datasets", "fetch", "yacht"); strings.Contains(again.err, "fetching") {
		t.Errorf("cached data sets were fetched:\n%s", again.err)
	}
	if !strings.Contains(mustRun(t, "datasets").out, "Yacht") {
		t.Error("yacht is not listed")
	}
	train := mustRun(t, "train", "--dataset", "yacht", "--family", "svgp", "--split", "standard:3", "--set",
		"inducing=5", "--steps", "2", "--json")
	if _, summary := events(t, train.out); summary.Stop != "steps" {
		t.Errorf("summary %+v", summary)
	}
	if o := dgplab(t, "train", "--dataset", "yacht", "--split", "standard:20"); o.status != statusUsage ||
		!strings.Contains(o.err, "standard:19") {
		t.Errorf("got\n%v", o)
	}
}

func TestFetchInterrupted(t *testing.T) {
	isolate(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if o := run(t, ctx, "datasets", "fetch", "yacht"); o.status != statusInterrupted ||
		!strings.Contains(o.err, "yacht was not fetched") {
		t.Errorf("got\n%v", o)
	}
}

// TestFetchLine checks the progress on a terminal and in a file.
func TestFetchLine(t *testing.T) {
	feed := func(rewrite bool) string {
		var errs strings.Builder
		l := &fetchLine{
			statusLine: &statusLine{console: &console{Streams: Streams{Err: &errs}}, rewrite: rewrite},
		}
		l.show(datasets.Progress{Name: "yacht", File: "data.txt", Files: 2, Bytes: 1500, Attempt: 1})
		l.show(datasets.Progress{
			Name:      "yacht",
			File:      "data.txt",
			Files:     2,
			Bytes:     1500,
			BytesDone: 100,
			Attempt:   2,
		})
		l.show(datasets.Progress{
			Name:      "yacht",
			File:      "data.txt",
			Files:     2,
			Bytes:     1500,
			BytesDone: 200,
			Attempt:   2,
		})
		l.end("yacht", nil)
		return errs.String()
	}
	if got, want := feed(false),
		"dgplab: yacht: fetching 2 files, 1.5 kB\ndgplab: yacht: data.txt: attempt 2\ndgplab: yacht: "+
			"complete, 1.5 kB\n"; got != want {
		t.Errorf("lines\n%swant\n%s", got, want)
	}
	got := feed(true)
	if !strings.HasPrefix(got, "\r\x1b[Kyacht: 0 of 2 files, 0 B of 1.5 kB\r") ||
		!strings.Contains(got, "100 B of 1.5 kB, attempt 2") ||
		!strings.HasSuffix(got, "\r\x1b[Kdgplab: yacht: complete, 1.5 kB\n") {
		t.Errorf("line %q", got)
	}
	var errs strings.Builder
	l := &fetchLine{statusLine: &statusLine{console: &console{Streams: Streams{Err: &errs}}}}
	l.end("yacht", errors.New("no"))
	if errs.Len() > 0 {
		t.Errorf("a failure is reported twice: %q", errs.String())
	}
}
