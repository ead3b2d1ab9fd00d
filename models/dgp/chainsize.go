package dgp

import "dgplab/models/family"

// chainsSize implements family.Spec.Size.
func (m member) chainsSize(v family.Values, n, d, p int) (family.Size, error) {
	of, err := m.cost(v, n, d, p)
	if err != nil {
		return family.Size{}, err
	}
	c := chainsCost{cost: of, chains: float64(v.Int("chains"))}
	outputs := c.structure.outputs()
	s := family.Size{Parameters: outputs + c.hyperparameters()}
	burnIn := float64(v.Int(family.BurnIn))
	sampling := float64(v.Int(family.Kept) * v.Int(family.Thinning))
	s.StepFLOPs = 2 * c.chains * (c.sampleMACs() + burnIn/(burnIn+sampling)*c.learnMACs())
	// What is kept of the chains, with copies for checkpoints and for looking at them.
	const ofDraw = 7.5
	s.Memory = c.memory() + 8*ofDraw*c.chains*float64(outputs*(v.Int("window")+v.Int(family.Kept)))
	return s, nil
}

// chainsCost counts what one step of chains computes.
type chainsCost struct {
	cost
	chains float64
}

// layerMACs returns the multiply-adds of layer l forward, those of K_MM apart.
func (c chainsCost) layerMACs(l int) (columns, matrices float64) {
	p := c.points(l)
	m := float64(c.structure.inducing[l])
	columns = p * m * (m/2 + float64(c.structure.widths[l]+c.inputs[l]))
	matrices = m*m*m/6 + float64(c.inputs[l])*m*(m+1)/2
	return columns, matrices
}

// sampleMACs returns those of the log joint and its gradient with respect to the
// inducing outputs: below layer 1 there is nothing to differentiate.
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

// learnMACs returns those of the log joint and its gradient with respect to the
// hyperparameters, which costs twice as much as the log joint.
func (c chainsCost) learnMACs() (total float64) {
	for l := range c.structure.widths {
		columns, matrices := c.layerMACs(l)
		total += 3 * (columns + matrices)
	}
	return total
}

// memory returns about the most bytes that training takes, but for what is kept of the
// chains: a fit as that of cost.memory, for chains that are trained side by side.
func (c chainsCost) memory() float64 {
	const ofParameter, ofLayer, trainM, predictGP, predictedGP = 51, 68, 14, 0.27, 0.8
	points, columns := c.predicted()
	var numbers float64
	for l, width := range c.structure.widths {
		t := float64(width)
		m := float64(c.structure.inducing[l])
		numbers += c.chains * (ofLayer*m*m + trainM*c.points(l)*m)
		if l > 0 {
			points = columns
		}
		numbers += points * t * (predictGP*m + predictedGP)
	}
	return 8 * (numbers + ofParameter*float64(c.structure.outputs()+c.hyperparameters()))
}
