//go:build amd64 && !noasm

package fastblas

import "golang.org/x/sys/cpu"

var avx512 = kernels{
	name: "AVX512", lanes: 8, mr: 12, nr: 16,
	gemm:      []gemmKernel{{12, gemm12AVX512}, {8, gemm8AVX512}, {4, gemm4AVX512}},
	trmm:      [2]triangularKernel{trmmLowerAVX512, trmmUpperAVX512},
	trsm:      [2]triangularKernel{trsmLowerAVX512, trsmUpperAVX512},
	copyRows:  copyRowsAVX512,
	transpose: transposeAVX512,
}

var avx2 = kernels{
	name: "AVX2", lanes: 4, mr: 6, nr: 8,
	gemm:      []gemmKernel{{6, gemm6AVX2}, {4, gemm4AVX2}, {2, gemm2AVX2}},
	trmm:      [2]triangularKernel{trmmLowerAVX2, trmmUpperAVX2},
	trsm:      [2]triangularKernel{trsmLowerAVX2, trsmUpperAVX2},
	copyRows:  copyRowsAVX2,
	transpose: transposeAVX2,
}

// supported returns the kernels that this machine can run, the best first.
func supported() []*kernels {
	var list []*kernels
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL {
		list = append(list, &avx512)
	}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		list = append(list, &avx2)
	}
	return list
}

func detect() *kernels {
	for _, k := range supported() {
		return k
	}
	return nil
}
