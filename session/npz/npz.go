// Package npz writes arrays for NumPy.
package npz

import (
	"archive/zip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	npyMagic = "\x93NUMPY\x01\x00"
	// npyAlignment is the alignment of the data in bytes: the magic string and the header are padded to a
	// multiple of it.
	npyAlignment = 64
)

// Array is a named array of numbers, or of lines of text.
type Array struct {
	Name string
	// Shape and Data hold numbers in C order. They are nil for text.
	Shape []int
	Data  []float64
	// Text holds lines of text, which have the shape of a list.
	Text []string
}

// mostText bounds the number of characters of an array of text, whose lines are padded to equal length.
const mostText = 1 << 28

// Write writes arrays, in their order, as a NumPy NPZ file: a ZIP archive of arrays in the NPY format,
// version 1.0. Numbers are little-endian float64 in C order. The same arguments give the same bytes. It
// returns an error if a shape does not fit its data or a name occurs twice. See
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html.
func Write(w io.Writer, arrays []Array) error {
	z := zip.NewWriter(w)
	seen := map[string]bool{}
	for _, a := range arrays {
		kind, shape := "<f8", a.Shape
		var data any = a.Data
		if a.Text != nil {
			width := longest(a.Text)
			if width > mostText/max(1, len(a.Text)) {
				return fmt.Errorf("array %s: %d lines of up to %d characters are too long", a.Name,
					len(a.Text), width)
			}
			kind, shape = fmt.Sprintf("<U%d", width), []int{len(a.Text)}
			data = padded(a.Text, width)
		}
		if a.Text == nil && size(shape) != len(a.Data) || seen[a.Name] {
			return fmt.Errorf("array %s: shape %v with %d values, or a second array of this name",
				a.Name, a.Shape, len(a.Data))
		}
		seen[a.Name] = true
		if err := writeArray(z, a.Name, kind, shape, data); err != nil {
			return err
		}
	}
	return z.Close()
}

// writeArray writes an array whose element type is given in NumPy's notation.
func writeArray(z *zip.Writer, name, kind string, shape []int, data any) error {
	out, err := z.CreateHeader(&zip.FileHeader{Name: name + ".npy", Method: zip.Deflate})
	if err != nil {
		return err
	}
	_, err = io.WriteString(out, header(kind, shape))
	return errors.Join(err, binary.Write(out, binary.LittleEndian, data))
}

// longest returns the number of characters of the longest line, at least 1.
func longest(lines []string) int {
	width := 1
	for _, line := range lines {
		width = max(width, utf8.RuneCountInString(line))
	}
	return width
}

// padded returns the lines, each padded with zeros to the given width.
func padded(lines []string, width int) (out []rune) {
	for _, line := range lines {
		text := []rune(line)
		out = append(out, text...)
		out = append(out, make([]rune, width-len(text))...)
	}
	return out
}

// size returns the number of values of an array.
func size(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

// header returns the beginning of an NPY file: the magic string, the length of the description, and the
// description, a Python literal padded with blanks.
func header(kind string, shape []int) string {
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
