package session

import (
	"archive/zip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"dgplab/models/family"
)

const (
	npyMagic = "\x93NUMPY\x01\x00"
	// npyAlignment is the alignment of the data in bytes: the magic string and the header are padded to a
	// multiple of it.
	npyAlignment = 64
)

// npyAbout is the name of the array with lines of text.
const npyAbout = "about"

// writeNPZ writes lines of text and arrays, in this order, as a NumPy NPZ file: a ZIP archive of arrays in
// the NPY format, version 1.0. Numbers are little-endian float64 in C order. The same arguments give the same
// bytes. It returns an error if a shape does not fit its data or a name occurs twice. See
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html.
func writeNPZ(w io.Writer, about []string, arrays []family.Tensor) error {
	z := zip.NewWriter(w)
	width, text := npyText(about)
	if err := writeNPY(z, npyAbout, fmt.Sprintf("<U%d", width), []int{len(about)}, text); err != nil {
		return err
	}
	seen := map[string]bool{npyAbout: true}
	for _, a := range arrays {
		if arraySize(a.Shape) != len(a.Data) || seen[a.Name] {
			return fmt.Errorf("array %s: shape %v with %d values, or a second array of this name",
				a.Name, a.Shape, len(a.Data))
		}
		seen[a.Name] = true
		if err := writeNPY(z, a.Name, "<f8", a.Shape, a.Data); err != nil {
			return err
		}
	}
	return z.Close()
}

// writeNPY writes an array whose element type is given in NumPy's notation.
func writeNPY(z *zip.Writer, name, kind string, shape []int, data any) error {
	out, err := z.CreateHeader(&zip.FileHeader{Name: name + ".npy", Method: zip.Deflate})
	if err != nil {
		return err
	}
	_, err = io.WriteString(out, npyHeader(kind, shape))
	return errors.Join(err, binary.Write(out, binary.LittleEndian, data))
}

// npyText returns the length of the longest line, and the lines padded to it with zeros.
func npyText(lines []string) (width int, padded []rune) {
	width = 1
	for _, line := range lines {
		width = max(width, utf8.RuneCountInString(line))
	}
	for _, line := range lines {
		text := []rune(line)
		padded = append(padded, text...)
		padded = append(padded, make([]rune, width-len(text))...)
	}
	return width, padded
}

// arraySize returns the number of values of an array.
func arraySize(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

// npyHeader returns the beginning of an NPY file: the magic string, the length of the description, and the
// description, a Python literal padded with blanks.
func npyHeader(kind string, shape []int) string {
	var tuple strings.Builder
	for _, d := range shape {
		tuple.WriteString(strconv.Itoa(d) + ", ")
	}
	text := "{'descr': '" + kind + "', 'fortran_order': False, 'shape': (" +
		strings.TrimSuffix(tuple.String(), " ") + "), }"
	used := len(npyMagic) + 2 + len(text) + 1
	text += strings.Repeat(" ", (npyAlignment-used%npyAlignment)%npyAlignment) + "\n"
	return npyMagic + string(binary.LittleEndian.AppendUint16(nil, uint16(len(text)))) + text
}
