package session

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
)

// purpose identifies a use of random numbers in a run. Each purpose has its own stream: more
// frequent validation, for example, does not change the training.
type purpose string

const (
	purposeModel          purpose = "model"           // all random numbers of the model
	purposeHoldOut        purpose = "hold-out"        // choice of the validation split
	purposeValidationRows purpose = "validation-rows" // choice of the validation points of an evaluation
	purposeValidation     purpose = "validation"      // draws of a validation
	purposeTest           purpose = "test"            // draws of an evaluation on the test set
	// draws of an evaluation of the objective over all points
	purposeObjective purpose = "objective"
	purposeLayers    purpose = "layers"   // draws of the layer diagnostics
	purposePlane     purpose = "plane"    // draws and points of predictions over the plane of two inputs
	purposeFit       purpose = "fit"      // draws and points of predictions along the inputs
	purposeDistance  purpose = "distance" // choice of training inputs for distances
)

// derive returns the seed of a stream: the first eight bytes (little-endian) of SHA-256 over the
// text "dgplab/1 PURPOSE SEED INDEX". index is a step or the number of a chunk. Each stream is used
// once, so checkpoints need no generator state.
func derive(seed uint64, p purpose, index int) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "dgplab/1 %s %d %d", p, seed, index))
	return binary.LittleEndian.Uint64(sum[:8])
}

// subset returns k distinct indices below n in random order, or all indices in ascending order if k
// is 0 or at least n.
func subset(n, k int, seed uint64) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	if k == 0 || k >= n {
		return rows
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	for i := range k {
		j := i + rng.IntN(n-i)
		rows[i], rows[j] = rows[j], rows[i]
	}
	return rows[:k]
}
