package golden

import (
	"encoding/binary"
	"math"
	"testing"
)

// Decoder turns fuzz input into numbers, many of them awkward.
type Decoder struct{ Data []byte }

// Byte returns the next byte, or 0 at the end.
func (d *Decoder) Byte() byte {
	if len(d.Data) == 0 {
		return 0
	}
	b := d.Data[0]
	d.Data = d.Data[1:]
	return b
}

var awkward = []float64{
	math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 1, -1, 1e-300, 5e-324, -5e-324,
	math.MaxFloat64, -math.MaxFloat64, 1e15, 999.96, 1e-9, 0.1,
}

// Float returns a number, often one that is not finite or extreme.
func (d *Decoder) Float() float64 {
	b := d.Byte()
	switch {
	case b < 64:
		return awkward[int(b)%len(awkward)]
	case b < 128 && len(d.Data) >= 8:
		v := math.Float64frombits(binary.LittleEndian.Uint64(d.Data))
		d.Data = d.Data[8:]
		return v
	default:
		return float64(int8(d.Byte())) * math.Pow(10, float64(int(b)%9-4))
	}
}

// Floats returns at most the given number of numbers.
func (d *Decoder) Floats(most int) []float64 {
	n := min(int(d.Byte()), most, len(d.Data))
	var out []float64
	for range n {
		out = append(out, d.Float())
	}
	return out
}

// Text returns a short string of arbitrary bytes.
func (d *Decoder) Text() string {
	n := min(int(d.Byte()%24), len(d.Data))
	s := string(d.Data[:n])
	d.Data = d.Data[n:]
	return s
}

// Seeds adds the corpus that all targets share.
func Seeds(f *testing.F) {
	f.Add([]byte{}, uint8(20), uint8(8))
	f.Add([]byte("\x03\x02ab\x10\x00\x01\x02\x03\x80\x05\x81\x09\xc0\x11\xff\x40\x41\x42"),
		uint8(60), uint8(20))
	f.Add([]byte("\x01\x0c\xf0\x9f\x87\xa9\xf0\x9f\x87\xaa\xe1\x84\x80\x30\x0a\x0b\x0a\x0b"),
		uint8(33), uint8(9))
	f.Add([]byte{255, 7, 99, 10, 11, 12, 13, 14, 15, 200, 201, 202, 203, 204, 205, 206, 207},
		uint8(1), uint8(1))
	f.Add([]byte{2, 3, 1, 4, 5, 130, 7, 140, 9, 150, 11, 160, 13, 170, 15, 180, 17, 0, 0, 0, 1, 1, 2, 2},
		uint8(120), uint8(5))
}
