package models

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"dgplab/models/family"
	"dgplab/models/familytest"
	"dgplab/viz/golden"
)

// digest collects the numbers and texts of results by name.
type digest struct {
	numbers map[string][]float64
	texts   map[string][]string
}

// add adds a decoded JSON value. All elements of a list have the name of the list.
func (d *digest) add(name string, value any) {
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

// addResult adds a result with a JSON form, and fails the test if the model returned an error.
func (d *digest) addResult(t *testing.T, name string, result any, err error) {
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

// lines returns a line for each name: the number of its values, a sum that depends on their order, and
// the sum of their magnitudes; or the texts without repetitions.
func (d *digest) lines() (list []string) {
	for name, values := range d.numbers {
		var sum, size float64
		for i, v := range values {
			sum += v * math.Cos(float64(i))
			size += math.Abs(v)
		}
		list = append(list, fmt.Sprintf("  %s %d %.9g %.9g", name, len(values), sum, size))
	}
	for name, values := range d.texts {
		list = append(list, fmt.Sprintf("  %s %q", name, slices.Compact(values)))
	}
	slices.Sort(list)
	return list
}

// resultsOf returns the digest of everything that a model shows, predicts and exports.
func resultsOf(t *testing.T, m Model, data Data) []string {
	t.Helper()
	d := &digest{map[string][]float64{}, map[string][]string{}}
	x := familytest.Wave(5, 1).X
	d.addResult(t, "hyper", m.Hyper(), nil)
	p, err := m.Predict(x, 4, 1)
	if err != nil {
		t.Fatal(err)
	}
	_, outputs := data.Y.Dims()
	density := make([]float64, 5)
	p.LogDensity(density, slices.Repeat([]float64{1}, 5*outputs))
	d.addResult(t, "density", density, nil)
	if s, ok := m.(family.FunctionSampler); ok {
		draws, err := s.DrawFunctions(x, 2, 1)
		d.addResult(t, "draws", draws, err)
	}
	if s, ok := m.(family.FunctionPredictor); ok {
		functions, err := s.Functions(x)
		d.addResult(t, "functions", functions, err)
	}
	if s, ok := m.(family.Posterior); ok {
		arrays, err := s.Posterior(x)
		for _, a := range arrays.Tensors {
			d.addResult(t, fmt.Sprintf("export.%s%v", a.Name, a.Shape), a.Data, err)
		}
	}
	if s, ok := m.(family.LeaveOneOuter); ok {
		left, err := s.LeaveOneOut(context.Background(), []int{0, 3}, 1)
		d.addResult(t, "left out", left, err)
	}
	if s, ok := m.(family.JointPredictor); ok {
		mean, covariance, err := s.JointMoments(x)
		d.addResult(t, "joint", [][][]float64{mean, covariance}, err)
	}
	if s, ok := m.(family.Viewer); ok {
		views, err := s.Views(1)
		d.addResult(t, "views", views, err)
	}
	return d.lines()
}

// TestRecordedResults compares everything that trained models of all families show, predict and export
// with recorded results. Numbers may differ by rounding, which depends on the processor.
func TestRecordedResults(t *testing.T) {
	var got []string
	for _, spec := range Families() {
		data := familytest.Wave(24, 2)
		if spec.Accepts.Check(data.Task, data.Y) != nil {
			data = familytest.Wave(24, 1)
		}
		for _, data := range []Data{data, familytest.Signs(familytest.Wave(24, 1))} {
			if spec.Accepts.Check(data.Task, data.Y) == nil {
				got = append(got, fmt.Sprintf("%s, %s", spec.Name, data.Task))
				got = append(got, resultsOf(t, trainedModel(t, spec, data), data)...)
			}
		}
	}
	if flag.Lookup("update").Value.String() == "true" {
		golden.Check(t, "results", strings.Join(got, "\n"))
		return
	}
	text, err := os.ReadFile("testdata/results.golden")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(string(text), "\n")
	if len(got) != len(want) {
		t.Fatalf("%d results, want %d (go test -update writes them)", len(got), len(want))
	}
	heading := ""
	for i, line := range got {
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
		if !(math.Abs(x-y) <= 1e-6*size) {
			return false
		}
	}
	return true
}
