package cli

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dgplab/session/rundir"
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

// TestExportReport writes a page on a run and on two. Texts of strangers are escaped.
func TestExportReport(t *testing.T) {
	id, _ := trained(t)
	mustRun(t, "train", "--dataset", "old.csv", "--family", "linear", "--seed", "1")
	mustRun(t, "runs", "rename", id, `<script>"&`)
	for name, c := range map[string]struct {
		runs []string
		want []string
	}{
		"one.html": {[]string{id}, []string{"<h1>&lt;script&gt;&#34;&amp;</h1>",
			"<dt>Test log-likelihood</dt>", "<figcaption>Fit of load along width", "dgplab train --dataset",
			">Hyperparameters<"}},
		"two.html": {[]string{id, "latest"}, []string{"<h1>Comparison of 2 runs</h1>",
			"<caption>States and test scores", `<th scope="row">&lt;script&gt;&#34;&amp;</th>`, "--seed 1",
			"<caption>Settings that differ"}},
	} {
		o := mustRun(t, append([]string{"export", "--report", name}, c.runs...)...)
		if !strings.HasSuffix(o.out, name+"\n") {
			t.Errorf("%s: %v", name, o)
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		page := string(text)
		for _, want := range append(c.want, "prefers-color-scheme: dark", "dgplab (devel)") {
			if !strings.Contains(page, want) {
				t.Errorf("%s has no %q", name, want)
			}
		}
		if strings.Contains(page, "<script") || strings.Contains(page, "ZgotmplZ") {
			t.Errorf("%s contains a script or a text that could not be escaped", name)
		}
		if n := strings.Count(page, "<figure "); n < 4 || n != strings.Count(page, "</svg>") {
			t.Errorf("%s has %d figures and %d drawings", name, n, strings.Count(page, "</svg>"))
		}
	}
	o := dgplab(t, "export", id, "--report", "one.html", "--format", "svg")
	if o.status != statusUsage {
		t.Errorf("a report in another format: %v", o)
	}
}

func TestScoreError(t *testing.T) {
	p := &rundir.Predictions{N: 4, Of: 4, P: 1, LogLik: []float64{1, 2, 3, 4},
		Target: []float64{1, 1, 1, 3}, Mean: []float64{0, 0, 0, 0}}
	// The variance of 1, 2, 3, 4 is 5/3, and the variance of 1, 1, 1, 9 is 16 about their mean 3.
	for key, want := range map[string]float64{
		"log_lik": math.Sqrt(5. / 3 / 4), "rmse": math.Sqrt(16./4) / (2 * math.Sqrt(3)), "crps": math.NaN(),
	} {
		if got := scoreError(key, p); math.Abs(got-want) > 1e-14 || math.IsNaN(got) != math.IsNaN(want) {
			t.Errorf("%s: %g, want %g", key, got, want)
		}
	}
	p.Of = 5
	if got := scoreError("log_lik", p); !math.IsNaN(got) {
		t.Errorf("of thinned predictions: %g", got)
	}
}
