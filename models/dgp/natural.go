package dgp

import "dgplab/models/autodiff"

// gaussians is q(f_M) in the form used by natural-gradient steps: one Gaussian per GP, or one for
// all GPs. Values are copied from and to the leaves.
type gaussians struct {
	post *posterior
	dims []int // dimension of each Gaussian
	// factors locates the Cholesky factors, [n][n] each.
	factors spans
}

func newGaussians(p *posterior, kind natgradKind) *gaussians {
	s := &gaussians{post: p, dims: []int{p.outputs()}}
	if kind == perGP {
		s.dims = make([]int, p.NumGPs())
		for i := range s.dims {
			s.dims[i] = p.points(i)
		}
	}
	for _, n := range s.dims {
		s.factors.add(n, n)
	}
	return s
}

// size returns the number of free entries of all Gaussians.
func (s *gaussians) size() (free int) {
	for _, n := range s.dims {
		free += n + n*(n+1)/2
	}
	return free
}

// copyValues copies means and factors from the leaves to dense arrays, or back if back is set.
func (s *gaussians) copyValues(m, l []float64, of func(*autodiff.Node) []float64, back bool) {
	p := s.post
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
			leaf := p.factorSpan(i, j).view(blocks)
			for r := range leaf.Rows {
				move(s.denseRow(l, i, j, r), leaf.Data[r*leaf.Stride:r*leaf.Stride+leaf.Cols])
			}
		}
	}
}

// denseRow returns row r of block (i, j) in the dense factors l.
func (s *gaussians) denseRow(l []float64, i, j, r int) []float64 {
	p := s.post
	dense := s.factors[0]
	row := r
	column := 0
	if len(s.dims) > 1 {
		dense = s.factors[i]
	} else {
		row, column = p.starts[i]+r, p.starts[j]
	}
	start := dense.start + row*dense.cols + column
	return l[start : start+p.points(j)]
}

func values(n *autodiff.Node) []float64    { return n.Value }
func gradients(n *autodiff.Node) []float64 { return n.Grad() }
