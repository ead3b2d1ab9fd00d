package kernel

import (
	"dgplab/models/autodiff"
	"dgplab/models/linalg/vec"
)

// FirstBumps returns the bumps of sum_a weights_a k(h, a), for weights [1][1][M].
func FirstBumps(t *autodiff.Tape, k RBFNodes, weights *autodiff.Node) Bumps {
	return Bumps{
		Weights: t.Mul(weights, k.Variance),
		Centres: t.Transpose(k.Z),
		Widths:  t.Square(k.Lengthscales),
	}
}

// SquareBumps returns the bumps of sum_ab weights_ab k(h, a) k(h, b), one for each unordered pair,
// for weights [1][M][M].
func SquareBumps(t *autodiff.Tape, k RBFNodes, weights *autodiff.Node) Bumps {
	return recordProduct(t, &product{i: k, j: k, weights: weights, same: true})
}

// ProductBumps returns the bumps of sum_ab weights_ab k_i(h, a) k_j(h, b), for weights
// [1][M_i][M_j].
func ProductBumps(t *autodiff.Tape, i, j RBFNodes, weights *autodiff.Node) Bumps {
	return recordProduct(t, &product{i: i, j: j, weights: weights})
}

// product is the operation that computes the bumps of a product of two kernels.
type product struct {
	i, j    RBFNodes
	weights *autodiff.Node
	same    bool // i is j: pairs (a, b) with b <= a stand for both orders
	Bumps

	factors []float64 // factors of the weights, [K]
}

func recordProduct(t *autodiff.Tape, p *product) Bumps {
	rows, columns, dims := p.i.Z.Rows, p.j.Z.Rows, p.i.Z.Cols
	bumps := rows * columns
	if p.same {
		bumps = rows * (rows + 1) / 2
	}
	kernels := []*autodiff.Node{p.i.Z, p.j.Z, p.i.Lengthscales, p.j.Lengthscales}
	p.Bumps = Bumps{
		Weights: t.Output(1, 1, bumps, append(kernels, p.weights, p.i.Variance, p.j.Variance)...),
		Centres: t.Output(1, dims, bumps, kernels...), Widths: t.Output(1, 1, dims, kernels[2:]...),
	}
	p.factors = make([]float64, bumps)
	t.RecordAll([]*autodiff.Node{p.Weights, p.Centres, p.Widths}, func() error {
		p.forward()
		return nil
	}, p.backward)
	return p.Bumps
}

// numPairs returns the number of inducing inputs b that are paired with inducing input a of i.
func (p *product) numPairs(a int) int {
	if p.same {
		return a + 1
	}
	return p.j.Z.Rows
}

// scales returns the squared lengthscales of dimension d.
func (p *product) scales(d int) (pp, qq float64) {
	l, m := p.i.Lengthscales.Value[d], p.j.Lengthscales.Value[d]
	return l * l, m * m
}

func (p *product) forward() {
	dims := p.i.Z.Cols
	clear(p.factors)
	for d := range dims {
		pp, qq := p.scales(d)
		total := pp + qq
		p.Widths.Value[d] = pp * qq / total
		centres, k := p.Centres.Row(d), 0
		for a := range p.i.Z.Rows {
			x := p.i.Z.Value[a*dims+d]
			for b := range p.numPairs(a) {
				y := p.j.Z.Value[b*dims+d]
				centres[k] = (qq*x + pp*y) / total
				p.factors[k] += (x - y) * (x - y) / total
				k++
			}
		}
	}
	vec.RBF.Covariance(p.factors, p.i.Variance.Value[0]*p.j.Variance.Value[0])
	p.eachPair(func(k, ab, ba int) {
		w := p.weights.Value[ab]
		if ba != ab {
			w += p.weights.Value[ba]
		}
		p.Weights.Value[k] = w * p.factors[k]
	})
}

// eachPair calls visit for every bump k with the indices of its weights, ab and ba. The indices
// differ if the bump stands for both orders.
func (p *product) eachPair(visit func(k, ab, ba int)) {
	columns, k := p.j.Z.Rows, 0
	for a := range p.i.Z.Rows {
		for b := range p.numPairs(a) {
			ab := a*columns + b
			ba := ab
			if p.same {
				ba = b*columns + a
			}
			visit(k, ab, ba)
			k++
		}
	}
}

func (p *product) backward() {
	dWeights := p.Weights.Grad()
	if p.weights.Wanted() {
		d := p.weights.Grad()
		p.eachPair(func(k, ab, ba int) {
			g := p.factors[k] * dWeights[k]
			d[ab] += g
			if ba != ab {
				d[ba] += g
			}
		})
	}
	var logs float64
	for k, w := range p.Weights.Value {
		dWeights[k] *= w // with respect to the logarithm of the factor
		logs += dWeights[k]
	}
	for _, v := range []*autodiff.Node{p.i.Variance, p.j.Variance} {
		if v.Wanted() {
			v.Grad()[0] += logs / v.Value[0]
		}
	}
	for d := range p.i.Z.Cols {
		p.backwardAlong(d, dWeights)
	}
}

// backwardAlong adds the gradients of dimension d, given the gradients with respect to the
// logarithms of the factors.
func (p *product) backwardAlong(d int, dLogs []float64) {
	dims, bumps := p.i.Z.Cols, len(p.factors)
	pp, qq := p.scales(d)
	total := pp + qq
	alpha, beta := qq/total, pp/total
	dCentres := p.Centres.Grad()[d*bumps : (d+1)*bumps]
	dZi := gradOf(p.i.Z)
	dZj := gradOf(p.j.Z)
	var squares, across float64 // sums of dLogs (a-b)^2 and dCentres (a-b)
	k := 0
	for a := range p.i.Z.Rows {
		x := p.i.Z.Value[a*dims+d]
		for b := range p.numPairs(a) {
			gap := x - p.j.Z.Value[b*dims+d]
			pull := dLogs[k] * gap / total
			squares += dLogs[k] * gap * gap
			across += dCentres[k] * gap
			if dZi != nil {
				dZi[a*dims+d] += alpha*dCentres[k] - pull
			}
			if dZj != nil {
				dZj[b*dims+d] += beta*dCentres[k] + pull
			}
			k++
		}
	}
	both := 0.5 * squares / (total * total)
	width := p.Widths.Grad()[d]
	if l := gradOf(p.i.Lengthscales); l != nil {
		l[d] += 2 * p.i.Lengthscales.Value[d] * (both - across*alpha/total + width*alpha*alpha)
	}
	if l := gradOf(p.j.Lengthscales); l != nil {
		l[d] += 2 * p.j.Lengthscales.Value[d] * (both + across*beta/total + width*beta*beta)
	}
}

// gradOf returns the gradient of n, or nil if n needs none.
func gradOf(n *autodiff.Node) []float64 {
	if !n.Wanted() {
		return nil
	}
	return n.Grad()
}
