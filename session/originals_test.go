package session

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"dgplab/session/probe"
	"dgplab/session/rundir"
)

// arrayIn returns the numbers of an array in an NPZ file.
func arrayIn(t *testing.T, file []byte, name string) []float64 {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	in, err := z.Open(name + ".npy")
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	head := 10 + int(binary.LittleEndian.Uint16(text[8:]))
	numbers := make([]float64, (len(text)-head)/8)
	err = binary.Read(bytes.NewReader(text[head:]), binary.LittleEndian, numbers)
	if err != nil {
		t.Fatal(err)
	}
	return numbers
}

// Observed values in the outputs of a run are the numbers of its file, to the last bit, however far apart
// these are: in both files of points, the posterior, the table of predictions and the suggestions.
func TestObservedValuesAreThoseOfTheFile(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	r := rand.New(rand.NewPCG(44, 6))
	far := func() float64 { return math.Copysign(math.Pow(10, 40*r.Float64()-20), r.Float64()-0.5) }
	var file strings.Builder
	file.WriteString("x,y\n")
	x := make([]float64, 150)
	y := make([]float64, len(x))
	for i := range x {
		x[i], y[i] = far(), far()
		fmt.Fprintf(&file, "%v,%v\n", x[i], y[i])
	}
	path := filepath.Join(t.TempDir(), "far.csv")
	err := os.WriteFile(path, []byte(file.String()), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	record := trained(t, rundir.Config{Dataset: path, Family: "gp", Seed: 1,
		Set: map[string]string{"steps": "2"}})
	same := func(what string, row int, got, want float64) {
		t.Helper()
		if got != want {
			t.Fatalf("%s, row %d: %v; the file has %v", what, row, got, want)
		}
	}
	test, err := record.Predictions()
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range test.Rows {
		same("test_points.csv", row, test.Target[i], y[row])
	}
	left, err := record.LeftOut()
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range left.Rows {
		same("loo_points.csv", row, left.Target[i], y[row])
	}

	var posterior bytes.Buffer
	err = WritePosterior(t.Context(), record, &posterior)
	if err != nil {
		t.Fatal(err)
	}
	targets := arrayIn(t, posterior.Bytes(), "test.target")
	inputs := arrayIn(t, posterior.Bytes(), "test.inputs")
	for i, row := range test.Rows {
		same("test.target", row, targets[i], y[row])
		same("test.inputs", row, inputs[i], x[row])
	}
	at := arrayIn(t, posterior.Bytes(), "functions.inputs")
	for i, row := range arrayIn(t, posterior.Bytes(), "functions.row") {
		same("functions.inputs", int(row), at[i], x[int(row)])
	}

	_, columns := predicted(t, record.ID, file.String())
	for i, text := range columns["y"] {
		got, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		same("the table of predictions", i, got, y[i])
	}
	suggested, err := Suggest(t.Context(), record, "far.csv", strings.NewReader(file.String()),
		probe.SuggestOptions{Criterion: probe.ALM, Count: 5})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range suggested.List {
		got, err := strconv.ParseFloat(s.Inputs[0], 64)
		if err != nil {
			t.Fatal(err)
		}
		same("the suggestions", s.Row-1, got, x[s.Row-1])
	}
}
