package family

import (
	"math"
	"strings"

	"dgplab/models/kernel"
	"dgplab/models/view"
)

// Parts returns the functions whose prior covariances are k along the column with the shortest
// lengthscale. If k is a sum, it returns them along all columns, together with the terms of the sum and
// their shares of the prior variance at the inputs x, [D][P]. along returns the parts of the functions
// with a given covariance along a line, one for each function. If the functions have different kernels,
// each has its own terms.
func (d Data) Parts(
	k *kernel.Covariance, x []float64, along func(k *kernel.Covariance, line view.Line) *view.Functions,
) *view.Functions {
	terms := k.Terms()
	lines := d.Lines(shortest(k))
	if terms == nil {
		return along(k, lines[0])
	}
	var out *view.Functions
	for _, line := range lines {
		f := along(k, line)
		for _, term := range terms {
			for i, part := range along(term, line).Items {
				gp := min(i, k.Outputs-1)
				if !term.Concerns(gp) {
					continue
				}
				part.Name = strings.Replace(part.Name, "f", term.String(), 1)
				part.Share = view.Float(term.Scale(gp, x) / k.Scale(gp, x))
				f.Items = append(f.Items, part)
			}
		}
		if out == nil {
			out = f
		} else {
			out.Others = append(out.Others, *f)
		}
	}
	return out
}

// shortest returns the shortest lengthscale of all GPs along each input, [D].
func shortest(k *kernel.Covariance) []float64 {
	lengths := k.Lengths(0)
	for t := range k.Outputs {
		for d, l := range k.Lengths(t) {
			lengths[d] = math.Min(lengths[d], l)
		}
	}
	return lengths
}
