package datasets

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"io"
	"math"
	"slices"
)

// Checksum computes a SHA-256 over numbers as little-endian float64 values.
type Checksum struct {
	hash   hash.Hash
	values int
	raw    []byte
}

// NewChecksum returns a checksum of no numbers.
func NewChecksum() *Checksum { return &Checksum{hash: sha256.New()} }

// Add adds numbers.
func (c *Checksum) Add(list []float64) {
	c.raw = c.raw[:0]
	for _, v := range list {
		c.raw = binary.LittleEndian.AppendUint64(c.raw, math.Float64bits(v))
	}
	c.values += len(list)
	c.hash.Write(c.raw)
}

// String returns the checksum in hexadecimal, or "" if nothing was added.
func (c *Checksum) String() string {
	if c.values == 0 {
		return ""
	}
	return hex.EncodeToString(c.hash.Sum(nil))
}

// checksum returns the checksum of a part in original units without missing values: the inputs, row by row,
// and then the targets.
func (ds *Dataset) checksum(part Part) string {
	c := NewChecksum()
	var seen []float64
	for _, row := range part.Rows {
		seen = seen[:0]
		for _, v := range ds.X.RawRowView(row) {
			if !math.IsNaN(v) {
				seen = append(seen, v)
			}
		}
		c.Add(seen)
	}
	for i, row := range part.Rows {
		seen = seen[:0]
		for j, v := range ds.Y.RawRowView(row) {
			if !math.IsNaN(part.Y.At(i, j)) {
				seen = append(seen, v)
			}
		}
		c.Add(seen)
	}
	return c.String()
}

// ContentSHA256 returns the checksum of all rows with their known noise and weights, and of the names of
// inputs and targets. Missing values count as such.
func (ds *Dataset) ContentSHA256() string {
	c := NewChecksum()
	for _, name := range slices.Concat(ds.Inputs, []string{""}, ds.Targets) {
		_, _ = io.WriteString(c.hash, name+"\n")
	}
	n, _ := ds.X.Dims()
	for i := range n {
		c.Add(ds.X.RawRowView(i))
		c.Add(ds.Y.RawRowView(i))
	}
	c.Add(ds.Noise)
	c.Add(ds.Weights)
	return c.String()
}
