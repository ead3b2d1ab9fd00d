package dgp

import (
	"dgplab/models/autodiff"
	"dgplab/models/infer"
)

// natural takes natural-gradient steps on q(f_M): one Gaussian for each GP, or
// one for all. The Gaussians are gathered from the leaves and put back.
type natural struct {
	post         *posterior
	gamma        float64
	n, batch     int // dimension and number of Gaussians
	stepper      *infer.NaturalGradient
	m, l         []float64 // [batch][n], [batch][n][n]
	gradM, gradL []float64
}

func newNatural(p *posterior, kind natgradKind, gamma float64) *natural {
	s := &natural{post: p, gamma: gamma, n: p.arch.M, batch: p.NumGPs()}
	if kind == joint {
		s.n, s.batch = s.n*s.batch, 1
	}
	s.stepper = infer.NewNaturalGradient(s.n, s.batch)
	s.m, s.gradM = make([]float64, s.batch*s.n), make([]float64, s.batch*s.n)
	s.l, s.gradL = make([]float64, s.batch*s.n*s.n), make([]float64, s.batch*s.n*s.n)
	return s
}

// size returns the number of free entries of all Gaussians.
func (s *natural) size() int { return s.batch * (s.n + s.n*(s.n+1)/2) }

// move takes one step; with an error nothing has moved.
func (s *natural) move() error {
	p := s.post
	s.exchange(s.m, s.l, values, false)
	s.exchange(s.gradM, s.gradL, gradients, false)
	report, err := s.stepper.Maximise(s.m, s.l, s.gradM, s.gradL, s.gamma)
	if report.Halvings > 0 {
		p.tape.CountRescues("natural-gradient step of q(f_M)", report.Halvings)
	}
	if err != nil {
		return err
	}
	s.exchange(s.m, s.l, values, true)
	return nil
}

// exchange copies means and factors between the leaves and dense arrays.
func (s *natural) exchange(m, l []float64, of func(*autodiff.Node) []float64, back bool) {
	p := s.post
	size := p.arch.M
	move := func(dense, leaf []float64) {
		if back {
			copy(leaf, dense)
		} else {
			copy(dense, leaf)
		}
	}
	at := 0
	for _, layer := range p.layers {
		leaf := of(layer.qMu)
		move(m[at:at+len(leaf)], leaf)
		at += len(leaf)
	}
	blocks := of(p.qSqrt)
	for i, row := range p.rows {
		for _, j := range row {
			leaf := block(blocks, p.blockOf(i, j), size).Data
			for r := 0; r < size; r++ {
				move(s.denseRow(l, i, j, r), leaf[r*size:(r+1)*size])
			}
		}
	}
}

// denseRow returns row r of block (i, j) within the dense factors l.
func (s *natural) denseRow(l []float64, i, j, r int) []float64 {
	size := s.post.arch.M
	if s.batch > 1 || s.n == size {
		return l[(i*size+r)*size : (i*size+r+1)*size]
	}
	start := (i*size+r)*s.n + j*size
	return l[start : start+size]
}

func values(n *autodiff.Node) []float64    { return n.Value }
func gradients(n *autodiff.Node) []float64 { return n.Grad() }
