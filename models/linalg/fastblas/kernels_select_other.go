//go:build !amd64 || noasm

package fastblas

// supported returns no kernels: gonum's methods do the work.
func supported() []*kernels { return nil }

func detect() *kernels { return nil }
