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

// structure says where the blocks of L_S are, which blocks of S_M a pattern makes
// the marginals use, and how the scalar covariances of Theorem 1 fill in under
// Cholesky factorisation.
type structure struct {
	*Pattern
	// inducing is M of each layer.
	inducing []int
	// starts[i] is the first inducing output of GP i among those of all GPs; behind
	// the last GP it is their number.
	starts []int
	// factors are the blocks (i, j) of L_S in the order of the pattern, [M_i][M_j]
	// with the M of the layers of i and j, and covariances those of S_M in use.
	factors, covariances spans
	groups               []pairGroup
	// fill[i] lists the columns k <= i in which row i of the Cholesky factor of
	// the T x T covariance of one point's function values may be non-zero.
	fill [][]int
}

// newStructure analyses a pattern for layers of so many inducing points. The
// covariances between outputs of the last layer are needed only when fullCov is set.
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

// factorSpan returns the place of block (i, j) of L_S, which must be in the pattern.
func (s *structure) factorSpan(i, j int) span { return s.factors[s.blockOf(i, j)] }

// eachBlock visits the blocks of L_S that may be non-zero, row by row.
func (s *structure) eachBlock(visit func(i, j int, at span)) {
	for i, row := range s.rows {
		for _, j := range row {
			visit(i, j, s.factorSpan(i, j))
		}
	}
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
