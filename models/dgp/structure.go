package dgp

import "slices"

// pair is a block (i, j), j <= i, of S_M that can be non-zero.
type pair struct{ i, j int }

// pairGroup holds the pairs between two layers, upper >= lower, that the marginals need: first the
// pairs with i = j, then the others. Their blocks of S_M are stored one after another.
type pairGroup struct {
	upper, lower int
	pairs        []pair
	// diagonal is the number of pairs with i = j.
	diagonal int
	// offset is the index of the first pair among all used blocks of S_M.
	offset int
}

// structure locates the blocks of L_S, the blocks of S_M that the marginals use, and the non-zero
// entries of the Cholesky factors of Theorem 1.
type structure struct {
	*Pattern
	// inducing holds M of each layer.
	inducing []int
	// starts[i] is the index of the first inducing output of GP i. The entry after the last GP is
	// the total number.
	starts []int
	// factors locates the blocks (i, j) of L_S in pattern order, [M_i][M_j] with M of the layers of
	// i and j. covariances locates the used blocks of S_M.
	factors, covariances spans
	groups               []pairGroup
	// fill[i] lists the columns k <= i of the possibly non-zero entries in row i of the Cholesky
	// factor of the T x T covariance of one point's function values.
	fill [][]int
}

// newStructure analyses a pattern for layers with the given numbers of inducing points. fullCov
// includes the covariances between the outputs of the last layer.
func newStructure(p *Pattern, inducing []int, fullCov bool) *structure {
	s := &structure{Pattern: p, inducing: inducing, starts: make([]int, p.NumGPs()+1)}
	for i, row := range p.rows {
		s.starts[i+1] = s.starts[i] + s.points(i)
		for _, j := range row {
			s.factors.add(s.points(i), s.points(j))
		}
	}
	for upper := range p.widths {
		for lower := 0; lower <= upper; lower++ {
			g := pairGroup{upper: upper, lower: lower, offset: len(s.covariances)}
			g.pairs, g.diagonal = s.pairsBetween(upper, lower, fullCov)
			if len(g.pairs) > 0 {
				s.groups = append(s.groups, g)
			}
			for range g.pairs {
				s.covariances.add(inducing[upper], inducing[lower])
			}
		}
	}
	s.fill = s.symbolicCholesky()
	return s
}

// points returns M of GP i.
func (s *structure) points(i int) int { return s.inducing[s.layer[i]] }

// outputs returns the number of inducing outputs of all GPs.
func (s *structure) outputs() int { return s.starts[s.NumGPs()] }

// factorSpan locates block (i, j) of L_S, which must be in the pattern.
func (s *structure) factorSpan(i, j int) span { return s.factors[s.blockOf(i, j)] }

// eachBlock calls visit for each block of L_S that can be non-zero, row by row.
func (s *structure) eachBlock(visit func(i, j int, at span)) {
	for i, row := range s.rows {
		for _, j := range row {
			visit(i, j, s.factorSpan(i, j))
		}
	}
}

// pairsBetween returns the pairs of two layers and the number of pairs with i = j, which come
// first.
func (s *structure) pairsBetween(upper, lower int, fullCov bool) (pairs []pair, diagonal int) {
	if upper == lower {
		for _, i := range s.members(upper) {
			pairs = append(pairs, pair{i, i})
		}
		diagonal = len(pairs)
		if upper == len(s.widths)-1 && !fullCov {
			return pairs, diagonal
		}
	}
	for _, i := range s.members(upper) {
		for _, j := range s.members(lower) {
			if j < i && s.coupled(i, j) {
				pairs = append(pairs, pair{i, j})
			}
		}
	}
	return pairs, diagonal
}

// symbolicCholesky returns the non-zero columns of each row of the factor: an entry is non-zero if
// the covariance has this entry or if two earlier entries of the factor fill it in.
func (s *structure) symbolicCholesky() [][]int {
	t := s.NumGPs()
	present := make([][]bool, t)
	for i := range present {
		present[i] = make([]bool, t)
		present[i][i] = true
	}
	for _, g := range s.groups {
		for _, p := range g.pairs {
			present[p.i][p.j] = true
		}
	}
	last := len(s.widths) - 1
	fullLast := s.group(last, last).diagonal < len(s.group(last, last).pairs)
	fill := make([][]int, t)
	for i := range fill {
		for j := 0; j < i; j++ {
			skip := s.layer[i] == last && s.layer[j] == last && !fullLast
			for k := 0; k < j && !present[i][j] && !skip; k++ {
				present[i][j] = present[i][k] && present[j][k]
			}
			if present[i][j] {
				fill[i] = append(fill[i], j)
			}
		}
		fill[i] = append(fill[i], i)
	}
	return fill
}

// pairBlock returns the block of S_M of pair k of a group, [M_i][M_j], in the blocks of all pairs.
func (s *structure) pairBlock(group *pairGroup, k int, all []float64) []float64 {
	return s.covariances[group.offset+k].view(all).Data
}

// groupBlocks returns the blocks of S_M of a group, [pairs][M_i][M_j], in the blocks of all pairs.
func (s *structure) groupBlocks(group *pairGroup, all []float64) []float64 {
	blocks := s.covariances[group.offset : group.offset+len(group.pairs)]
	return all[blocks[0].start:blocks.size()]
}

// crosses reports whether the marginals need pairs between layer l and another layer.
func (s *structure) crosses(l int) bool {
	return slices.ContainsFunc(s.groups, func(g pairGroup) bool {
		return g.upper != g.lower && (g.upper == l || g.lower == l)
	})
}

// group returns the pairs between two layers, or nil.
func (s *structure) group(upper, lower int) *pairGroup {
	for k := range s.groups {
		if g := &s.groups[k]; g.upper == upper && g.lower == lower {
			return g
		}
	}
	return nil
}
