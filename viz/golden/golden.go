// Package golden serves tests. It compares strings and pages with files, checks that pictures are exact
// boxes in many sizes and styles, and turns fuzz input into awkward data.
package golden

import (
	"flag"
	"fmt"
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
		t.Errorf("%s, %s\n(go test -update accepts it)", path, difference(got, string(want)))
	}
}

// difference describes how a text differs from the wanted one. It begins with the first line that differs.
// Then come the lines of both texts, without the equal lines before and after the change.
func difference(got, want string) string {
	has := strings.Split(got, "\n")
	wants := strings.Split(want, "\n")
	number := 1
	for len(has) > 0 && len(wants) > 0 && has[0] == wants[0] {
		has, wants, number = has[1:], wants[1:], number+1
	}
	for len(has) > 0 && len(wants) > 0 && has[len(has)-1] == wants[len(wants)-1] {
		has, wants = has[:len(has)-1], wants[:len(wants)-1]
	}
	if len(has) == 0 {
		return fmt.Sprintf("line %d is missing: %q\nwant:\n%s", number, wants[0], strings.Join(wants, "\n"))
	}
	if len(wants) == 0 {
		return fmt.Sprintf("line %d is new: %q\ngot:\n%s", number, has[0], strings.Join(has, "\n"))
	}
	return fmt.Sprintf("line %d is %q, want %q\ngot:\n%s\nwant:\n%s", number, has[0], wants[0],
		strings.Join(has, "\n"), strings.Join(wants, "\n"))
}
