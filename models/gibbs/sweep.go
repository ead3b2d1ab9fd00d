package gibbs

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/infer"
	"dgplab/models/linalg"
	"dgplab/models/param"
	"dgplab/models/sampling"
	"dgplab/models/stats"
)

// The proposal of a Metropolis step is uniform between least/most and most/least times the value, as in
// deepgp.
const least, most = 1.0, 2.0

// realStep is the largest change in a proposal for a value that may be negative, which is an offset among
// inputs in [0, 1].
const realStep = 0.5

// proposals is the mean number of proposals of a slice in the last sweep.
var proposals = infer.Reading{Key: "proposals", Name: "proposals per slice"}

// random supplies the random numbers of a sweep, in the order in which it uses them.
type random interface {
	Normals(dst []float64)
	Uniform() float64
}

// stream draws the random numbers from a generator.
type stream struct{ *rand.Rand }

func (s stream) Normals(dst []float64) { stats.Normals(dst, s.Rand) }
func (s stream) Uniform() float64      { return s.Float64() }

// sweep is a Gibbs sweep over all parameters of a joint: the nugget, the kernels of the layers from the
// targets to the inputs, then the hidden functions from the inputs to the targets. Each update uses
// the newest values of all other parameters. sweep implements infer.Method for this joint only.
type sweep struct {
	joint   *joint
	streams *stats.Streams
	origin  []float64 // free parameters before the sweep
	root    []float64 // factor of the prior covariance of the moving function, [n][n]
	gauges  []float64

	// State of the current sweep.
	random             random
	accepted, proposed int // Metropolis steps
	slices, shrinks    int // slice-sampling steps and their proposals
}

// newSweep returns the method that moves j with the random numbers of a seed.
func newSweep(j *joint, seed uint64) *sweep {
	return &sweep{joint: j, streams: stats.NewStreams(seed, "sweep"),
		origin: make([]float64, j.set.Size()), root: make([]float64, j.n()*j.n()), gauges: make([]float64, 2)}
}

// Gauges implements infer.Method.
func (*sweep) Gauges() []infer.Reading { return []infer.Reading{sampling.Acceptance, proposals} }

// State implements infer.Method. It returns nil: the position is the only state of the sampler.
func (*sweep) State() []param.Array { return nil }

// Step implements infer.Method: one sweep. The objective is the log joint after it.
func (s *sweep) Step(ctx context.Context, _ infer.Problem, step uint64) (infer.Move, error) {
	copy(s.origin, s.joint.set.Free)
	logJoint, err := s.run(ctx, stream{s.streams.At(step)})
	if err == nil {
		err = s.joint.set.Inverse()
	}
	if err != nil {
		copy(s.joint.set.Free, s.origin)
		s.joint.set.Forward()
		return infer.Move{}, err
	}
	s.joint.set.Forward() // recompute the values from the free parameters, as after a restart
	s.gauges[0] = float64(s.accepted) / float64(max(1, s.proposed))
	s.gauges[1] = float64(s.shrinks) / float64(max(1, s.slices))
	return infer.Move{Objective: logJoint, Gauges: s.gauges}, nil
}

// run performs a sweep, which moves the values of the parameters, and returns the log joint.
func (s *sweep) run(ctx context.Context, r random) (float64, error) {
	j := s.joint
	s.random = r
	s.accepted, s.proposed, s.slices, s.shrinks = 0, 0, 0, 0
	logLik, err := j.current()
	if err != nil {
		return 0, err
	}
	logLik, err = s.moveLast(logLik)
	if err != nil {
		return 0, err
	}
	for l := j.layers - 2; l >= 0; l-- {
		for i := range j.width {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			if err := s.moveKernel(l, i); err != nil {
				return 0, err
			}
		}
	}
	prior := j.logPriors()
	for l := range j.layers - 1 {
		above, err := j.above(l, j.hidden[l])
		if err != nil {
			return 0, err
		}
		for i := range j.width {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			var density float64
			above, density, err = s.moveFunction(l, i, above)
			if err != nil {
				return 0, err
			}
			prior += density
		}
		logLik = above
	}
	j.terms = [2]float64{logLik, prior}
	return logLik + prior, nil
}

// moveLast updates the nugget and the kernel of the last layer. logLik is the log-likelihood before the
// update; the result is the log-likelihood after it.
func (s *sweep) moveLast(logLik float64) (float64, error) {
	j := s.joint
	last := j.layers - 1
	inputs, width := j.below(&j.position, last)
	values := j.kernel[last][0]
	nugget := &j.nugget[0]
	if j.sampleNugget {
		var err error
		prior := value{prior: j.priors.nugget}
		logLik, err = s.metropolis(nugget, prior, logLik, func(x float64) (float64, error) {
			return j.outer(inputs, width, values, x)
		})
		if err != nil {
			return 0, err
		}
	}
	return s.moveValues(values, j.correlations[last][0], logLik, func(values []float64) (float64, error) {
		return j.outer(inputs, width, values, *nugget)
	})
}

// moveKernel updates the kernel of hidden function i of a layer.
func (s *sweep) moveKernel(layer, i int) error {
	j := s.joint
	inputs, width := j.below(&j.position, layer)
	density := func(values []float64) (float64, error) {
		return j.inner(layer, i, inputs, width, values)
	}
	values := j.kernel[layer][i]
	logLik, err := density(values)
	if err != nil {
		return err
	}
	_, err = s.moveValues(values, j.correlations[layer][i], logLik, density)
	return err
}

// moveValues updates the values of a kernel one by one, given their log-likelihood, and returns the
// log-likelihood of the new values.
func (s *sweep) moveValues(
	values []float64, of correlation, logLik float64, density func(values []float64) (float64, error),
) (float64, error) {
	proposal := slices.Clone(values)
	for k, v := range of.values {
		var err error
		logLik, err = s.metropolis(&values[k], v, logLik, func(x float64) (float64, error) {
			proposal[k] = x
			return density(proposal)
		})
		if err != nil {
			return 0, err
		}
		proposal[k] = values[k]
	}
	return logLik, nil
}

// metropolis updates a value, given its log-likelihood, and returns the log-likelihood of the new value.
func (s *sweep) metropolis(
	at *float64, v value, logLik float64, of func(x float64) (float64, error),
) (float64, error) {
	x := *at
	from := x * least / most
	to := x * most / least
	if v.real {
		from = x - realStep
		to = x + realStep
	}
	proposal := from + s.random.Uniform()*(to-from)
	var ratio float64 // log ratio of the proposal densities
	if !v.real {
		ratio = math.Log(proposal) - math.Log(x)
	}
	threshold := logLik + v.prior.LogDensity(x) + math.Log(s.random.Uniform()) + ratio
	proposed, err := of(proposal)
	if err != nil {
		return 0, err
	}
	s.proposed++
	if proposed+v.prior.LogDensity(proposal) <= threshold {
		return logLik, nil
	}
	s.accepted++
	*at = proposal
	return proposed, nil
}

// moveFunction updates hidden function i of a layer by elliptical slice sampling. above is the log
// density of the layer above (see joint.above). It returns this density and the prior density of
// the function after the update.
func (s *sweep) moveFunction(layer, i int, above float64) (after, density float64, err error) {
	j := s.joint
	n := j.n()
	inputs, width := j.below(&j.position, layer)
	root, err := j.innerFactor(layer, i, inputs, width, j.kernel[layer][i])
	if err != nil {
		return 0, 0, err
	}
	if layer > 0 { // The densities of the layer above overwrite j.root.
		j.root, s.root = s.root, j.root
	}
	draw := make([]float64, n)
	s.random.Normals(draw)
	blas64.Trmv(blas.NoTrans, linalg.Lower(root, n, n), blas64.Vector{N: n, Inc: 1, Data: draw})
	proposal := slices.Clone(j.hidden[layer])
	slice := sampling.EllipticalSlice{Uniform: s.random.Uniform, LogLik: func(f []float64) (float64, error) {
		copy(proposal[i*n:(i+1)*n], f)
		return j.above(layer, proposal)
	}}
	f := j.function(&j.position, layer, i)
	mean := j.mean(inputs, n, i)
	after, count, err := slice.Step(f, mean, draw, make([]float64, n), above)
	if err != nil {
		return 0, 0, err
	}
	s.slices++
	s.shrinks += count
	return after, innerLogLik(root, centred(f, mean)), nil
}
