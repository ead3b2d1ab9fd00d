package cli

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"io"
	"os"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// The commands on the page about notebooks write the files, columns and arrays that its snippets read. If
// Python has the libraries, the snippets run.
func TestNotebooks(t *testing.T) {
	page := readPage(t, "session/NOTEBOOKS.md")
	blocks := func(kind string) (list []string) {
		block := regexp.MustCompile("(?s)```" + kind + "\n(.*?)```")
		for _, found := range block.FindAllStringSubmatch(page, -1) {
			list = append(list, found[1])
		}
		return list
	}
	isolate(t)
	t.Chdir(t.TempDir())
	if err := os.WriteFile("new.csv", []byte(blocks("csv")[0]), 0o600); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(blocks("sh")[0]) {
		mustRun(t, strings.Fields(line)[1:]...)
	}

	text, err := os.ReadFile("predictions.csv")
	if err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	names := []string{"row", "id", "x", "y", "y_mean", "y_sd", "y_q5", "y_q50", "y_q95", "log_lik", "outside"}
	if err != nil || !slices.Equal(lines[0], names) || len(lines) != 4 || lines[3][1] != "a3" {
		t.Errorf("predictions.csv has %q, %v", lines, err)
	}
	text, err = os.ReadFile("predictions.parquet")
	if err != nil {
		t.Fatal(err)
	}
	file, err := parquet.OpenFile(bytes.NewReader(text), int64(len(text)))
	if err != nil || file.NumRows() != 3 {
		t.Fatal(err)
	}
	if _, has := file.Schema().Lookup("y_above_0.5"); !has {
		t.Errorf("predictions.parquet has %v", file.Schema())
	}
	drawn := arraysOf(t, "predictions.npz")
	if drawn["y_draw5"] != "(3,)" || drawn["y_mean"] != "(3,)" {
		t.Errorf("predictions.npz has %v", drawn)
	}
	arrays := arraysOf(t, "arrays/posterior.npz")
	chains := 0
	for name, shape := range arrays {
		if strings.HasPrefix(name, "draws.") {
			chains++
			if shape != "(1, 40,)" { // 60 steps, of which 20 are discarded
				t.Errorf("%s has the shape %s", name, shape)
			}
		}
	}
	if chains == 0 || arrays["about"] == "" || strings.Count(arrays["functions.draws"], ",") != 3 {
		t.Errorf("posterior.npz has %v", arrays)
	}

	for _, snippet := range blocks("python") {
		if n := strings.Count(snippet, "\n"); n > 10 {
			t.Errorf("a snippet has %d lines, want at most 10:\n%s", n, snippet)
		}
		runPython(t, snippet)
	}
}

// arraysOf returns the shapes of the arrays in an NPZ file by name.
func arraysOf(t *testing.T, name string) map[string]string {
	t.Helper()
	z, err := zip.OpenReader(name)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	shapes := map[string]string{}
	for _, f := range z.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		head := make([]byte, 128)
		n, err := io.ReadFull(in, head)
		found := regexp.MustCompile(`'shape': (\(.*?\))`).FindSubmatch(head[:n])
		if found == nil {
			t.Fatalf("%s: %q, %v", f.Name, head, err)
		}
		shapes[strings.TrimSuffix(path.Base(f.Name), ".npy")] = string(found[1])
	}
	return shapes
}

// runPython runs a snippet if its libraries are installed.
func runPython(t *testing.T, snippet string) {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		return
	}
	imports := "import pyarrow\n"
	for _, found := range regexp.MustCompile(`(?m)^import .*`).FindAllString(snippet, -1) {
		imports += found + "\n"
	}
	if exec.Command(python, "-c", imports).Run() != nil {
		t.Logf("not run, for lack of a library:\n%s", imports)
		return
	}
	if out, err := exec.Command(python, "-c", snippet).CombinedOutput(); err != nil {
		t.Errorf("%v: %s\n%s", err, out, snippet)
	}
}
