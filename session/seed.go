package session

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
)

// purpose names one use of random numbers in a run. Each has its own stream, so
// that, for example, validating more often does not change the training.
type purpose string

const (
	purposeModel          purpose = "model"           // everything inside the model
	purposeHoldOut        purpose = "hold-out"        // which rows are held out for validation
	purposeValidationRows purpose = "validation-rows" // which validation points one evaluation uses
	purposeValidation     purpose = "validation"      // draws of a validation evaluation
	purposeTest           purpose = "test"            // draws of the evaluation on the test part
	// draws of an evaluation of the objective over all points
	purposeObjective purpose = "objective"
	purposeLayers    purpose = "layers"   // draws of the per-layer diagnostics
	purposePlane     purpose = "plane"    // draws and points of predictions over the plane of two inputs
	purposeFit       purpose = "fit"      // draws and points of predictions along the inputs
	purposeDistance  purpose = "distance" // which training inputs distances are measured to
)

// derive returns the seed of one stream: the first eight bytes (little-endian)
// of SHA-256 over the text "dgplab/1 PURPOSE SEED INDEX". Index is a step or the
// number of a chunk. No stream has a state that outlives its use, so nothing of
// it is part of a checkpoint.
func derive(seed uint64, p purpose, index int) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "dgplab/1 %s %d %d", p, seed, index))
	return binary.LittleEndian.Uint64(sum[:8])
}

// subset returns k different indices below n, in the order in which they were
// drawn; all of them in ascending order when k is 0 or at least n.
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
