package session

import (
	"archive/zip"
	"encoding/binary"
	"fmt"
	"io"
	"strconv"
	"strings"

	"dgplab/models/family"
)

const (
	npyMagic = "\x93NUMPY\x01\x00"
	// npyAlignment is the size in bytes that the magic string and the header are padded to.
	npyAlignment = 64
)

// writeNPZ writes arrays as an NPZ file of NumPy: a ZIP archive of arrays in the NPY format, version
// 1.0, as little-endian float64 in C order. The same arrays give the same bytes.
// It returns an error if a shape does not fit its data or a name occurs twice.
// See https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html.
func writeNPZ(w io.Writer, arrays []family.Tensor) error {
	z := zip.NewWriter(w)
	seen := map[string]bool{}
	for _, a := range arrays {
		if arraySize(a.Shape) != len(a.Data) || seen[a.Name] {
			return fmt.Errorf("array %s: shape %v with %d values, or a second array of this name",
				a.Name, a.Shape, len(a.Data))
		}
		seen[a.Name] = true
		out, err := z.CreateHeader(&zip.FileHeader{Name: a.Name + ".npy", Method: zip.Deflate})
		if err != nil {
			return err
		}
		if _, err := io.WriteString(out, npyHeader(a.Shape)); err != nil {
			return err
		}
		if err := binary.Write(out, binary.LittleEndian, a.Data); err != nil {
			return err
		}
	}
	return z.Close()
}

// arraySize returns the number of values of an array.
func arraySize(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

// npyHeader returns the beginning of an NPY file: the magic string, the length of the description and
// the description, a literal of Python padded by blanks.
func npyHeader(shape []int) string {
	var tuple strings.Builder
	for _, d := range shape {
		tuple.WriteString(strconv.Itoa(d) + ", ")
	}
	text := "{'descr': '<f8', 'fortran_order': False, 'shape': (" +
		strings.TrimSuffix(tuple.String(), " ") + "), }"
	used := len(npyMagic) + 2 + len(text) + 1
	text += strings.Repeat(" ", (npyAlignment-used%npyAlignment)%npyAlignment) + "\n"
	return npyMagic + string(binary.LittleEndian.AppendUint16(nil, uint16(len(text)))) + text
}
