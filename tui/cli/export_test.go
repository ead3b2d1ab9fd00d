package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestExport writes figures of one run and of two, in all formats, and keeps files of others.
func TestExport(t *testing.T) {
	id, _ := trained(t)
	mustRun(t, "train", "--dataset", "old.csv", "--family", "linear", "--seed", "1")
	runs := os.Getenv("DGPLAB_RUNS")
	one := mustRun(t, "export", id, "--figure", "fit,objective", "--format", "csv,svg")
	for _, name := range strings.Fields("curve.csv fit-input-1.csv fit-input-2.svg") {
		if !strings.Contains(one.out, filepath.Join(runs, id, name)+"\n") {
			t.Errorf("%s is missing:\n%v", name, one)
		}
	}
	if strings.Contains(one.out, "covariance") {
		t.Errorf("other figures are written:\n%s", one.out)
	}
	again := mustRun(t, "export", id, "--figure", "fit,objective", "--format", "csv,svg")
	if again.out != one.out {
		t.Errorf("a second time:\n%s", again.out)
	}
	both := mustRun(t, "export", id, "latest")
	if !strings.Contains(both.out, "/.comparisons/") || !strings.Contains(both.out, "-and-1-more-") {
		t.Errorf("two runs:\n%s", both.out)
	}
	mustRun(t, "export", id, "--out", "figures", "--format", "pdf,png")
	page, err := os.ReadFile(filepath.Join("figures", "fit-input-1.pdf"))
	if err != nil || !strings.HasPrefix(string(page), "%PDF") {
		t.Errorf("%.20q, %v", page, err)
	}
	if err := os.WriteFile(filepath.Join("figures", "fit-input-1.pdf"), []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	o := dgplab(t, "export", id, "--out", "figures", "--format", "pdf", "--figure", "fit")
	page, _ = os.ReadFile(filepath.Join("figures", "fit-input-1.pdf"))
	if o.status != statusFailed || string(page) != "mine" ||
		!strings.Contains(o.err, "it is not replaced (after 0 files)") {
		t.Errorf("the file of somebody else: %q, %v", page, o)
	}
	for args, want := range map[string]string{
		"--figure pair":               "dgplab: the figure pair does not apply; these apply: objective, ",
		"--figure table --format csv": "dgplab: the figure table does not apply",
		"--figure objective --format csv,pdf --out /dev/null/x": "dgplab: mkdir /dev/null",
	} {
		o := dgplab(t, append([]string{"export", id}, strings.Fields(args)...)...)
		if o.status != statusFailed || !strings.HasPrefix(o.err, want) {
			t.Errorf("%s: %v", args, o)
		}
	}
}
