package npz

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var npzArrays = []Array{
	{Name: "layer.0.mean", Shape: []int{2, 3}, Data: []float64{1, 2, 3, 4, 5, math.Pi}},
	{Name: "noise", Shape: []int{1}, Data: []float64{math.NaN()}},
	{Name: "none", Shape: []int{0, 4}, Data: nil},
	{Name: "scalar", Shape: nil, Data: []float64{-1e-300}},
}

// withAbout returns arrays after lines of text.
func withAbout(lines []string, arrays []Array) []Array {
	return append([]Array{{Name: "about", Text: lines}}, arrays...)
}

var npzLines = []string{"μ of q(f)", "", "missing"}

// TestWriteNPZ reads an archive with independent code.
func TestWriteNPZ(t *testing.T) {
	var file, again bytes.Buffer
	if err := Write(&file, withAbout(npzLines, npzArrays)); err != nil {
		t.Fatal(err)
	}
	err := Write(&again, withAbout(npzLines, npzArrays))
	if err != nil || !bytes.Equal(file.Bytes(), again.Bytes()) {
		t.Errorf("two writes give different files (%v)", err)
	}
	z, err := zip.NewReader(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil || len(z.File) != len(npzArrays)+1 || z.File[0].Name != "about.npy" {
		t.Fatalf("%d files, %v", len(z.File), err)
	}
	shapes := []string{"(2, 3,)", "(1,)", "(0, 4,)", "()"}
	for i, f := range z.File[1:] {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		length := 10 + int(binary.LittleEndian.Uint16(text[8:]))
		description := string(text[10:length])
		if f.Name != npzArrays[i].Name+".npy" || string(text[:8]) != "\x93NUMPY\x01\x00" || length%64 != 0 ||
			!strings.HasPrefix(description, "{'descr': '<f8', 'fortran_order': False, 'shape': "+shapes[i]+
				", }") ||
			description[len(description)-1] != '\n' {
			t.Errorf("%s begins with %q", f.Name, text[:length])
		}
		got := make([]float64, (len(text)-length)/8)
		if err := binary.Read(bytes.NewReader(text[length:]), binary.LittleEndian, got); err != nil {
			t.Fatal(err)
		}
		equal := func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }
		if !slices.EqualFunc(got, npzArrays[i].Data, equal) {
			t.Errorf("%s holds %v", f.Name, got)
		}
	}
}

func TestTextOfEqualLength(t *testing.T) {
	for _, c := range []struct {
		lines []string
		width int
		want  string
	}{
		{nil, 1, ""},
		{[]string{""}, 1, "\x00"},
		{[]string{"a", "bü", ""}, 2, "a\x00bü\x00\x00"},
	} {
		width := longest(c.lines)
		if text := string(padded(c.lines, width)); width != c.width || text != c.want {
			t.Errorf("%q: width %d, %q; want %d, %q", c.lines, width, text, c.width, c.want)
		}
	}
}

func TestWriteRejects(t *testing.T) {
	for _, list := range [][]Array{
		{{Name: "a", Shape: []int{2}, Data: []float64{1}}},
		{{Name: "a", Data: []float64{1}}, {Name: "a", Data: []float64{1}}},
		{{Name: "about", Data: []float64{1}}},
	} {
		if err := Write(io.Discard, withAbout(npzLines, list)); err == nil {
			t.Errorf("%v is written", list)
		}
	}
}

// TestNumPy reads an archive with NumPy if it is installed.
func TestNumPy(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil || exec.Command(python, "-c", "import numpy").Run() != nil {
		t.Skip("NumPy is not installed")
	}
	path := filepath.Join(t.TempDir(), "a.npz")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := Write(file, withAbout(npzLines, npzArrays)); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(python, "-c", `import numpy, sys
a = numpy.load(sys.argv[1])
print(a["layer.0.mean"].shape, a["layer.0.mean"][1, 2], a["noise"], a["none"].shape, a["scalar"].shape)
print(ascii(a["about"].tolist()))`,
		path).CombinedOutput()
	want := "(2, 3) 3.141592653589793 [nan] (0, 4) ()\n" + `['\u03bc of q(f)', '', 'missing']` + "\n"
	if err != nil || string(out) != want {
		t.Errorf("%v: %s", err, out)
	}
}

// shortWriter fails after some bytes.
type shortWriter struct{ left int }

func (w *shortWriter) Write(p []byte) (int, error) {
	if w.left < len(p) {
		return w.left, io.ErrShortWrite
	}
	w.left -= len(p)
	return len(p), nil
}

// Each error of the writer is returned, early in the file or late.
func TestWriteNPZErrors(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector makes compression slow")
	}
	random := rand.New(rand.NewPCG(1, 2))
	var noise []float64
	for range 1 << 15 {
		noise = append(noise, random.Float64()) // cannot be compressed
	}
	arrays := []Array{{Name: "a", Shape: []int{1 << 15}, Data: noise}, npzArrays[0], npzArrays[3]}
	about := make([]string, 20000)
	for i := range about {
		about[i] = strconv.Itoa(random.IntN(1e9))
	}
	arrays = withAbout(about, arrays)
	var whole bytes.Buffer
	if err := Write(&whole, arrays); err != nil {
		t.Fatal(err)
	}
	for n := 0; n < whole.Len(); n += 1 << 16 {
		if err := Write(&shortWriter{n}, arrays); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("error %v after %d bytes of %d", err, n, whole.Len())
		}
	}
}
