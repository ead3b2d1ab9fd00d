package datasets

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
)

// stream returns the random stream for a seed and a purpose, for example (3, "interpolation").
// Streams with different seeds or purposes are independent.
func stream(seed uint64, purpose string) *rand.Rand {
	text := binary.LittleEndian.AppendUint64([]byte("dgplab/datasets/"+purpose+"/"), seed)
	sum := sha256.Sum256(text)
	return rand.New(rand.NewPCG(
		binary.LittleEndian.Uint64(sum[0:8]),
		binary.LittleEndian.Uint64(sum[8:16]),
	))
}

// uniform returns a draw from the interval [lo, hi).
func uniform(rng *rand.Rand, lo, hi float64) float64 {
	return lo + (hi-lo)*rng.Float64()
}
