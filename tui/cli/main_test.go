package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
)

// outcome is the result of a command line.
type outcome struct {
	out, err string
	status   int
}

// isolate sets separate folders for runs and data, and a fixed locale.
func isolate(t *testing.T) {
	t.Helper()
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	t.Setenv("DGPLAB_CACHE", t.TempDir())
	t.Setenv("DGPLAB_MIRROR", "file:///nowhere")
	t.Setenv("LC_ALL", "C.UTF-8")
	t.Setenv("TERM", "xterm")
}

// run executes a command line in this process. A second interrupt fails the test.
func run(t *testing.T, ctx context.Context, args ...string) outcome {
	t.Helper()
	var out, errs bytes.Buffer
	status := Run(ctx, Streams{In: strings.NewReader(""), Out: &out, Err: &errs,
		Exit: func(status int) { t.Errorf("immediate exit with %d", status) }}, args)
	return outcome{out.String(), errs.String(), status}
}

// dgplab is run with a context that is not cancelled.
func dgplab(t *testing.T, args ...string) outcome {
	t.Helper()
	return run(t, context.Background(), args...)
}

// mustRun is dgplab for a command that must succeed.
func mustRun(t *testing.T, args ...string) outcome {
	t.Helper()
	o := dgplab(t, args...)
	if o.status != statusOK {
		t.Fatalf("dgplab %s: status %d\n%s", strings.Join(args, " "), o.status, o.err)
	}
	return o
}

// failure is a command line that fails, with its exit status and the distinctive part of its message.
type failure struct {
	args   string
	status int
	want   string
}

// check runs the command line. It must fail with one line and write nothing to standard output. A usage error
// names a command that helps.
func (f failure) check(t *testing.T) {
	t.Helper()
	f.checkOutcome(t, dgplab(t, strings.Fields(f.args)...))
}

func (f failure) checkOutcome(t *testing.T, o outcome) {
	t.Helper()
	said := scrub(o.err)
	switch {
	case o.status != f.status || !strings.Contains(said, f.want):
		t.Errorf("dgplab %s: want status %d and %q, found status %d and %q", f.args, f.status, f.want,
			o.status, said)
	case !strings.HasPrefix(said, "dgplab: ") || strings.Count(said, "\n") != 1:
		t.Errorf("dgplab %s: want one line that begins with \"dgplab: \", found %q", f.args, said)
	case o.out != "":
		t.Errorf("dgplab %s: want nothing on standard output, found %q", f.args, o.out)
	case f.status == statusUsage && strings.Count(said, "dgplab ") == 0:
		t.Errorf("dgplab %s: want a command that helps, found %q", f.args, said)
	}
}

// volatile holds patterns of text that differs between runs, and their replacements in golden files.
var volatile = []struct {
	pattern *regexp.Regexp
	with    string
}{
	{regexp.MustCompile(`\d{8}-\d{6}-[a-z0-9_-]+-[0-9a-f]{6}`), "RUNID"},
	{regexp.MustCompile(`(?m)^created .*$`), "created          DATE"},
	{regexp.MustCompile(`dgplab \S+( [0-9a-f]{12})?( \(modified\))?, go\S+, \w+/\w+`),
		"dgplab VERSION, GO, PLATFORM"},
}

// scrub replaces text that differs between runs and machines.
func scrub(text string) string {
	for _, name := range []string{"DGPLAB_RUNS", "DGPLAB_CACHE"} {
		text = strings.ReplaceAll(text, os.Getenv(name), "$"+name)
	}
	for _, v := range volatile {
		text = v.pattern.ReplaceAllString(text, v.with)
	}
	return text
}

// String returns the format of golden files.
func (o outcome) String() string {
	return fmt.Sprintf("status %d\n--- standard output\n%s--- standard error\n%s", o.status, o.out, o.err)
}

// eventually waits for a long time until ok returns true.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for limit := time.Now().Add(2 * time.Minute); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatalf("timed out waiting for %s", what)
		}
	}
}
