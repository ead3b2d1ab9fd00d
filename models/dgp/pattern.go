package dgp

import (
	"fmt"
	"strconv"
	"strings"
)

// Pattern is the set of potentially non-zero blocks of L_S, the lower Cholesky factor of the
// covariance of all inducing outputs. GPs are numbered consecutively, layer by layer. Diagonal
// blocks are always included.
type Pattern struct {
	widths []int
	layer  []int   // layer of each GP
	first  []int   // first GP of each layer
	rows   [][]int // for each GP i the GPs j <= i with a block (i, j), ascending
}

// newPattern returns the pattern with the blocks (i, j), j < i, for which linked is true.
func newPattern(widths []int, linked func(i, j int) bool) *Pattern {
	p := &Pattern{widths: widths}
	for l, width := range widths {
		p.first = append(p.first, len(p.layer))
		for t := 0; t < width; t++ {
			p.layer = append(p.layer, l)
		}
	}
	for i := range p.layer {
		var row []int
		for j := 0; j < i; j++ {
			if linked != nil && linked(i, j) {
				row = append(row, j)
			}
		}
		p.rows = append(p.rows, append(row, i))
	}
	return p
}

// MeanField couples no GPs: L_S has only its diagonal blocks.
func MeanField(widths []int) *Pattern { return newPattern(widths, nil) }

// FullyCoupled couples every pair of GPs.
func FullyCoupled(widths []int) *Pattern {
	return newPattern(widths, func(i, j int) bool { return true })
}

// StripesAndArrow couples GPs at the same position in different hidden layers, and the GPs of the
// last layer with all others.
//
// Lindinger et al., "Beyond the Mean-Field: Structured Deep Gaussian Processes Improve the
// Predictive Uncertainties", 2020, section 3.2, arXiv:2005.11110.
func StripesAndArrow(widths []int) *Pattern {
	p := newPattern(widths, nil)
	last := len(widths) - 1
	return newPattern(widths, func(i, j int) bool {
		return p.layer[i] == last || p.layer[i] != p.layer[j] && p.position(i) == p.position(j)
	})
}

// Chain couples the GPs of neighbouring layers.
func Chain(widths []int) *Pattern {
	p := newPattern(widths, nil)
	return newPattern(widths, func(i, j int) bool { return p.layer[i] == p.layer[j]+1 })
}

// FromMask returns the pattern given by the lower triangle of a T x T table.
func FromMask(widths []int, mask [][]bool) *Pattern {
	return newPattern(widths, func(i, j int) bool { return mask[i][j] })
}

// NumGPs returns T, the number of GPs of all layers.
func (p *Pattern) NumGPs() int { return len(p.layer) }

// NumBlocks returns the number of blocks of L_S that can be non-zero.
func (p *Pattern) NumBlocks() int {
	n := 0
	for _, row := range p.rows {
		n += len(row)
	}
	return n
}

// Has reports whether block (i, j) of L_S, j <= i, can be non-zero.
func (p *Pattern) Has(i, j int) bool { return p.blockOf(i, j) >= 0 }

// position returns the index of GP i in its layer.
func (p *Pattern) position(i int) int { return i - p.first[p.layer[i]] }

// members returns the GPs of layer l.
func (p *Pattern) members(l int) []int {
	gps := make([]int, p.widths[l])
	for t := range gps {
		gps[t] = p.first[l] + t
	}
	return gps
}

// blockOf returns the index of block (i, j) in storage order (row by row), or -1.
func (p *Pattern) blockOf(i, j int) int {
	n := 0
	for _, row := range p.rows[:i] {
		n += len(row)
	}
	for k, other := range p.rows[i] {
		if other == j {
			return n + k
		}
	}
	return -1
}

// common returns the columns k with blocks in both rows i and j of L_S. Block (i, j) of S_M = L_S
// L_S^T is the sum over these columns.
func (p *Pattern) common(i, j int) []int {
	var shared []int
	a, b := p.rows[i], p.rows[j]
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case a[0] > b[0]:
			b = b[1:]
		default:
			shared = append(shared, a[0])
			a, b = a[1:], b[1:]
		}
	}
	return shared
}

// coupled reports whether block (i, j) of S_M can be non-zero.
func (p *Pattern) coupled(i, j int) bool { return len(p.common(i, j)) > 0 }

// ParsePattern parses a pattern for layers of the given widths. text has one of two forms. A
// comma-separated list contains patterns (mean-field, star, chain, fully-coupled) and links such as
// "2.1-1.1" (layer and position of two GPs, from 1); the result is their union. Rows separated by
// "/" give the lower triangle of the block table, with 1 or x for a block and 0 or . for none.
func ParsePattern(widths []int, text string) (*Pattern, error) {
	if strings.Contains(text, "/") {
		return parseRows(widths, text)
	}
	p := MeanField(widths)
	for _, term := range strings.Split(text, ",") {
		other, err := parseTerm(widths, strings.TrimSpace(term))
		if err != nil {
			return nil, err
		}
		base := p
		p = newPattern(widths, func(i, j int) bool { return base.Has(i, j) || other.Has(i, j) })
	}
	return p, nil
}

func parseTerm(widths []int, term string) (*Pattern, error) {
	switch term {
	case "mean-field":
		return MeanField(widths), nil
	case "star":
		return StripesAndArrow(widths), nil
	case "chain":
		return Chain(widths), nil
	case "fully-coupled":
		return FullyCoupled(widths), nil
	}
	from, to, ok := strings.Cut(term, "-")
	if !ok {
		return nil,
			fmt.Errorf("%q is neither a named pattern (mean-field, star, chain, fully-coupled) nor a link "+
				"such as 2.1-1.1", term)
	}
	a, err := parseGP(widths, from)
	if err != nil {
		return nil, err
	}
	b, err := parseGP(widths, to)
	if err != nil {
		return nil, err
	}
	return newPattern(widths, func(i, j int) bool { return i == max(a, b) && j == min(a, b) }), nil
}

// parseGP parses "layer.position", both from 1, and returns the number of the GP.
func parseGP(widths []int, text string) (int, error) {
	layerText, positionText, _ := strings.Cut(strings.TrimSpace(text), ".")
	l, errLayer := strconv.Atoi(layerText)
	t, errPosition := strconv.Atoi(positionText)
	if errLayer != nil || errPosition != nil || l < 1 || l > len(widths) || t < 1 || t > widths[l-1] {
		return 0, fmt.Errorf("invalid GP %q: want layer.position, for layers with %v GPs", text, widths)
	}
	gp := t - 1
	for _, width := range widths[:l-1] {
		gp += width
	}
	return gp, nil
}

func parseRows(widths []int, text string) (*Pattern, error) {
	total := 0
	for _, width := range widths {
		total += width
	}
	rows := strings.Split(strings.TrimSpace(text), "/")
	if len(rows) != total {
		return nil, fmt.Errorf("the block table has %d rows, want %d, one per GP of the layers %v",
			len(rows), total, widths)
	}
	mask := make([][]bool, total)
	for i, row := range rows {
		row = strings.Join(strings.Fields(row), "")
		if len(row) != i+1 && len(row) != total {
			return nil,
				fmt.Errorf("row %d of the block table has %d entries, want %d (or %d for a full table)",
					i+1, len(row), i+1, total)
		}
		mask[i] = make([]bool, total)
		for j, c := range row {
			switch c {
			case '1', 'x', 'X':
				mask[i][j] = true
			case '0', '.':
			default:
				return nil,
					fmt.Errorf("row %d of the block table contains %q, want 1 or x for a block, 0 or . for "+
						"none",
						i+1, c)
			}
		}
		if !mask[i][i] {
			return nil, fmt.Errorf("row %d of the block table has no diagonal block, want one in every row",
				i+1)
		}
	}
	return FromMask(widths, mask), nil
}
