package golden

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Sums holds texts in named groups, to compare their checksums with recorded ones.
type Sums struct {
	names []string
	texts map[string]*strings.Builder
}

// Group returns a writer that appends to the text of a group.
func (s *Sums) Group(name string) io.Writer {
	if s.texts[name] == nil {
		if s.texts == nil {
			s.texts = map[string]*strings.Builder{}
		}
		s.texts[name] = new(strings.Builder)
		s.names = append(s.names, name)
	}
	return s.texts[name]
}

// Add adds lines to the text of a group.
func (s *Sums) Add(group string, lines ...string) {
	for _, line := range lines {
		fmt.Fprintln(s.Group(group), line)
	}
}

// AddRounded adds a value with a JSON form. Numbers that are not integers are rounded to six digits,
// because the last digits depend on the processor.
func (s *Sums) AddRounded(t testing.TB, group string, value any) {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(group, err)
	}
	s.Add(group, number.ReplaceAllStringFunc(string(text), func(digits string) string {
		x, err := strconv.ParseFloat(digits, 64)
		if err != nil || x == math.Trunc(x) {
			return digits
		}
		return strconv.FormatFloat(x, 'g', 6, 64)
	}))
}

// number matches a number in a JSON text.
var number = regexp.MustCompile(`-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?`)

// Check compares the checksums with testdata/NAME.golden of the package under test. With -update it
// writes the file. With -v the failed test prints the texts of the groups that changed.
func (s *Sums) Check(t testing.TB, name string) {
	t.Helper()
	var lines []string
	for _, group := range s.names {
		text := s.texts[group].String()
		lines = append(lines, fmt.Sprintf("%-20s %7d bytes, CRC %08x", group, len(text),
			crc32.ChecksumIEEE([]byte(text))))
	}
	if updating() {
		Check(t, name, strings.Join(lines, "\n"))
		return
	}
	text, err := os.ReadFile("testdata/" + name + ".golden")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(string(text), "\n")
	if len(lines) != len(want) {
		t.Fatalf("%d groups, want %d (go test -update writes them)", len(lines), len(want))
	}
	for i, line := range lines {
		if slices.Contains(want, line) {
			continue
		}
		t.Errorf("got %s, want %s", line, want[i])
		if testing.Verbose() {
			t.Log(s.texts[s.names[i]])
		}
	}
}
