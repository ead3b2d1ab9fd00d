package linalg

import (
	"testing"

	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/linalg/fastblas"
)

func TestKernelsAreRegistered(t *testing.T) {
	_, registered := blas64.Implementation().(fastblas.Implementation)
	if want := Kernels() != "gonum"; registered != want {
		t.Errorf("with kernels %q, fastblas registered: %v", Kernels(), registered)
	}
}
