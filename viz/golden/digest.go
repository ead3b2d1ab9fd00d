package golden

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Digest summarises results in a few lines, to compare them with recorded ones.
type Digest struct {
	lines   []string
	numbers map[string][]float64
	texts   map[string][]string
}

// Begin starts the results of a case.
func (d *Digest) Begin(heading string) {
	d.end()
	d.lines = append(d.lines, heading)
	d.numbers, d.texts = map[string][]float64{}, map[string][]string{}
}

// Add adds a result with a JSON form. It fails the test if the operation returned an error.
func (d *Digest) Add(t testing.TB, name string, result any, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(name, err)
	}
	text, err := json.Marshal(result)
	if err != nil {
		t.Fatal(name, err)
	}
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatal(name, err)
	}
	d.add(name, value)
}

// AddNumbers adds numbers on a logarithmic scale, so that large numbers do not hide the others. NaN and
// infinity count as numbers.
func (d *Digest) AddNumbers(name string, values ...float64) {
	for _, v := range values {
		v = math.Asinh(v)
		switch {
		case math.IsNaN(v):
			v = 5
		case math.IsInf(v, 0):
			v = math.Copysign(6, v)
		}
		d.numbers[name] = append(d.numbers[name], v)
	}
}

// add adds a decoded JSON value. All elements of a list have the name of the list.
func (d *Digest) add(name string, value any) {
	switch value := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			d.add(name+"."+key, value[key])
		}
	case []any:
		for _, v := range value {
			d.add(name, v)
		}
	case float64:
		d.numbers[name] = append(d.numbers[name], value)
	case string:
		d.texts[name] = append(d.texts[name], value)
	}
}

// end adds a line for each name of the current case: the number of its values, a sum that depends on
// their order, and the sum of their magnitudes; or the texts without repetitions.
func (d *Digest) end() {
	first := len(d.lines)
	for name, values := range d.numbers {
		var sum, size float64
		for i, v := range values {
			sum += v * math.Cos(float64(i))
			size += math.Abs(v)
		}
		d.lines = append(d.lines, fmt.Sprintf("  %s %d %.9g %.9g", name, len(values), sum, size))
	}
	for name, values := range d.texts {
		d.lines = append(d.lines, fmt.Sprintf("  %s %q", name, slices.Compact(values)))
	}
	slices.Sort(d.lines[first:])
	d.numbers, d.texts = nil, nil
}

// Check compares the results with testdata/NAME.golden of the package under test. Sums may differ by
// rounding, which depends on the processor. With -update it writes the file.
func (d *Digest) Check(t testing.TB, name string) {
	t.Helper()
	d.end()
	if updating() {
		Check(t, name, strings.Join(d.lines, "\n"))
		return
	}
	text, err := os.ReadFile("testdata/" + name + ".golden")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(string(text), "\n")
	if len(d.lines) != len(want) {
		t.Fatalf("%d results, want %d (go test -update writes them)", len(d.lines), len(want))
	}
	heading := ""
	for i, line := range d.lines {
		if !strings.HasPrefix(line, " ") {
			heading = line
		}
		if !sameResult(line, want[i]) {
			t.Errorf("%s:%s, want%s", heading, line, want[i])
		}
	}
}

// sameResult reports whether two lines are equal up to the rounding of their sums.
func sameResult(got, want string) bool {
	a := strings.Fields(got)
	b := strings.Fields(want)
	if len(a) < 4 || len(a) != len(b) || !slices.Equal(a[:len(a)-2], b[:len(b)-2]) {
		return got == want
	}
	for i := len(a) - 2; i < len(a); i++ {
		x, badX := strconv.ParseFloat(a[i], 64)
		y, badY := strconv.ParseFloat(b[i], 64)
		size, badSize := strconv.ParseFloat(b[len(b)-1], 64)
		if badX != nil || badY != nil || badSize != nil {
			return got == want
		}
		if !(math.Abs(x-y) <= 1e-5*size+1e-12) {
			return false
		}
	}
	return true
}
