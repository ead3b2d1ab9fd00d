package gprn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/random"
)

// startSweeps is the number of sweeps after which starts are compared.
const startSweeps = 5

// startShare is the variance of a weight function at the start, as a share of its
// prior's.
const startShare = 0.1

// begin takes the best of several starts by the bound at the hyperparameters that
// there are: the first has constant weights, the principal directions of the targets,
// the others constant weights that are drawn from the prior. It returns what is to be
// said of it, "" for one start.
func (m *network) begin(starts int, seed uint64) (note string, err error) {
	m.latent.refresh()
	m.weight.refresh()
	best, bounds := 0, make([]float64, starts)
	var precision, linear []float64
	for k := range starts {
		m.startWeights(k, random.Stream(seed, "start", uint64(k)))
		for range startSweeps {
			if err := m.sweep(); err != nil {
				return "", err
			}
		}
		bounds[k] = m.bound()
		if k == 0 || bounds[k] > bounds[best] {
			best = k
			precision, linear = append(precision[:0], m.precision...), append(linear[:0], m.linear...)
		}
	}
	copy(m.precision, precision)
	copy(m.linear, linear)
	return startNote(best, bounds, fmt.Sprintf("%d sweeps", startSweeps)), m.refresh()
}

// startNote says which start was taken, by the bounds after so much.
func startNote(best int, bounds []float64, after string) string {
	if len(bounds) == 1 {
		return ""
	}
	list := make([]string, len(bounds))
	for k, b := range bounds {
		list[k] = fmt.Sprintf("%.6g", b)
	}
	return fmt.Sprintf("start %d of %d is taken: after %s the ELBOs are %s", best+1, len(bounds), after, strings.Join(list, ", "))
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
