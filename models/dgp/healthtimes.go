package dgp

import (
	"time"

	"dgplab/models/autodiff"
	"dgplab/models/number"
	"dgplab/models/view"
)

// part is a part of a step, forward and backward together.
type part int

const (
	partMinibatch part = iota
	partKernels
	partFactors
	partBlocks
	partSolves
	partMarginals
	partSamples
	partLikelihood
	partKL
	partOptimiser
	numParts
)

// partNames are what people read.
var partNames = [numParts]string{
	"minibatch and draws", "kernel matrices", "factors of K_MM", "blocks of S_M", "triangular solves",
	"means and covariances S~", "samples and moments", "likelihood", "KL", "optimiser",
}

// allLayers is the layer of what belongs to none alone.
const allLayers = -1

// section numbers the part of a layer, or of all, for a tape.
func (p part) section(layer int) int { return (layer+1)*int(numParts) + int(p) }

// keptTimes is how many timed steps the shares are of, the last ones: one step alone says
// little where other programs share the machine.
const keptTimes = 16

// stepTimes says where the time of steps goes. Only steps that were asked for
// are timed.
type stepTimes struct {
	// clock is set when the next step is to be timed.
	clock   func() time.Duration
	profile *autodiff.Profile // of one step; nil before the first that is timed
	steps   int               // timed so far
	// recent holds the times of the last of them in turn, and sum those of all together.
	recent [keptTimes][]time.Duration
	sum    []time.Duration
}

// TimeNextStep implements family.StepTimer.
func (m *Model) TimeNextStep(clock func() time.Duration) {
	s := &m.times
	s.clock = clock
	if s.profile == nil {
		s.profile = autodiff.NewProfile(partMinibatch.section(len(m.arch.Layers)))
		sections := len(s.profile.Times)
		s.sum = make([]time.Duration, sections)
		for i := range s.recent {
			s.recent[i] = make([]time.Duration, sections)
		}
	}
	clear(s.profile.Times)
}

// begin starts the clock of a step that is to be timed.
func (s *stepTimes) begin(t *autodiff.Tape) {
	if s.clock != nil {
		t.Measure(s.profile, s.clock)
	}
}

// end stops it.
func (s *stepTimes) end(t *autodiff.Tape) {
	if s.clock != nil {
		t.Measure(nil, nil)
		s.clock = nil
		oldest := s.recent[s.steps%keptTimes]
		for i, d := range s.profile.Times {
			s.sum[i] += d - oldest[i]
			oldest[i] = d
		}
		s.steps++
	}
}

// report enters the shares of the steps timed last.
func (s *stepTimes) report(out *view.Matrices, layers int) {
	if s.steps == 0 {
		return
	}
	var total time.Duration
	for _, d := range s.sum {
		total += d
	}
	if total <= 0 {
		return // the clock did not move
	}
	share := func(p part, layer int) number.Float {
		return number.Float(s.sum[p.section(layer)]) / number.Float(total)
	}
	out.ShareByLayer = make([]number.Float, layers)
	for p := range numParts {
		sum := share(p, allLayers)
		for l := range layers {
			sum += share(p, l)
			out.ShareByLayer[l] += share(p, l)
		}
		if sum > 0 {
			out.Shares = append(out.Shares, view.TimeShare{Name: partNames[p], Share: sum})
		}
	}
	out.TimedSteps = min(s.steps, keptTimes)
}
