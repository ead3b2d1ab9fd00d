package dgp

import (
	"slices"

	"dgplab/models/autodiff"
	"dgplab/models/likelihood"
	"dgplab/models/linalg"
)

// Data parallelism: the points of a minibatch are divided among shards. Each shard is a graph on its own
// tape, so that all of its values and gradients stay in the cache of one processor. Shards share the values
// that depend only on parameters, and their gradients with respect to these are added up.

const (
	// maxShards is the number of shards. It is fixed, so sums do not depend on the number of processors.
	maxShards = 2
	// minShard is the smallest number of points of a shard. The products of fewer would be less efficient.
	minShard = 64
)

// shardsOf returns the number of shards of a minibatch of b points.
func shardsOf(arch *Architecture, b int) int {
	if arch.GivenInducing || arch.SampleInducing {
		return 1
	}
	return max(1, min(b/minShard, maxShards))
}

// shards is the tape operation of the expected log-likelihoods of all shards.
type shards struct {
	*bound
	parts  []*bound
	tapes  []*autodiff.Tape // of the parts
	shared []mirrored
	errs   []error // of each part
	// inAdvance is set if the parts have computed their gradients. If a gradient is to follow the
	// evaluation, a part computes it right after its values, while these are in the cache.
	inAdvance bool
	d         float64 // gradient of the result during backward

	forward, reverse, gather linalg.Loop
}

// mirrored is a node of the posterior that all shards use.
type mirrored struct {
	node    *autodiff.Node
	mirrors []*autodiff.Node // of each shard
	beta    float64          // 0 if the gradient of node must be overwritten
	from    int              // the first section of its values
}

// sectionSize is the number of gradients that one part of a loop adds up.
const sectionSize = 2048

// recordShards records the expected log-likelihood of the given number of shards.
func (g *bound) recordShards(count int) {
	s := &shards{bound: g, errs: make([]error, count)}
	g.terms = make([]float64, g.r*g.b)
	for k := range count {
		s.parts = append(s.parts, s.newPart(s.start(k), s.start(k+1), count))
		s.tapes = append(s.tapes, s.parts[k].tape)
	}
	var inputs []*autodiff.Node
	sections := 0
	for i := range s.shared {
		m := &s.shared[i]
		m.from = sections
		sections += (m.node.Len() + sectionSize - 1) / sectionSize
		inputs = append(inputs, m.node)
	}
	s.forward.Body, s.reverse.Body, s.gather.Body = s.evaluate, s.differentiate, s.deliver
	g.tape.Section(partLikelihood.section(allLayers))
	out := g.tape.Output(1, 1, 1, inputs...)
	g.logLik = g.tape.Record(out, func() error {
		g.drawing.Wait()
		g.post.operands.prepare()
		s.inAdvance = g.tape.Differentiating()
		if s.inAdvance {
			g.post.operands.transpose()
		}
		g.tape.Including(s.tapes, func() { s.forward.RunOuter(count) })
		out.Value[0] = 0
		for k, part := range s.parts {
			if s.errs[k] != nil {
				return s.errs[k]
			}
			out.Value[0] += part.logLik.Value[0]
		}
		if s.inAdvance {
			s.announce()
		}
		return nil
	}, func() {
		s.d = out.Grad()[0]
		if !s.inAdvance {
			g.post.operands.transpose()
			g.tape.Including(s.tapes, func() { s.reverse.RunOuter(count) })
			s.announce()
		}
		for i := range s.shared {
			if m := &s.shared[i]; m.node.Wanted() {
				_, m.beta = m.node.GradBeta()
			}
		}
		s.gather.Run(sections)
	})
}

// start returns the first point of shard k.
func (s *shards) start(k int) int { return k * s.b / len(s.errs) }

// newPart returns the shard of the points [start, end).
func (s *shards) newPart(start, end, count int) *bound {
	tape := autodiff.NewTape()
	mirrors := map[*autodiff.Node]*autodiff.Node{}
	post := s.post.on(tape, func(n *autodiff.Node) *autodiff.Node {
		if mirrors[n] == nil {
			mirrors[n] = tape.Mirror(n)
			s.share(n, mirrors[n])
		}
		return mirrors[n]
	})
	part := &bound{graph: startGraph(tape, post, end-start, s.r)}
	part.rescues, part.shards = s.rescues, count
	part.propagate()
	part.y = tape.Constant(1, s.y.Rows, end-start)
	part.rows = likelihood.NewRows(tape, end-start, s.post.arch.Noise, s.post.arch.Weights)
	part.recordLogLik()
	return part
}

// share adds the mirror of a node of the posterior.
func (s *shards) share(n, mirror *autodiff.Node) {
	i := slices.IndexFunc(s.shared, func(m mirrored) bool { return m.node == n })
	if i < 0 {
		i = len(s.shared)
		s.shared = append(s.shared, mirrored{node: n})
	}
	s.shared[i].mirrors = append(s.shared[i].mirrors, mirror)
}

// evaluate computes the expected log-likelihood of shard k, and its gradients if they are to follow.
func (s *shards) evaluate(k int) {
	part, start := s.parts[k], s.start(k)
	part.tape.Skip()
	copyPoints(part.x, s.x, 1, start)
	copyPoints(part.y, s.y, 1, start)
	if part.rows.Noise != nil {
		copyPoints(part.rows.Noise, s.rows.Noise, 1, start)
	}
	if part.rows.Weights != nil {
		copyPoints(part.rows.Weights, s.rows.Weights, 1, start)
	}
	for l, eps := range part.eps {
		copyPoints(eps, s.eps[l], s.r, start)
	}
	part.numData = s.numData * float64(part.b) / float64(s.b)
	s.errs[k] = part.tape.Forward()
	for r := range s.r {
		copy(s.terms[r*s.b+start:], part.terms[r*part.b:(r+1)*part.b])
	}
	if s.inAdvance && s.errs[k] == nil {
		part.tape.Backward(part.logLik)
	}
}

// copyPoints sets dst, [1][rows][r B'], to the points of src, [1][rows][r B], from start on.
func copyPoints(dst, src *autodiff.Node, r, start int) {
	to, from := dst.Cols/r, src.Cols/r
	for row := range dst.Rows * r {
		copy(dst.Value[row*to:(row+1)*to], src.Value[row*from+start:])
	}
}

// differentiate computes the gradients of the expected log-likelihood of shard k.
func (s *shards) differentiate(k int) {
	part := s.parts[k]
	part.tape.Skip()
	part.tape.Backward(part.logLik)
}

// deliver adds up the gradients of a section of the shared nodes, times that of the result.
func (s *shards) deliver(section int) {
	i := len(s.shared) - 1
	for s.shared[i].from > section {
		i--
	}
	m := &s.shared[i]
	if !m.node.Wanted() {
		return
	}
	start := (section - m.from) * sectionSize
	end := min(start+sectionSize, m.node.Len())
	sum := m.node.Grad()[start:end]
	if m.beta == 0 {
		clear(sum)
	}
	for _, mirror := range m.mirrors {
		if mirror.Reached() {
			addScaled(sum, mirror.Grad()[start:end], s.d)
		}
	}
}
