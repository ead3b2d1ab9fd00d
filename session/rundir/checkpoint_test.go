package rundir

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"dgplab/datasets/files"
	"dgplab/models"
)

func someArrays() []models.Array {
	long := make([]float64, 3000)
	for i := range long {
		long[i] = math.Sqrt(float64(i)) * 1e-7
	}
	return []models.Array{
		{Name: "step", Data: []float64{12}},
		{Name: "layer.0.Z", Data: long},
		{Name: "empty", Data: nil},
		{Name: "odd", Data: []float64{math.Inf(1), math.Copysign(0, -1), 5e-324}},
	}
}

func emptyLike(arrays []models.Array) []models.Array {
	out := make([]models.Array, len(arrays))
	for i, a := range arrays {
		out[i] = models.Array{Name: a.Name, Data: make([]float64, len(a.Data))}
	}
	return out
}

func TestCheckpointRoundTrip(t *testing.T) {
	dir := t.TempDir()
	arrays := someArrays()
	p := Progress{Step: 12, Seconds: 0.1, Rescues: 3, BestVal: -1.25, BestStep: 10,
		Early: &EarlyStopping{Every: 10, Window: []float64{1, 2}, Steps: []int{10}, Means: []float64{1.5}}}
	if err := saveCheckpoint(folder(t, dir), checkpointName, "run", p, arrays, nil); err != nil {
		t.Fatal(err)
	}
	got := emptyLike(arrays)
	cp, err := ReadCheckpoint(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := cp.Restore(got); err != nil {
		t.Fatal(err)
	}
	if back := cp.Progress; !reflect.DeepEqual(back, p) {
		t.Errorf("progress %+v, want %+v", back, p)
	}
	for i, a := range arrays {
		for j, x := range a.Data {
			if math.Float64bits(x) != math.Float64bits(got[i].Data[j]) {
				t.Fatalf("%s[%d] = %v, want %v", a.Name, j, got[i].Data[j], x)
			}
		}
	}
	if names, _ := filepath.Glob(filepath.Join(dir, ".*")); len(names) != 0 {
		t.Errorf("left behind: %v", names)
	}
	if _, err := ReadCheckpoint(t.TempDir()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no checkpoint: %v", err)
	}
}

func TestDamagedCheckpointsAreRefused(t *testing.T) {
	var buffer bytes.Buffer
	arrays := someArrays()
	if err := encodeCheckpoint(&buffer, "run", Progress{Step: 1}, arrays, nil); err != nil {
		t.Fatal(err)
	}
	whole := buffer.Bytes()
	dir := t.TempDir()
	check := func(name string, damaged []byte, want string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, checkpointName), damaged, 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := ReadCheckpoint(dir)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v, want one line with %q", name, err, want)
		}
	}
	flip := func(at int) []byte {
		c := bytes.Clone(whole)
		c[at] ^= 1
		return c
	}
	check("empty", nil, "not a checkpoint")
	check("other file", []byte("hello, this is some text, not a checkpoint"), "not a checkpoint")
	check("newer format", flip(8), "format")
	check("damaged header", flip(16), "damaged header")
	check("flipped value", flip(len(whole)-100), "checksum")
	check("flipped checksum", flip(len(whole)-1), "checksum")
	check("cut in the header", whole[:40], "truncated")
	check("cut in an array", whole[:len(whole)-2000], "truncated")
	check("longer", append(bytes.Clone(whole), 0), "trailing bytes")

	if err := os.WriteFile(filepath.Join(dir, checkpointName), whole, 0o644); err != nil {
		t.Fatal(err)
	}
	other := someArrays()
	other[1].Data = other[1].Data[:10]
	cp, err := ReadCheckpoint(dir)
	if err != nil {
		t.Fatal(err)
	}
	other[0].Data[0] = 99
	if err := cp.Restore(other); err == nil ||
		!strings.Contains(err.Error(), `"layer.0.Z"`) || other[0].Data[0] != 99 {
		t.Errorf("another model's checkpoint: %v, step %v", err, other[0].Data[0])
	}
}

// An error of the disk is reported as such, wherever it occurs.
func TestUnreadableCheckpoint(t *testing.T) {
	var buffer bytes.Buffer
	if err := encodeCheckpoint(&buffer, "run", Progress{Step: 1}, someArrays(), nil); err != nil {
		t.Fatal(err)
	}
	whole := buffer.Bytes()
	broken := errors.New("input/output error")
	for at := 16; at < len(whole); at += 97 {
		r := io.MultiReader(bytes.NewReader(whole[:at]), iotest.ErrReader(broken))
		_, err := decodeCheckpoint(r, int64(len(whole)))
		if !errors.Is(err, broken) {
			t.Fatalf("after %d of %d bytes: %v", at, len(whole), err)
		}
	}
}

func FuzzDecodeCheckpoint(f *testing.F) {
	var buffer bytes.Buffer
	_ = encodeCheckpoint(&buffer, "run", Progress{Step: 1},
		[]models.Array{{Name: "a", Data: []float64{1, 2}}}, nil)
	f.Add(buffer.Bytes())
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := decodeCheckpoint(bytes.NewReader(text), int64(len(text)))
		if err == nil && c == nil {
			t.Error("neither a checkpoint nor an error")
		}
	})
}

func TestWriteAtomicKeepsOldFileOnError(t *testing.T) {
	dir := t.TempDir()
	put := func(text string, fail error) error {
		return files.Replace(folder(t, dir), "f", func(w io.Writer) error {
			io.WriteString(w, text)
			return fail
		})
	}
	if err := put("old", nil); err != nil {
		t.Fatal(err)
	}
	if err := put("new", errors.New("no room")); err == nil {
		t.Fatal("no error")
	}
	if text, _ := os.ReadFile(filepath.Join(dir, "f")); string(text) != "old" {
		t.Errorf("file holds %q", text)
	}
	if names, _ := filepath.Glob(filepath.Join(dir, files.TempPrefix+"*")); len(names) != 0 {
		t.Errorf("left behind: %v", names)
	}
}

// A file exported while a run is being resumed is complete.
func TestWriteFileWhileLeftoversAreDeleted(t *testing.T) {
	dir, calls := t.TempDir(), 0
	e, err := OpenExports(dir)
	if err != nil {
		t.Fatal(err)
	}
	err = e.replace("curve.csv", func(w io.Writer) error {
		calls++
		if calls == 1 {
			removeLeftovers(folder(t, dir))
		}
		_, err := io.WriteString(w, "step\n")
		return err
	})
	text, failed := os.ReadFile(filepath.Join(dir, "curve.csv"))
	if err != nil || failed != nil || string(text) != "step\n" {
		t.Errorf("%q, %v, %v", text, err, failed)
	}
}

// folder opens a folder and closes it at the end of the test.
func folder(t testing.TB, path string) files.Dir {
	t.Helper()
	dir, err := files.OS.OpenDir(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dir.Close() })
	return dir
}

// A checkpoint with more or fewer arrays than the model is refused and changes nothing.
func TestCheckpointOfAnotherModel(t *testing.T) {
	dir := t.TempDir()
	p := Progress{Step: 3}
	if err := saveCheckpoint(folder(t, dir), checkpointName, "run", p, someArrays(), nil); err != nil {
		t.Fatal(err)
	}
	cp, err := ReadCheckpoint(dir)
	if err != nil {
		t.Fatal(err)
	}
	fewer := emptyLike(someArrays()[:2])
	renamed := emptyLike(someArrays())
	renamed[1].Name = "layer.1.Z"
	for want, arrays := range map[string][]models.Array{
		"the checkpoint has 4 arrays, but the model has 2":                         fewer,
		`"layer.0.Z" of length 3000, but the model has "layer.1.Z" of length 3000`: renamed,
	} {
		if err := cp.Restore(arrays); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), dir) {
			t.Errorf("error %v, want %s", err, want)
		}
		if arrays[0].Data[0] != 0 {
			t.Errorf("%s: the model was changed", want)
		}
	}
	if CheckpointStep(dir) != 3 || CheckpointStep(t.TempDir()) != -1 {
		t.Errorf("steps %d and %d", CheckpointStep(dir), CheckpointStep(t.TempDir()))
	}
}
