package rundir

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ReadConfig returns an error if the file lacks what all readers need.
func TestUnreadableConfigurations(t *testing.T) {
	dir := t.TempDir()
	_, err := ReadConfig(dir)
	if err == nil || !strings.Contains(err.Error(), "is not a run directory") {
		t.Errorf("an empty folder: %v", err)
	}
	for text, want := range map[string]string{
		`{`:            "unexpected end",
		`{"format":0}`: "this program reads format",
		`{"format":1}`: "values are missing",
		`{"format":1,"values":{},"objective_is":{"name":""}}`: "objective_is has no name",
	} {
		if err := os.WriteFile(filepath.Join(dir, configName), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := ReadConfig(dir)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
