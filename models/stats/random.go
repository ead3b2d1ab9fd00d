package stats

import (
	"hash/fnv"
	"math/rand/v2"
)

// Stream returns the generator with the given seed, purpose and index. Generators that differ in
// any of them are independent for all practical purposes.
func Stream(seed uint64, purpose string, index uint64) *rand.Rand {
	return NewStreams(seed, purpose).At(index)
}

// Streams provides the streams of one seed and purpose, one at a time.
type Streams struct {
	name   uint64
	source *rand.PCG
	stream *rand.Rand
}

// NewStreams returns the streams of the given seed and purpose.
func NewStreams(seed uint64, purpose string) *Streams {
	h := fnv.New64a()
	h.Write([]byte(purpose))
	source := new(rand.PCG)
	return &Streams{name: mix(seed ^ mix(h.Sum64())), source: source, stream: rand.New(source)}
}

// At returns the stream with the given index; it equals the result of Stream. It is valid until the
// next call. At does not allocate.
func (s *Streams) At(index uint64) *rand.Rand {
	s.source.Seed(s.name, mix(index+1))
	return s.stream
}

// mix spreads the bits of x with the finaliser of SplitMix64 (Steele, Lea, Flood, "Fast splittable
// pseudorandom number generators", 2014).
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
