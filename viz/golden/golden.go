// Package golden serves tests. It compares strings and pages with files, checks that pictures are exact
// boxes in many sizes and styles, and turns fuzz input into awkward data.
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/charmbracelet/x/exp/golden" // registers -update, which teatest needs as well
)

// updating reports whether golden files are written.
func updating() bool { return flag.Lookup("update").Value.String() == "true" }

// Check compares a string with testdata/NAME.golden of the package under test. With -update it
// writes the file.
func Check(t testing.TB, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if updating() {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (go test -update writes it)", err)
	}
	if got != string(want) {
		t.Errorf("%s differs (go test -update accepts it)\ngot:\n%s\nwant:\n%s", path, got, want)
	}
}

// CheckLines is Check for a text with many lines. If the text differs, only the different lines are printed.
func CheckLines(t testing.TB, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	want, err := os.ReadFile(path)
	if err != nil || updating() {
		Check(t, name, got)
		return
	}
	has := strings.Split(got, "\n")
	wants := strings.Split(string(want), "\n")
	if len(has) != len(wants) {
		t.Errorf("%s has %d lines, want %d (go test -update accepts them)", path, len(has), len(wants))
		return
	}
	for i, line := range has {
		if line != wants[i] {
			t.Errorf("%s:%d (go test -update accepts it)\ngot  %s\nwant %s", path, i+1, line, wants[i])
		}
	}
}
