package kernel

import (
	"dgplab/models/autodiff"
	"dgplab/models/linalg"
)

// backward computes the gradients of the inputs from the gradient of the sums.
func (s *sum) backward() {
	s.prepare()
	s.reverse.Run(s.tiles.Chains)
	sums := s.chains[0].sums
	for k := 1; k < s.tiles.Chains; k++ {
		addTo(sums, s.chains[k].sums)
		addTo(s.chains[0].dWidths, s.chains[k].dWidths)
	}
	if s.Weights.Wanted() {
		d := s.Weights.Grad()
		for k := range d {
			d[k] += sums[k*s.terms]
		}
	}
	if s.Widths.Wanted() {
		addTo(s.Widths.Grad(), s.chains[0].dWidths)
	}
	if s.Centres.Wanted() {
		s.centresBackward(sums)
	}
}

// prepare computes the values shared by the chains, and clears the gradients that chains and points
// add to.
func (s *sum) prepare() {
	s.q = s.out.Grad()
	for _, n := range []*autodiff.Node{s.mean, s.vr} {
		if n.Wanted() {
			n.Grad()
		}
	}
	if s.weighted == nil {
		s.weighted = make([]float64, len(s.basis))
		for k := range s.chains[:s.tiles.Chains] {
			ch := &s.chains[k]
			ch.back = make([]float64, len(ch.features))
			ch.moments = make([]float64, len(ch.features))
			ch.sums = make([]float64, len(s.basis))
			ch.dWidths = make([]float64, s.dims)
		}
	}
	for k, w := range s.Weights.Value {
		for i := k * s.terms; i < (k+1)*s.terms; i++ {
			s.weighted[i] = w * s.basis[i]
		}
	}
	for k := range s.chains[:s.tiles.Chains] {
		clear(s.chains[k].sums)
		clear(s.chains[k].dWidths)
	}
}

// centresBackward adds the gradient of the centres. sums holds, for each bump, the sums over points
// of q, q t and q t mu times the value of the bump, where q is the gradient of out.
func (s *sum) centresBackward(sums []float64) {
	for d := range s.dims {
		dc := s.Centres.Grad()[d*s.bumps : (d+1)*s.bumps]
		for k, w := range s.Weights.Value {
			at := k * s.terms
			dc[k] += w * (sums[at+1+s.dims+d] - s.basis[at+1+d]*sums[at+1+d])
		}
	}
}

// differentiate processes the tiles of a chain.
func (s *sum) differentiate(k int) {
	ch := &s.chains[k]
	s.tiles.Each(k, func(start, end int) {
		n := end - start
		s.computeFeatures(&ch.workspace, start, end)
		q, back, moments := s.q[start:end], ch.back[:s.terms*n], ch.moments[:s.terms*n]
		copy(back, q)
		for d := range s.dims {
			for p, v := range q {
				back[(1+d)*n+p] = v * ch.precisions[d*n+p]
				back[(1+s.dims+d)*n+p] = v * ch.features[(1+d)*n+p]
			}
		}
		beta := 0.0
		for first := 0; first < s.bumps; first += blockBumps {
			last := min(first+blockBumps, s.bumps)
			from, to := first*s.terms, last*s.terms
			e := s.evaluateBumps(&ch.workspace, first, last, n)
			linalg.Gemm(true, false, s.terms, n, last-first, 1, s.weighted[from:to], e, beta, moments)
			linalg.Gemm(false, true, last-first, s.terms, n, 1, e, back, 1, ch.sums[from:to])
			beta = 1
		}
		s.pointsBackward(ch, start, end)
	})
}

// pointsBackward adds the gradients of the inputs of a tile and of the widths. The chain's moments
// hold, for each point, the sums over bumps of w, w c and w c^2 times the value of the bump.
func (s *sum) pointsBackward(ch *chain, start, end int) {
	n := end - start
	q, total := s.q[start:end], ch.moments[:n]
	for d, r := range s.Widths.Value {
		first, second := ch.moments[(1+d)*n:(2+d)*n], ch.moments[(1+s.dims+d)*n:(2+s.dims+d)*n]
		precisions := ch.precisions[d*n : (d+1)*n]
		mean := s.mean.Row(d)[start:end]
		var dMean, dVar []float64
		if s.mean.Wanted() {
			dMean = s.mean.Grad()[d*s.mean.Cols+start:][:n]
		}
		if s.vr.Wanted() {
			dVar = s.vr.Grad()[d*s.vr.Cols+start:][:n]
		}
		for p, t := range precisions {
			x := mean[p] - s.origin[d]
			if dMean != nil {
				dMean[p] -= q[p] * t * (x*total[p] - first[p])
			}
			slope := 0.5 * q[p] * t * (t*(x*x*total[p]-2*x*first[p]+second[p]) - total[p])
			if dVar != nil {
				dVar[p] += slope
			}
			ch.dWidths[d] += slope + 0.5*q[p]*total[p]/r
		}
	}
}
