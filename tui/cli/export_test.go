package cli

import (
	"archive/zip"
	le "encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"dgplab/session/rundir"
	"dgplab/tui/report"
	"dgplab/viz/figure"
	"dgplab/viz/plots"
)

// TestExport writes figures of one run and of two runs in all formats. Files that others wrote are kept.
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
	both := mustRun(t, "export", id, "latest", "--figure", "objective")
	if !strings.Contains(both.out, "/.comparisons/") || !strings.Contains(both.out, "-and-1-more-") {
		t.Errorf("two runs:\n%s", both.out)
	}
	mustRun(t, "export", id, "--out", "figures", "--format", "pdf,png", "--figure", "fit")
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
		t.Errorf("the file that another program wrote: %q, %v", page, o)
	}
	mustRun(t, "export", id, "--out", "narrow", "--width", "3.25in", "--figure", "fit")
	narrow, err := os.ReadFile(filepath.Join("narrow", "fit-input-1.svg"))
	if err != nil || !strings.Contains(string(narrow), `width="234pt"`) {
		t.Errorf("the figure of 3.25in is %.300q, %v", narrow, err)
	}
	if o := dgplab(t, "export", id, "--width", "3.25"); o.status != statusUsage ||
		!strings.Contains(o.err, "bad value: --width=3.25; want a width from 5cm to 50cm, such as 3.25in") {
		t.Errorf("a width without a unit: %v", o)
	}
	for args, want := range map[string]string{
		"--figure pair":               "dgplab: the figure pair does not apply; applicable figures: ",
		"--figure table --format csv": "dgplab: the figure table does not apply",
		"--figure objective --format csv,pdf --out /dev/null/x": "dgplab: mkdir /dev/null",
	} {
		o := dgplab(t, append([]string{"export", id}, strings.Fields(args)...)...)
		if o.status != statusFailed || !strings.HasPrefix(o.err, want) {
			t.Errorf("%s: %v", args, o)
		}
	}
}

// If the views of a run cannot be read, its other figures are still exported, with a warning. Posteriors of
// several runs have numbers in their names.
func TestExportOfDamagedRuns(t *testing.T) {
	id, _ := trained(t)
	mustRun(t, "train", "--dataset", "old.csv", "--family", "linear", "--seed", "1")
	both := mustRun(t, "export", id, "latest", "--format", "npz", "--out", "posteriors")
	for _, name := range []string{"posterior-run-1.npz", "posterior-run-2.npz"} {
		if !strings.Contains(both.out, filepath.Join("posteriors", name)+"\n") {
			t.Errorf("%s is missing:\n%v", name, both)
		}
	}
	dir := filepath.Join(os.Getenv("DGPLAB_RUNS"), id)
	for _, name := range []string{"checkpoint", "diagnostics.json"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("damaged"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	o := mustRun(t, "export", id, "--figure", "objective", "--format", "csv")
	if !strings.HasPrefix(o.err, "dgplab: warning: "+id+" has no views of the posterior: ") ||
		!strings.Contains(o.out, "curve.csv\n") {
		t.Errorf("with damaged diagnostics: %v", o)
	}
	if o := dgplab(t, "export", id, "--format", "npz"); o.status != statusFailed || o.out != "" {
		t.Errorf("the posterior of a damaged checkpoint: %v", o)
	}
}

// TestExportReport writes a page on one run and a page on two runs. Untrusted texts are escaped.
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
			"<dt>rows</dt>", "No conclusion is supported: ",
			"<summary>Fit of other inputs: 1 picture</summary>",
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
		if data := strings.Index(page, ">Data</h2>"); name == "two.html" && (data < 0 ||
			data > strings.Index(page, ">Conclusion</h2>") || data > strings.Index(page, "<figure ")) {
			t.Errorf("%s does not open with the data", name)
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
		t.Errorf("with thinned predictions: %g", got)
	}
}

// TestExportPosterior compares the arrays of a posterior with the covariance map and the test scores.
func TestExportPosterior(t *testing.T) {
	trained(t)
	mustRun(t, "train", "--dataset", "old.csv", "--family", "star", "--inducing", "3", "--layers", "2",
		"--width", "2", "--steps", "5")
	mustRun(t, "export", "latest", "--out", ".", "--format", "npz,csv", "--figure", "covariance")
	archive, err := zip.OpenReader("posterior.npz")
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	arrays := map[string][]float64{}
	about := ""
	for _, f := range archive.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		text = text[10+int(le.LittleEndian.Uint16(text[8:])):]
		values := make([]float64, len(text)/8)
		for i := range values {
			values[i] = math.Float64frombits(le.LittleEndian.Uint64(text[8*i:]))
		}
		name := strings.TrimSuffix(f.Name, ".npy")
		if name == "about" {
			about = strings.ReplaceAll(string(text), "\x00", "")
			continue
		}
		arrays[name] = values
	}
	for name, length := range map[string]int{
		"layer.0.inducing_inputs": 6, "layer.0.inducing_mean": 6, "layer.1.inducing_mean": 3,
		"inducing_covariance": 81, "parameter.layer.0.kernel.lengthscales": 2,
		"test.inputs": 2, "test.mean": 1, "functions.row": 1, "functions.inputs": 2, "functions.draws": 100,
	} {
		if len(arrays[name]) != length {
			t.Errorf("%s has %d values, want %d", name, len(arrays[name]), length)
		}
	}
	for name := range arrays {
		if !strings.Contains(about, name+" (") {
			t.Errorf("%s is not described in %q", name, about)
		}
	}
	rows, err := os.ReadFile("covariance.csv")
	if err != nil {
		t.Fatal(err)
	}
	largest := 0
	for k, line := range strings.Split(strings.TrimSpace(string(rows)), "\n")[1:] {
		fields := strings.Split(line, ",")
		want, err := strconv.ParseFloat(fields[len(fields)-1], 64)
		if err != nil {
			t.Fatal(err)
		}
		if got := math.Log10(math.Abs(arrays["inducing_covariance"][k])); !(math.Abs(got-want) < 0.01) &&
			!(math.IsInf(got, -1) && math.IsInf(want, -1)) {
			t.Errorf("entry %d of the covariance: log10 %g, in the map %g", k, got, want)
		}
		largest = k
	}
	if largest != 80 {
		t.Errorf("the map ends with entry %d", largest)
	}
	python, err := exec.LookPath("python3")
	if err != nil || exec.Command(python, "-c", "import numpy").Run() != nil {
		return
	}
	out, err := exec.Command(python, "-c", `import numpy
a = numpy.load("posterior.npz")
s = a["inducing_covariance"]
print(s.shape, bool(numpy.allclose(s, s.T)), bool(numpy.all(numpy.linalg.eigvalsh(s) > -1e-9)))
print(a["functions.draws"].shape, all(numpy.isfinite(a[k]).all() for k in a.files if k != "about"))
print(len(a["about"]) >= len(a.files))`).CombinedOutput()
	if err != nil || string(out) != "(9, 9) True True\n(100, 1, 1) True\nTrue\n" {
		t.Errorf("NumPy: %v: %s", err, out)
	}
}

// A figure that was asked for by name and has no file is explained.
func TestUnwrittenFigures(t *testing.T) {
	figures := []report.Figure{
		{Panel: "fit", Name: "fit-input-1", Picture: plots.Dots{}},
		{Panel: "direct", Name: "divergences", CSV: plots.Dots{}.CSV},
		{Panel: "scores", Name: "scores", Picture: plots.Dots{}, CSV: plots.Dots{}.CSV},
	}
	empty := map[string]error{"scores.png": fmt.Errorf("dots: %w: no scores", figure.ErrNothing)}
	for name, want := range map[string]string{
		"fit": "", "direct": "it is a table; add csv to --format",
		"scores": "dots: nothing to draw: no scores",
	} {
		if got := unwritten(name, figures, []string{"fit-input-1.png"}, empty); got != want {
			t.Errorf("the reason for %s is %q, want %q", name, got, want)
		}
	}
}
