package dgp

import (
	"time"

	"dgplab/models/autodiff"
	"dgplab/models/view"
)

// part identifies a part of a step, forward and backward combined.
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

// partNames are the displayed names.
var partNames = [numParts]string{
	"minibatch and draws", "kernel matrices", "factors of K_MM", "blocks of S_M", "triangular solves",
	"kernel columns and S~", "samples and moments", "likelihood", "KL", "optimiser",
}

// allLayers is the layer index of work that belongs to no single layer.
const allLayers = -1

// section returns the tape section of a part for a layer or for allLayers.
func (p part) section(layer int) int { return (layer+1)*int(numParts) + int(p) }

// maxTimedSteps is the number of recent timed steps that the shares average over, because the time
// of a single step is noisy.
const maxTimedSteps = 16

// stepTimes measures the time of the parts of a step. Only requested steps are timed.
type stepTimes struct {
	// clock is not nil if the next step will be timed.
	clock   func() time.Duration
	profile *autodiff.Profile // of one step; nil until a step is timed
	steps   int               // timed so far
	// recent is a ring buffer of the times of the last steps, and sum is their sum.
	recent [maxTimedSteps][]time.Duration
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

// start starts the timing of a step if clock is set.
func (s *stepTimes) start(t *autodiff.Tape) {
	if s.clock != nil {
		t.Measure(s.profile, s.clock)
	}
}

// stop stops timing and adds the step to the sum.
func (s *stepTimes) stop(t *autodiff.Tape) {
	if s.clock != nil {
		t.Measure(nil, nil)
		s.clock = nil
		oldest := s.recent[s.steps%maxTimedSteps]
		for i, d := range s.profile.Times {
			s.sum[i] += d - oldest[i]
			oldest[i] = d
		}
		s.steps++
	}
}

// report sets the time shares of the most recent timed steps.
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
	share := func(p part, layer int) view.Float {
		return view.Float(s.sum[p.section(layer)]) / view.Float(total)
	}
	out.ShareByLayer = make([]view.Float, layers)
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
	out.TimedSteps = min(s.steps, maxTimedSteps)
}
