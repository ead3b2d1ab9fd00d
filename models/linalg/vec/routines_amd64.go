//go:build amd64 && !noasm

package vec

import "dgplab/models/linalg/internal/instructions"

type rowRoutine = func(n, dims, stride int, dst, x, z, scale *float64, variance float64)

var avx512 = routines{
	exp: expAVX512, log: logAVX512,
	addMul: addMulAVX512, subMul: subMulAVX512, mul: mulAVX512, colDots: colDotsAVX512,
	rows:     [4]rowRoutine{distanceRowAVX512, rbfRowAVX512, matern32RowAVX512, matern52RowAVX512},
	weighted: weightedAVX512, weightedInto: weightedIntoAVX512,
}

var avx2 = routines{
	exp: expAVX2, log: logAVX2,
	addMul: addMulAVX2, subMul: subMulAVX2, mul: mulAVX2, colDots: colDotsAVX2,
	rows:     [4]rowRoutine{distanceRowAVX2, rbfRowAVX2, matern32RowAVX2, matern52RowAVX2},
	weighted: weightedAVX2, weightedInto: weightedIntoAVX2,
}

// routinesOf returns the routines for an instruction set, nil for None.
func routinesOf(set instructions.Set) *routines {
	switch set {
	case instructions.AVX512:
		return &avx512
	case instructions.AVX2:
		return &avx2
	}
	return nil
}
