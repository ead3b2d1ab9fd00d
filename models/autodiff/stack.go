package autodiff

import "fmt"

// StackBatch returns the matrices of all parts, one after another. All stacks panic if there are no
// parts or if the other two dimensions differ.
func (t *Tape) StackBatch(parts ...*Node) *Node { return t.stack("StackBatch", batchAxis, parts) }

// StackRows returns, for every b, the matrices b of all parts stacked vertically.
func (t *Tape) StackRows(parts ...*Node) *Node { return t.stack("StackRows", rowAxis, parts) }

// StackCols returns, for every b, the matrices b of all parts side by side.
func (t *Tape) StackCols(parts ...*Node) *Node { return t.stack("StackCols", colAxis, parts) }

func (t *Tape) stack(name string, x axis, parts []*Node) *Node {
	if len(parts) == 0 {
		panic("autodiff: " + name + " without parts")
	}
	first, total := parts[0], 0
	for _, p := range parts {
		if !x.stackable(first, p) {
			panic(fmt.Sprintf("autodiff: %s: shapes %s and %s do not match", name, first.shape(), p.shape()))
		}
		_, size, _ := x.split(p)
		total += size
	}
	batch, rows, cols := x.resized(first, total)
	out := t.Output(batch, rows, cols, parts...)
	outer, _, inner := x.split(first)
	blocks := stackBlocks(parts, outer, total*inner)
	return t.Record(out, func() error {
		for _, s := range blocks {
			for o := 0; o < s.outer; o++ {
				copy(out.Value[o*s.stride+s.offset:], s.part.Value[o*s.width:(o+1)*s.width])
			}
		}
		return nil
	}, func() {
		for _, s := range blocks {
			if !s.part.Wanted() {
				continue
			}
			g := out.Grad()
			dp, beta := s.part.GradBeta()
			for o := 0; o < s.outer; o++ {
				accumulate(dp[o*s.width:(o+1)*s.width], g[o*s.stride+s.offset:], beta)
			}
		}
	})
}

// stackable reports whether the shapes differ only along the axis.
func (x axis) stackable(a, b *Node) bool {
	batch, rows, cols := x.resized(a, 1)
	otherBatch, otherRows, otherCols := x.resized(b, 1)
	return batch == otherBatch && rows == otherRows && cols == otherCols
}

// block is the position of one part in a stack: outer runs of width entries, which start at offset
// and are stride apart.
type block struct {
	part                         *Node
	outer, offset, width, stride int
}

func stackBlocks(parts []*Node, outer, stride int) []block {
	blocks := make([]block, len(parts))
	offset := 0
	for i, p := range parts {
		width := p.Len() / outer
		blocks[i] = block{part: p, outer: outer, offset: offset, width: width, stride: stride}
		offset += width
	}
	return blocks
}
