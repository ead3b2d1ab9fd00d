package config

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
)

// Derive returns the seed of a stream of random numbers: the first eight bytes (little-endian) of SHA-256
// over the text "dgplab/1 PURPOSE SEED INDEX". seed is the seed of the run, and index is a step or the number
// of a chunk. Each purpose has its own streams, so that more frequent validation, for example, does not
// change the training. Each stream is used only once, so checkpoints need no generator state.
func Derive(seed uint64, purpose string, index int) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "dgplab/1 %s %d %d", purpose, seed, index))
	return binary.LittleEndian.Uint64(sum[:8])
}
