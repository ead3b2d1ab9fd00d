package linear

import (
	"dgplab/models/likelihood"
	"dgplab/models/stats"
)

// link is log p(y | f) of N points with L latent functions each. The derivatives are at the
// argument of the last call of at. log p(y | f) is concave in f.
type link interface {
	// latents returns L.
	latents() int
	// at returns the sum over points at f, [N][L].
	at(f []float64) float64
	// slope sets dst, [L], to the derivative of the term of a point with respect to f.
	slope(dst []float64, point int)
	// weight returns the negative second derivative with respect to latent functions a and b.
	weight(point, a, b int) float64
	// drift sets dst, [L], to the derivative with respect to f of the sum of s, [L][L], times the
	// weights.
	drift(dst, s []float64, point int)
}

// probit is p(y | f) = Phi(y f) for y of -1 and +1.
type probit struct {
	y    []float64
	z, r []float64 // y f, and the derivative of log Phi there
}

func newProbit(y []float64) *probit {
	return &probit{y: y, z: make([]float64, len(y)), r: make([]float64, len(y))}
}

func (*probit) latents() int { return 1 }

func (l *probit) at(f []float64) (sum float64) {
	for i, y := range l.y {
		var value float64
		l.z[i] = y * f[i]
		value, l.r[i] = stats.LogCDFGrad(l.z[i])
		sum += value
	}
	return sum
}

func (l *probit) slope(dst []float64, i int) { dst[0] = l.y[i] * l.r[i] }

func (l *probit) weight(i, _, _ int) float64 { return l.r[i] * (l.z[i] + l.r[i]) }

// drift follows from dr/dz = -r (z + r).
func (l *probit) drift(dst, s []float64, i int) {
	r, z := l.r[i], l.z[i]
	dst[0] = s[0] * l.y[i] * r * (1 - (z+r)*(z+2*r))
}

// softmax is p(y = k | f) = exp f_k / sum_j exp f_j for classes y from 0 to L-1.
type softmax struct {
	y   []float64
	l   int
	p   []float64 // probabilities, [N][L]
	log []float64 // log probabilities of one point, [L]
}

func newSoftmax(y []float64, classes int) *softmax {
	return &softmax{y: y, l: classes, p: make([]float64, len(y)*classes), log: make([]float64, classes)}
}

func (l *softmax) latents() int { return l.l }

func (l *softmax) row(i int) []float64 { return l.p[i*l.l : (i+1)*l.l] }

func (l *softmax) at(f []float64) (sum float64) {
	for i, y := range l.y {
		likelihood.LogSoftmax(l.log, l.row(i), f[i*l.l:(i+1)*l.l])
		sum += l.log[int(y)]
	}
	return sum
}

func (l *softmax) slope(dst []float64, i int) {
	for k, p := range l.row(i) {
		dst[k] = -p
	}
	dst[int(l.y[i])]++
}

func (l *softmax) weight(i, a, b int) float64 {
	p := l.row(i)
	if a == b {
		return p[a] * (1 - p[a])
	}
	return -p[a] * p[b]
}

// drift follows from dp_a/df_c = p_a (1[a = c] - p_c). The sum of s times the weights is sum_a p_a
// s_aa - p^T s p.
func (l *softmax) drift(dst, s []float64, i int) {
	p := l.row(i)
	var diagonal, square float64
	for a, v := range p {
		dst[a] = 0
		for b, w := range p {
			dst[a] += s[a*l.l+b] * w
		}
		diagonal += v * s[a*l.l+a]
		square += v * dst[a]
	}
	for c, v := range p {
		dst[c] = v * (s[c*l.l+c] - diagonal - 2*dst[c] + 2*square)
	}
}
