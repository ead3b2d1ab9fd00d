package dgp

import "dgplab/models/autodiff"

// gaussians are q(f_M) as natural gradients see it: one Gaussian for each GP, or
// one for all. They are gathered from the leaves and put back.
type gaussians struct {
	post     *posterior
	n, batch int // dimension and number of Gaussians
}

func newGaussians(p *posterior, kind natgradKind) *gaussians {
	s := &gaussians{post: p, n: p.arch.M, batch: p.NumGPs()}
	if kind == joint {
		s.n, s.batch = s.n*s.batch, 1
	}
	return s
}

// size returns the number of free entries of all Gaussians.
func (s *gaussians) size() int { return s.batch * (s.n + s.n*(s.n+1)/2) }

// exchange copies means and factors between the leaves and dense arrays.
func (s *gaussians) exchange(m, l []float64, of func(*autodiff.Node) []float64, back bool) {
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
func (s *gaussians) denseRow(l []float64, i, j, r int) []float64 {
	size := s.post.arch.M
	if s.batch > 1 || s.n == size {
		return l[(i*size+r)*size : (i*size+r+1)*size]
	}
	start := (i*size+r)*s.n + j*size
	return l[start : start+size]
}

func values(n *autodiff.Node) []float64    { return n.Value }
func gradients(n *autodiff.Node) []float64 { return n.Grad() }
