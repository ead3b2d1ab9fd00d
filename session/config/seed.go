package config

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
)

// Derive returns the seed of a stream of random numbers: the first eight bytes (little-endian) of SHA-256
// over the text "dgplab/1 PURPOSE SEED INDEX". seed is the seed of the run, and index is a step or the number
// of a chunk. Each purpose has its own streams, so that more frequent validation, for example, does not
// change the training. Each stream is used only once, so checkpoints need no generator state.
func Derive(seed uint64, purpose string, index int) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "dgplab/1 %s %d %d", purpose, seed, index))
	return binary.LittleEndian.Uint64(sum[:8])
}

// Subset returns k distinct indices below n in random order, or all indices in ascending order if k
// is 0 or at least n.
func Subset(n, k int, seed uint64) []int {
	if k == 0 || k >= n {
		k = n
	}
	rows := make([]int, k)
	for i := range rows {
		rows[i] = i
	}
	if k == n {
		return rows
	}
	// Swap the first k of all n indices with random later ones. Indices from k on are stored when they move.
	rng := rand.New(rand.NewPCG(seed, 0))
	moved := map[int]int{}
	for i := range k {
		j := i + rng.IntN(n-i)
		if j < k {
			rows[i], rows[j] = rows[j], rows[i]
			continue
		}
		there, ok := moved[j]
		if !ok {
			there = j
		}
		moved[j] = rows[i]
		rows[i] = there
	}
	return rows
}
