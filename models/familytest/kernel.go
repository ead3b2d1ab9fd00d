package familytest

import (
	"testing"

	"dgplab/models/autodiff"
	"dgplab/models/kernel"
)

// Kernel parses text, with "&" between the kernels of different GPs, and returns its kernel for d inputs.
func Kernel(t testing.TB, text string, d int) kernel.Kernel {
	t.Helper()
	k, err := kernel.ParseEach(text)
	if err == nil {
		k, err = k.Bind(d, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// KernelNodes returns the parameters of a covariance with assembly.
func KernelNodes(t testing.TB, c *kernel.Covariance) (lengthscales, variance *autodiff.Node) {
	t.Helper()
	_, lengthscales, variance, is := c.Simple()
	if !is {
		t.Fatalf("%v has no assembly", c.Kernel)
	}
	return lengthscales, variance
}
