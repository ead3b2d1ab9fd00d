package kittest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/charmbracelet/x/exp/golden" // Registers -update, which teatest needs as well.
)

// updating reports whether golden files are to be written.
func updating() bool { return flag.Lookup("update").Value.String() == "true" }

// Golden compares a frame with testdata/NAME.golden of the package under test, or
// writes that file when the tests run with -update. Blanks at the ends of lines
// are left out: CheckFrame is for those.
func Golden(t testing.TB, name, frame string) {
	t.Helper()
	var got strings.Builder
	for line := range strings.Lines(frame + "\n") {
		got.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	path := filepath.Join("testdata", name+".golden")
	if updating() {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (write it by go test -update)", err)
	}
	if got.String() != string(want) {
		t.Errorf("%s differs (go test -update accepts it)\ngot:\n%s\nwant:\n%s", path, got.String(), want)
	}
}

// Sizes are those at which every screen has a golden frame.
var Sizes = []struct {
	Name string
	W, H int
}{{"120x40", 120, 40}, {"80x24", 80, 24}, {"40x10", 40, 10}}
