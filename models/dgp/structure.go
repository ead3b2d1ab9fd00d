package dgp

// pair is an off-diagonal block (i, j), j < i, of S_M that may be non-zero.
type pair struct{ i, j int }

// pairGroup holds the pairs between two layers, upper >= lower, that the
// marginals need. Their blocks of S_M are stored one after the other.
type pairGroup struct {
	upper, lower int
	pairs        []pair
	// offset is the place of the first pair among all blocks of S_M in use.
	offset int
}

// structure says which blocks of S_M a pattern makes the marginals use, and how
// the scalar covariances of Theorem 1 fill in under Cholesky factorisation.
type structure struct {
	*Pattern
	groups []pairGroup
	// dense lists the GPs whose row of L_S has several blocks: their diagonal
	// block of S_M is formed and factorised. denseOf is the inverse, -1 elsewhere.
	dense   []int
	denseOf []int
	// numPairs counts the off-diagonal blocks of S_M in use.
	numPairs int
	// fill[i] lists the columns k <= i in which row i of the Cholesky factor of
	// the T x T covariance of one point's function values may be non-zero.
	fill [][]int
}

// newStructure analyses a pattern. The covariances between outputs of the last
// layer are needed only when fullCov is set.
func newStructure(p *Pattern, fullCov bool) *structure {
	s := &structure{Pattern: p, denseOf: make([]int, p.NumGPs())}
	last := len(p.widths) - 1
	for upper := range p.widths {
		for lower := 0; lower <= upper; lower++ {
			if upper == last && lower == last && !fullCov {
				continue
			}
			g := pairGroup{upper: upper, lower: lower, offset: s.numPairs}
			for _, i := range p.members(upper) {
				for _, j := range p.members(lower) {
					if j < i && p.coupled(i, j) {
						g.pairs = append(g.pairs, pair{i, j})
					}
				}
			}
			if len(g.pairs) > 0 {
				s.groups = append(s.groups, g)
				s.numPairs += len(g.pairs)
			}
		}
	}
	for i, row := range p.rows {
		s.denseOf[i] = -1
		if len(row) > 1 {
			s.denseOf[i] = len(s.dense)
			s.dense = append(s.dense, i)
		}
	}
	s.fill = s.symbolicCholesky()
	return s
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
	fullLast := false
	for _, g := range s.groups {
		fullLast = fullLast || g.lower == last
	}
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
