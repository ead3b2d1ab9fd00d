//go:build arm64 && !noasm

package fastblas

import "dgplab/models/linalg/vec"

var neon = kernels{
	name: "NEON", lanes: 4, mr: 6, nr: 8,
	gemm:            []gemmKernel{{6, gemm6NEON}, {4, gemm4NEON}, {2, gemm2NEON}},
	ofStrips:        []gemmKernel{{6, gemm6StripsNEON}, {4, gemm4StripsNEON}, {2, gemm2StripsNEON}},
	trmm:            [2]triangularKernel{trmmLowerNEON, trmmUpperNEON},
	trsm:            [2]triangularKernel{trsmLowerNEON, trsmUpperNEON},
	copyRows:        copyRowsNEON,
	transpose:       transposeNEON,
	scaleRows:       scaleRowsNEON,
	dotStrips:       dotStripsNEON,
	addScaledStrips: addScaledStripsNEON,
}

// kernelsOf returns the kernels for an instruction set, or nil for PlainGo.
func kernelsOf(set vec.InstructionSet) *kernels {
	if set == vec.NEON {
		return &neon
	}
	return nil
}
