//go:build amd64 && !noasm

package fastblas

import "dgplab/models/linalg/vec"

var avx512 = kernels{
	name: "AVX512", lanes: 8, mr: 12, nr: 16,
	gemm:            []gemmKernel{{12, gemm12AVX512}, {8, gemm8AVX512}, {4, gemm4AVX512}},
	ofStrips:        []gemmKernel{{12, gemm12StripsAVX512}, {8, gemm8StripsAVX512}, {4, gemm4StripsAVX512}},
	trmm:            [2]triangularKernel{trmmLowerAVX512, trmmUpperAVX512},
	trsm:            [2]triangularKernel{trsmLowerAVX512, trsmUpperAVX512},
	copyRows:        copyRowsAVX512,
	transpose:       transposeAVX512,
	scaleRows:       scaleRowsAVX512,
	dotStrips:       dotStripsAVX512,
	addScaledStrips: addScaledStripsAVX512,
}

var avx2 = kernels{
	name: "AVX2", lanes: 4, mr: 6, nr: 8,
	gemm:            []gemmKernel{{6, gemm6AVX2}, {4, gemm4AVX2}, {2, gemm2AVX2}},
	ofStrips:        []gemmKernel{{6, gemm6StripsAVX2}, {4, gemm4StripsAVX2}, {2, gemm2StripsAVX2}},
	trmm:            [2]triangularKernel{trmmLowerAVX2, trmmUpperAVX2},
	trsm:            [2]triangularKernel{trsmLowerAVX2, trsmUpperAVX2},
	copyRows:        copyRowsAVX2,
	transpose:       transposeAVX2,
	scaleRows:       scaleRowsAVX2,
	dotStrips:       dotStripsAVX2,
	addScaledStrips: addScaledStripsAVX2,
}

// kernelsOf returns the kernels for an instruction set, or nil for PlainGo.
func kernelsOf(set vec.InstructionSet) *kernels {
	switch set {
	case vec.AVX512:
		return &avx512
	case vec.AVX2:
		return &avx2
	}
	return nil
}
