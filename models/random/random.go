// Package random is where random numbers come from: streams that are named by a
// seed, a purpose and an index. A stream has no state worth saving, so that a
// run resumed at a step draws what an uninterrupted one draws there, and
// evaluating something never disturbs training.
package random

import (
	"hash/fnv"
	"math/rand/v2"
)

// Stream returns the generator of that name. Streams of different names are
// independent for all practical purposes.
func Stream(seed uint64, purpose string, index uint64) *rand.Rand {
	return NewStreams(seed, purpose).At(index)
}

// Streams are the streams of one seed and purpose, one at a time.
type Streams struct {
	name   uint64
	source *rand.PCG
	stream *rand.Rand
}

// NewStreams returns the streams of that seed and purpose.
func NewStreams(seed uint64, purpose string) *Streams {
	h := fnv.New64a()
	h.Write([]byte(purpose))
	source := new(rand.PCG)
	return &Streams{name: mix(seed ^ mix(h.Sum64())), source: source, stream: rand.New(source)}
}

// At returns the stream of that index, the same as Stream does, until the next call. It
// allocates nothing.
func (s *Streams) At(index uint64) *rand.Rand {
	s.source.Seed(s.name, mix(index+1))
	return s.stream
}

// mix spreads the bits of x: the finaliser of SplitMix64 (Steele, Lea, Flood,
// "Fast splittable pseudorandom number generators", 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Normals fills dst with standard normal draws.
func Normals(dst []float64, r *rand.Rand) {
	for i := range dst {
		dst[i] = r.NormFloat64()
	}
}
