package dgp

import (
	"fmt"

	"dgplab/models/family"
)

// chainsSize implements family.Spec.Size.
func (m member) chainsSize(v family.Values, n, d, p int) (family.Size, error) {
	base, err := m.cost(v, n, d, p)
	if err != nil {
		return family.Size{}, err
	}
	c := chainsCost{cost: base, chains: float64(v.Int("chains"))}
	sliced := v.Text("sampler") == sliceSampler
	if sliced {
		c.b, c.r = n, 1
	}
	outputs := c.structure.outputs()
	s := family.Size{Parameters: outputs + c.hyperparameters(), Shape: c.shape()}
	burnIn := float64(v.Int(family.BurnIn))
	sampling := float64(v.Int(family.Kept) * v.Int(family.Thinning))
	macs, state := c.sampleMACs(), outputs
	if sliced {
		macs = c.sliceMACs()
		for _, width := range c.structure.widths[:len(c.structure.widths)-1] {
			state += n * width
		}
	}
	s.StepFLOPs = 2 * c.chains * (macs + burnIn/(burnIn+sampling)*c.learnMACs())
	// Numbers stored per kept number, including copies for checkpoints and views.
	const perDraw = 7.5
	s.Memory = c.memory() +
		8*perDraw*c.chains*float64(state*v.Int("window")+outputs*v.Int(family.Kept))
	if sliced && n > maxSliced {
		return s, fmt.Errorf("sampler=ess accepts at most %d points, not %d: each step evaluates all of "+
			"them several times for each GP; use sampler=sghmc", maxSliced, n)
	}
	return s, nil
}

// typicalProposals is the typical number of proposals of a slice.
const typicalProposals = 10

// sliceMACs returns the multiply-adds of a step of slice sampling: an evaluation for each proposal of each
// GP.
func (c chainsCost) sliceMACs() (total float64) {
	gps := 0
	for l, width := range c.structure.widths {
		columns, _ := c.layerMACs(l)
		total += columns
		gps += width
	}
	return total * float64(gps) * typicalProposals
}

// chainsCost counts the operations and the memory of one step of all chains.
type chainsCost struct {
	cost
	chains float64
}

// layerMACs returns the multiply-adds of layer l in a forward pass, with K_MM counted separately.
func (c chainsCost) layerMACs(l int) (columns, matrices float64) {
	p := c.points(l)
	m := float64(c.structure.inducing[l])
	columns = p * m * (m/2 + float64(c.structure.widths[l]+c.inputs[l]))
	matrices = m*m*m/6 + float64(c.inputs[l])*m*(m+1)/2
	return columns, matrices
}

// sampleMACs returns the multiply-adds of the log joint and its gradient with respect to the
// inducing outputs. Nothing below layer 1 is differentiated.
func (c chainsCost) sampleMACs() (total float64) {
	for l, width := range c.structure.widths {
		columns, _ := c.layerMACs(l)
		total += columns + c.points(l)*float64(c.structure.inducing[l]*width)
		if l > 0 {
			total += columns
		}
	}
	return total
}

// learnMACs returns the multiply-adds of the log joint and its gradient with respect to the
// hyperparameters, which costs twice as much as the log joint.
func (c chainsCost) learnMACs() (total float64) {
	for l := range c.structure.widths {
		columns, matrices := c.layerMACs(l)
		total += 3 * (columns + matrices)
	}
	return total
}

// memory returns the approximate peak memory of training in bytes, without the kept samples. The
// constants are fitted as in cost.memory, for chains trained in parallel.
func (c chainsCost) memory() float64 {
	const perParameter, perLayer, trainM, predictGP, predictedGP = 51, 68, 14, 0.27, 0.8
	points, columns := c.predicted()
	var numbers float64
	for l, width := range c.structure.widths {
		t := float64(width)
		m := float64(c.structure.inducing[l])
		numbers += c.chains * (perLayer*m*m + trainM*c.points(l)*m)
		if l > 0 {
			points = columns
		}
		numbers += points * t * (predictGP*m + predictedGP)
	}
	return 8 * (numbers + perParameter*float64(c.structure.outputs()+c.hyperparameters()))
}
