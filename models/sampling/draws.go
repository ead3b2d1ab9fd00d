package sampling

import (
	"dgplab/models/infer"
	"dgplab/models/stats"
)

// Draws generates the random numbers of a step: it fills normals with standard normal draws and
// uniforms with uniform draws from [0, 1). They depend only on the step number.
type Draws func(normals, uniforms []float64, step uint64)

// NewDraws returns the Draws for a seed.
func NewDraws(seed uint64) Draws {
	streams := stats.NewStreams(seed, "sampler")
	return func(normals, uniforms []float64, step uint64) {
		stream := streams.At(step)
		stats.Normals(normals, stream)
		for i := range uniforms {
			uniforms[i] = stream.Float64()
		}
	}
}

// Readings of samplers.
var (
	// Acceptance is the mean acceptance probability since the phase began.
	Acceptance = infer.Reading{Key: "acceptance", Name: "acceptance"}
	// EnergyChange is the energy change of the last trajectory.
	EnergyChange = infer.Reading{Key: "energy_change", Name: "energy change"}
	// Divergences is the number of divergent trajectories since the phase began.
	Divergences = infer.Reading{Key: "divergences", Name: "divergences"}
	// StepSize is the step size of the next trajectory or, for samplers without trajectories, of
	// the last step.
	StepSize = infer.Reading{Key: "step_size", Name: "step size"}
)
