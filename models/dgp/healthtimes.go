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

// stepTimes says where the time of steps goes. Only steps that were asked for
// are timed.
type stepTimes struct {
	// clock is set when the next step is to be timed.
	clock   func() time.Duration
	profile *autodiff.Profile // nil before the first timed step
	steps   int               // timed steps in the profile
	// reported says that a report has shown the profile: the next timed step
	// begins anew.
	reported bool
}

// TimeNextStep implements family.Timed.
func (m *Model) TimeNextStep(clock func() time.Duration) {
	s := &m.times
	s.clock = clock
	if s.profile == nil {
		s.profile = autodiff.NewProfile(partMinibatch.section(len(m.arch.Layers)))
	}
	if s.reported {
		clear(s.profile.Times)
		s.steps, s.reported = 0, false
	}
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
		s.steps++
	}
}

// report enters the shares of the steps timed so far.
func (s *stepTimes) report(out *view.Matrices, layers int) {
	if s.steps == 0 {
		return
	}
	var total time.Duration
	for _, d := range s.profile.Times {
		total += d
	}
	if total <= 0 {
		return // the clock did not move
	}
	share := func(p part, layer int) number.Float {
		return number.Float(s.profile.Times[p.section(layer)]) / number.Float(total)
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
	out.TimedSteps, s.reported = s.steps, true
}
