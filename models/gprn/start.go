package gprn

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/param"
	"dgplab/models/stats"
)

// startSweeps is the number of sweeps from each starting point before starting points are compared.
const startSweeps = 5

// startShare is the initial variance of a weight function, relative to its prior.
const startShare = 0.1

// starts tracks the starting points. Each of the first steps tries one, with the initial
// hyperparameters, and keeps the starting point with the highest bound so far. All weights start
// constant: at the principal directions of the targets in the first starting point, and at draws
// from the prior in the others.
type starts struct {
	seed   uint64
	bounds []float64 // bounds of the starting points tried
	after  string    // amount of training before the comparison, for display
}

// newStarts returns the given number of untried starts.
func newStarts(count int, seed uint64, after string) *starts {
	return &starts{seed: seed, bounds: make([]float64, count), after: after}
}

// count returns the number of steps that try starting points.
func (s *starts) count() uint64 { return uint64(len(s.bounds)) }

// state returns the checkpointed state.
func (s *starts) state() param.Array { return param.Array{Name: "starts.bounds", Data: s.bounds} }

// stream returns the random stream of start k.
func (s *starts) stream(k uint64) *rand.Rand { return stats.Stream(s.seed, "start", k) }

// best returns the index of the best of the first n starts.
func (s *starts) best(n uint64) (best int) {
	for k, b := range s.bounds[:n] {
		if b > s.bounds[best] {
			best = k
		}
	}
	return best
}

// better reports whether start k is better than all earlier ones.
func (s *starts) better(k uint64, bound float64) bool {
	return k == 0 || bound > s.bounds[s.best(k)]
}

// record stores the bound of start k and returns a summary.
func (s *starts) record(k uint64, bound float64) string {
	s.bounds[k] = bound
	return fmt.Sprintf("start %d of %d, bound %.6g, best %.6g",
		k+1, len(s.bounds), bound, s.bounds[s.best(k+1)])
}

// note returns a note on the selected start, or "" if there is only one or not all have been tried.
func (s *starts) note(steps int) string {
	if len(s.bounds) == 1 || steps < len(s.bounds) {
		return ""
	}
	list := make([]string, len(s.bounds))
	for k, b := range s.bounds {
		list[k] = fmt.Sprintf("%.6g", b)
	}
	return fmt.Sprintf("start %d of %d selected: after %s the bounds are %s",
		s.best(s.count())+1, len(list), s.after, strings.Join(list, ", "))
}

// begin sets starting point k and runs the first sweeps.
func (m *network) begin(ctx context.Context, k int, rng *rand.Rand) error {
	m.startWeights(k, rng)
	for range startSweeps {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := m.sweep(); err != nil {
			return err
		}
	}
	return nil
}

// startWeights sets all weight functions to constants and all latent functions to zero.
func (m *network) startWeights(k int, rng *rand.Rand) {
	variance := m.weight.scale()
	directions := m.directions(m.q, k == 0, m.latentScales(), variance, rng)
	for at, w := range m.w {
		fill(w.mean, directions[at])
		fill(w.variance, startShare*variance)
	}
	for _, f := range m.f {
		clear(f.mean)
	}
}

// directions returns constant weights [P][Q], drawn from a prior with the given variance. If
// principal is set, the first columns are the principal directions of the targets. latent holds the prior
// variance of each latent function.
func (d *data) directions(
	q int, principal bool, latent []float64, variance float64, rng *rand.Rand,
) []float64 {
	list := make([]float64, d.p*q)
	for at := range list {
		list[at] = math.Sqrt(variance) * rng.NormFloat64()
	}
	if principal {
		d.principal(list, q, latent)
	}
	return list
}

// principal sets the first columns of directions [P][Q] to the principal directions of the targets,
// scaled by their standard deviations relative to the standard deviations of the latent functions.
// Directions without variance are left unchanged.
func (d *data) principal(directions []float64, q int, latent []float64) {
	covariance := mat.NewSymDense(d.p, nil)
	for i := range d.p {
		for k := range i + 1 {
			covariance.SetSym(i, k, d.secondMoment(i, k))
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(covariance, true) {
		return
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	values := eigen.Values(nil) // ascending
	for j := range min(q, d.p) {
		column := d.p - 1 - j
		if !(values[column] > 1e-9*values[d.p-1]) {
			return
		}
		length := math.Sqrt(values[column] / latent[j])
		for i := range d.p {
			directions[i*q+j] = length * vectors.At(i, column)
		}
	}
}

// secondMoment returns the mean product of two outputs over the points where both are observed.
func (d *data) secondMoment(i, k int) float64 {
	a, seen := d.targets(i)
	b, also := d.targets(k)
	var sum, count float64
	for n, v := range a {
		sum += v * b[n]
		count += seen[n] * also[n]
	}
	return sum / max(1, count)
}

func fill(x []float64, v float64) {
	for i := range x {
		x[i] = v
	}
}
