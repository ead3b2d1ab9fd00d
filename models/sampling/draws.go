package sampling

import (
	"dgplab/models/infer"
	"dgplab/models/random"
)

// Draws are the random numbers of a step: it fills normals with standard normal and
// uniforms with uniform draws from [0, 1), which depend on the step's number alone.
type Draws func(normals, uniforms []float64, step uint64)

// NewDraws returns the draws of a seed.
func NewDraws(seed uint64) Draws {
	streams := random.NewStreams(seed, "sampler")
	return func(normals, uniforms []float64, step uint64) {
		stream := streams.At(step)
		random.Normals(normals, stream)
		for i := range uniforms {
			uniforms[i] = stream.Float64()
		}
	}
}

// Readings of samplers.
var (
	// Acceptance is the mean probability of acceptance since the phase began.
	Acceptance = infer.Reading{Key: "acceptance", Name: "acceptance"}
	// EnergyChange is that of the last trajectory, where it ended.
	EnergyChange = infer.Reading{Key: "energy_change", Name: "energy change"}
	// Divergences counts the trajectories since the phase began that were given up.
	Divergences = infer.Reading{Key: "divergences", Name: "divergences"}
	// StepSize is that of the next trajectory, or of the step.
	StepSize = infer.Reading{Key: "step_size", Name: "step size"}
)
