package dgp

// pair is a block (i, j), j <= i, of S_M that may be non-zero.
type pair struct{ i, j int }

// pairGroup holds the pairs between two layers, upper >= lower, that the
// marginals need: first those with i = j, then the others. Their blocks of S_M
// are stored one after the other.
type pairGroup struct {
	upper, lower int
	pairs        []pair
	// diagonal is the number of pairs with i = j.
	diagonal int
	// offset is the place of the first pair among all blocks of S_M in use.
	offset int
}

// structure says which blocks of S_M a pattern makes the marginals use, and how
// the scalar covariances of Theorem 1 fill in under Cholesky factorisation.
type structure struct {
	*Pattern
	groups []pairGroup
	// numPairs counts the blocks of S_M in use.
	numPairs int
	// fill[i] lists the columns k <= i in which row i of the Cholesky factor of
	// the T x T covariance of one point's function values may be non-zero.
	fill [][]int
}

// newStructure analyses a pattern. The covariances between outputs of the last
// layer are needed only when fullCov is set.
func newStructure(p *Pattern, fullCov bool) *structure {
	s := &structure{Pattern: p}
	for upper := range p.widths {
		for lower := 0; lower <= upper; lower++ {
			g := pairGroup{upper: upper, lower: lower, offset: s.numPairs}
			g.pairs, g.diagonal = s.pairsBetween(upper, lower, fullCov)
			if len(g.pairs) > 0 {
				s.groups = append(s.groups, g)
				s.numPairs += len(g.pairs)
			}
		}
	}
	s.fill = s.symbolicCholesky()
	return s
}

// pairsBetween lists the pairs of two layers and counts those with i = j, which
// come first.
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

// symbolicCholesky returns the columns of each row of the factor: an entry is
// there when the covariance has it or when two earlier entries produce it.
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

// group returns the pairs between two layers, or nil.
func (s *structure) group(upper, lower int) *pairGroup {
	for k := range s.groups {
		if g := &s.groups[k]; g.upper == upper && g.lower == lower {
			return g
		}
	}
	return nil
}
