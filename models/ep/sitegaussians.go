package ep

import (
	"dgplab/models/autodiff"
	"dgplab/models/kernel"
	"dgplab/models/linalg"
	"dgplab/models/linalg/vec"
)

// tilePoints is the number of points per tile. A tile stores M (M+1)/2 expectations of kernel
// products for each point.
const tilePoints = 8

// gaussians matches moments for a GP of a layer above the first, with Gaussian inputs. With alpha
// and beta the gradients of log Z with respect to the mean and the variance of f, and A as in
// meanWeights,
//
//	g = P (alpha psi_1 + 2 beta psi_2 A),  D = beta P psi_2 P^T.
type gaussians struct {
	*site
	marginal
	q             *autodiff.Node // L^-1 P, [1][M][M]
	weights       *autodiff.Node // A, [1][1][M]
	first, second *kernel.PsiTable
	others        []other

	tiles  linalg.Tiling
	chains [linalg.MaxChains]gaussianChain
	loop   linalg.Loop
}

// other is another GP of the same layer with correlated outputs.
type other struct {
	products *kernel.PsiTable // of the two kernels, the later GP's first
	weights  *autodiff.Node   // A of the other GP
	from     *autodiff.Node   // covariances of the outputs, [1][T(T-1)/2][B]
	row      int
	later    bool // the other GP comes later in the layer
}

// gaussianChain holds the scratch memory and the sums of a chain.
type gaussianChain struct {
	first, second *kernel.PsiTile
	others        []*kernel.PsiTile

	psi, half        []float64 // psi_2 and Q psi_2 of the points of a tile, [M][tile][M]
	left, root, wide []float64 // [M][M]
	x, g, fg         []float64 // [M]

	sum      []float64 // sum of F, lower triangle, [M][M]
	sumFirst []float64 // sum of F L^-1 g, [M]
	matched  int
}

// atGaussians sets s.match for Gaussian inputs and the given moments of f.
func (s *site) atGaussians(t *autodiff.Tape, in moments, f marginal) *gaussians {
	m, b := s.g.inducing, in.mean.Cols
	out := &gaussians{site: s, marginal: f, q: t.SolveLower(s.root, s.mirror.inverse),
		weights: s.cavity.meanWeights(t),
		first:   kernel.FirstTable(t, s.mirror.RBFNodes, in.mean, in.vr),
		second:  kernel.SquareTable(t, s.mirror.RBFNodes, in.mean, in.vr)}
	out.tiles = linalg.Tiling{
		Points: b,
		Width:  min(b, tilePoints),
		Chains: min((b+tilePoints-1)/tilePoints, linalg.MaxChains),
	}
	for k := range out.chains[:out.tiles.Chains] {
		ch := &out.chains[k]
		ch.first = out.first.NewTile(out.tiles.Width)
		ch.second = out.second.NewTile(out.tiles.Width)
		ch.psi = make([]float64, m*out.tiles.Width*m)
		ch.half = make([]float64, m*out.tiles.Width*m)
		for _, square := range []*[]float64{&ch.left, &ch.root, &ch.wide, &ch.sum} {
			*square = make([]float64, m*m)
		}
		ch.x = make([]float64, m)
		ch.g = make([]float64, m)
		ch.fg = make([]float64, m)
		ch.sumFirst = make([]float64, m)
	}
	out.loop.Body = out.work
	s.match = out
	return out
}

// addCorrelated adds the covariance of the outputs with another GP of the layer, given in row r of
// covariances.
func (g *gaussians) addCorrelated(
	t *autodiff.Tape, in moments, o *gaussians, later bool, covariances *autodiff.Node, r int,
) {
	i, j := g.mirror.RBFNodes, o.mirror.RBFNodes
	if later {
		i, j = j, i
	}
	e := other{
		products: kernel.ProductTable(t, i, j, in.mean, in.vr),
		weights:  o.weights,
		from:     covariances,
		row:      r,
		later:    later,
	}
	g.others = append(g.others, e)
	for k := range g.chains[:g.tiles.Chains] {
		g.chains[k].others = append(g.chains[k].others, e.products.NewTile(g.tiles.Width))
	}
}

// sum implements matcher.
func (g *gaussians) sum(h, hh []float64) (matched int) {
	for k := range g.chains[:g.tiles.Chains] {
		ch := &g.chains[k]
		clear(ch.sum)
		clear(ch.sumFirst)
		ch.matched = 0
	}
	// Allocate gradients that were never written: the chains only read them.
	g.mean.Grad()
	g.vr.Grad()
	for _, o := range g.others {
		o.from.Grad()
	}
	g.loop.Run(g.tiles.Chains)
	all := &g.chains[0]
	for k := 1; k < g.tiles.Chains; k++ {
		ch := &g.chains[k]
		vec.AddScaled(all.sum, ch.sum, 1)
		vec.AddScaled(all.sumFirst, ch.sumFirst, 1)
		all.matched += ch.matched
	}
	g.unwhiten(h, hh)
	return all.matched
}

// unwhiten converts the sums over points to H and h.
func (g *gaussians) unwhiten(h, hh []float64) {
	all, m, l := &g.chains[0], g.mirror.inducing, g.root.Value
	linalg.Mirror(all.sum, m)
	for i := range m {
		all.sum[i*m+i] -= float64(all.matched)
	}
	linalg.Gemm(false, false, m, m, m, 1, l, all.sum, 0, all.wide)
	linalg.Gemm(false, true, m, m, m, 1, all.wide, l, 0, hh)
	linalg.Mirror(hh, m)
	linalg.Gemm(false, false, m, 1, m, 1, l, all.sumFirst, 0, h)
	linalg.Gemm(false, false, m, 1, m, 1, hh, g.cavity.a.Value, 1, h)
}

// work processes the tiles of chain k.
func (g *gaussians) work(k int) {
	ch, m := &g.chains[k], g.mirror.inducing
	betas := g.vr.Grad()
	g.tiles.Each(k, func(start, end int) {
		n := end - start
		ch.first.Load(start, end)
		ch.second.Load(start, end)
		for _, t := range ch.others {
			t.Load(start, end)
		}
		ch.second.Squares(ch.psi)
		linalg.Gemm(false, false, m, n*m, m, 1, g.q.Value, ch.psi, 0, ch.half)
		for p := range n {
			g.gradient(ch, start+p, p, n)
			g.add(ch, betas[start+p], p, n)
		}
	})
}

// gradient sets ch.g to L^-1 g of point b, which is point p of n in the tile.
func (g *gaussians) gradient(ch *gaussianChain, b, p, n int) {
	m, a := g.mirror.inducing, g.weights.Value
	alpha := g.mean.Grad()[b]
	beta := g.vr.Grad()[b]
	for i := range ch.x {
		ch.x[i] = alpha*ch.first.Term(i, p) + 2*beta*vec.Dot(ch.psi[(i*n+p)*m:][:m], a)
	}
	for k, o := range g.others {
		slope := o.from.Grad()[o.row*o.from.Cols+b]
		o.add(ch.x, ch.others[k], p, slope)
	}
	linalg.Gemm(false, false, m, 1, m, 1, g.q.Value, ch.x, 0, ch.g)
}

// add adds slope psi_2 A to x, with psi_2 the expected product of both kernels and A the weights of
// the other GP.
func (o *other) add(x []float64, t *kernel.PsiTile, p int, slope float64) {
	k := 0
	if o.later {
		for _, w := range o.weights.Value {
			for i := range x {
				x[i] += slope * w * t.Term(k, p)
				k++
			}
		}
		return
	}
	for i := range x {
		for _, w := range o.weights.Value {
			x[i] += slope * w * t.Term(k, p)
			k++
		}
	}
}

// add adds F and F L^-1 g of point p of n in the tile to the sums, given ch.g and beta. It skips
// the point if F is not positive definite.
func (g *gaussians) add(ch *gaussianChain, beta float64, p, n int) {
	m := g.mirror.inducing
	linalg.LowerProduct(m, m, 2*beta, ch.half[p*m:], n*m, g.q.Value, m, 0, ch.left)
	for i, v := range ch.g {
		row := ch.left[i*m : i*m+i+1]
		vec.AddScaled(row, ch.g[:i+1], -v)
		row[i]++
	}
	if !linalg.TryCholesky(ch.root, ch.left, m) {
		return
	}
	ch.matched++
	copy(ch.wide, g.g.identity.Value)
	linalg.SolveLowerTrans(ch.root, ch.wide, m, m, m)
	linalg.LowerProduct(m, m, 1, ch.wide, m, ch.wide, m, 1, ch.sum)
	linalg.Gemm(true, false, m, 1, m, 1, ch.wide, ch.g, 0, ch.fg)
	linalg.Gemm(false, false, m, 1, m, 1, ch.wide, ch.fg, 1, ch.sumFirst)
}
