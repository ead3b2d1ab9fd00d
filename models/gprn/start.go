package gprn

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/param"
	"dgplab/models/random"
)

// startSweeps is the number of sweeps after which starts are compared.
const startSweeps = 5

// startShare is the variance of a weight function at the start, as a share of its
// prior's.
const startShare = 0.1

// starts is how training begins: each of the first steps tries a starting point, and
// leaves the best so far by the bound, at the hyperparameters that there are. The first
// starting point has constant weights, the principal directions of the targets, the others
// constant weights that are drawn from the prior.
type starts struct {
	seed   uint64
	bounds []float64 // of those that were tried
	after  string    // how much of training they stand for
}

// newStarts returns so many starts, none of them tried.
func newStarts(count int, seed uint64, after string) *starts {
	return &starts{seed: seed, bounds: make([]float64, count), after: after}
}

// count returns how many steps there are for them.
func (s *starts) count() uint64 { return uint64(len(s.bounds)) }

// state names what a checkpoint holds of them.
func (s *starts) state() param.Array { return param.Array{Name: "starts.bounds", Data: s.bounds} }

// stream returns what is random in start k.
func (s *starts) stream(k uint64) *rand.Rand { return random.Stream(s.seed, "start", k) }

// best returns which of the first n is the best.
func (s *starts) best(n uint64) (best int) {
	for k, b := range s.bounds[:n] {
		if b > s.bounds[best] {
			best = k
		}
	}
	return best
}

// better reports whether start k is better than those before it.
func (s *starts) better(k uint64, bound float64) bool {
	return k == 0 || bound > s.bounds[s.best(k)]
}

// record keeps the bound of start k and returns what is to be said of it.
func (s *starts) record(k uint64, bound float64) string {
	s.bounds[k] = bound
	return fmt.Sprintf("start %d of %d, bound %.6g, best %.6g",
		k+1, len(s.bounds), bound, s.bounds[s.best(k+1)])
}

// note says which start was taken, "" as long as there is no choice.
func (s *starts) note(steps int) string {
	if len(s.bounds) == 1 || steps < len(s.bounds) {
		return ""
	}
	list := make([]string, len(s.bounds))
	for k, b := range s.bounds {
		list[k] = fmt.Sprintf("%.6g", b)
	}
	return fmt.Sprintf("start %d of %d is taken: after %s the bounds are %s",
		s.best(s.count())+1, len(list), s.after, strings.Join(list, ", "))
}

// begin goes to starting point k and takes the first sweeps from there.
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

// startWeights makes all weight functions constant and all latent functions zero.
func (m *network) startWeights(k int, rng *rand.Rand) {
	variance := m.weight.variance[0]
	directions := m.directions(m.q, k == 0, m.latent.variance[0], variance, rng)
	for at, w := range m.w {
		fill(w.mean, directions[at])
		fill(w.variance, startShare*variance)
	}
	for _, f := range m.f {
		clear(f.mean)
	}
}

// directions returns constant weights [P][Q], drawn from a prior of that variance, or the
// principal directions of the targets as far as there are any.
func (d *data) directions(q int, principal bool, latent, variance float64, rng *rand.Rand) []float64 {
	list := make([]float64, d.p*q)
	for at := range list {
		list[at] = math.Sqrt(variance) * rng.NormFloat64()
	}
	if principal {
		d.principal(list, q, latent)
	}
	return list
}

// principal sets the first columns of directions [P][Q] to the principal directions of
// the targets, as long as their standard deviations in units of that of a latent
// function. Directions without variance stay.
func (d *data) principal(directions []float64, q int, latent float64) {
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
		length := math.Sqrt(values[column] / latent)
		for i := range d.p {
			directions[i*q+j] = length * vectors.At(i, column)
		}
	}
}

// secondMoment returns the mean product of two outputs over the points where both were
// observed.
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
