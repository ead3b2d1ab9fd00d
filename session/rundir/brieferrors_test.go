package rundir

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// A file of a run may hold anything. However long the wrong value is, its error is one short line that names
// the file.
func TestErrorsOfFilesAreShort(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	long := strings.Repeat("1", 100_000)
	for _, c := range []struct{ name, text, want string }{
		{configName, `{"seed": ` + long + `}`, "seed: JSON number 111"},
		{configName, `{"data": {"task": "` + long + `"}}`, long[:20]},
		{summaryName, `{"format": ` + long + `}`, "format: JSON number 111"},
		{summaryName, `{"objective": -` + long + `}`, long[:20]},
		{notesName, `{"format": ` + long + `}`, "format: JSON number 111"},
		{diagnosticsName, `{"format": 1, "step": ` + long + `}`, "step: JSON number 111"},
		{pointsName, "# {\"format\": " + long + "}\n", "format: JSON number 111"},
		{pointsName, "# {\"format\":1,\"points\":1,\"targets\":1,\"names\":[\"y\"]}\n" +
			"row,log_lik,distance,target,mean,variance,pit\n0," + long + "x,0,0,0,0,0\n", "invalid syntax"},
		{metricsName, `{"step": 1, "objective": "` + long + "\"}\n", "objective"},
	} {
		dir := endedRun(t).Dir()
		err := os.WriteFile(filepath.Join(dir, c.name), []byte(c.text), 0o600)
		if err != nil {
			t.Fatal(err)
		}
		info := Info{ConfigFile: ConfigFile{ID: filepath.Base(dir)}, Dir: dir}
		switch c.name {
		case configName:
			_, err = ReadConfig(dir)
		case summaryName:
			_, err = ReadSummary(dir)
		case notesName:
			_, err = readNotes(dir)
		case diagnosticsName:
			_, err = info.Diagnostics()
		case pointsName:
			_, err = info.Predictions()
		case metricsName:
			_, err = ReadPoints(dir, func(Point) bool { return true }, func(Point) {})
		}
		if err == nil {
			t.Errorf("%s with %.30s...: no error", c.name, c.text)
			continue
		}
		text := strings.TrimPrefix(err.Error(), dir)
		if utf8.RuneCountInString(text) > 300 || strings.Contains(text, "\n") ||
			!strings.HasPrefix(text, "/"+c.name) || !strings.Contains(text, c.want) {
			t.Errorf("%s with %.30s...: want a line of at most 300 characters with the file and %q; "+
				"found %d characters: %.400s", c.name, c.text, c.want, utf8.RuneCountInString(text), text)
		}
	}
}
