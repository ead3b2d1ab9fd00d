package layer

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"dgplab/models/autodiff"
	"dgplab/models/kernel"
	"dgplab/models/linalg"
	"dgplab/models/oracletest"
)

// shape is the configuration of a conditional under test.
type shape struct {
	d, t, m, g, s int
	kind          kernel.Stationary
	ard, full     bool
	whiten        bool
}

var shapes = []shape{
	{d: 2, t: 1, m: 3, g: 5, s: 1, kind: kernel.RBF},
	{d: 3, t: 2, m: 4, g: 3, s: 2, kind: kernel.Matern52},
	{d: 2, t: 2, m: 3, g: 4, s: 3, kind: kernel.Matern32, ard: true},
	{d: 1, t: 2, m: 2, g: 3, s: 2, kind: kernel.RBF, full: true},
	{d: 2, t: 1, m: 1, g: 2, s: 2, kind: kernel.Matern52, ard: true, full: true},
	{d: 2, t: 2, m: 3, g: 4, s: 2, kind: kernel.Matern52, whiten: true},
	{d: 2, t: 2, m: 3, g: 4, s: 1, kind: kernel.RBF, ard: true, full: true, whiten: true},
	{d: 2, t: 1, m: 5, g: 150, s: 1, kind: kernel.Matern52, full: true},
}

func (s shape) String() string {
	return fmt.Sprintf("kernel %d D=%d T=%d M=%d G=%d S=%d ard=%t full=%t whiten=%t",
		s.kind, s.d, s.t, s.m, s.g, s.s, s.ard, s.full, s.whiten)
}

// instance is a conditional with leaves as inputs.
type instance struct {
	shape
	tape   *autodiff.Tape
	op     *localConditional
	leaves map[string]*autodiff.Node
	value  *autodiff.Node // weighted sum of all outputs
}

// newInstance records a conditional at random inputs.
func newInstance(s shape, jitter float64) *instance {
	rng := rand.New(rand.NewPCG(3, uint64(s.d*100+s.m)))
	t := autodiff.NewTape()
	in := &instance{shape: s, tape: t, leaves: map[string]*autodiff.Node{}}
	leaf := func(name string, rows, cols int, draw func() float64) *autodiff.Node {
		n := t.Variable(1, rows, cols)
		for i := range n.Value {
			n.Value[i] = draw()
		}
		in.leaves[name] = n
		return n
	}
	positive := func() float64 { return 0.5 + rng.Float64() }
	spreads, scales := s.m, 1
	if s.full {
		spreads = triangle(s.m)
	}
	if s.ard {
		scales = s.d
	}
	spread := leaf("spread", s.t*spreads, s.g, rng.NormFloat64)
	for i := range spread.Value { // positive entries are also valid below the diagonals
		spread.Value[i] = 0.3 + math.Abs(spread.Value[i])
	}
	in.op = &localConditional{
		Form: s.kind.Form(), Matrix: "K_uu",
		Inputs: s.d, Outputs: s.t, Inducing: s.m, Full: s.full, Whiten: s.whiten, Jitter: jitter,
		In: leaf("in", s.d, s.s*s.g, rng.NormFloat64), Z: leaf("z", s.m*s.d, s.g, rng.NormFloat64),
		Delta: leaf("delta", s.t*s.m, s.g, rng.NormFloat64), Spread: spread,
		Lengthscales: leaf("lengthscales", s.t, scales, positive),
		Variance:     leaf("variance", s.t, 1, positive),
	}
	mean, vr, kl := in.op.record(t)
	var parts []*autodiff.Node
	for _, n := range []*autodiff.Node{mean, vr, kl} {
		weights := t.Constant(n.Batch, n.Rows, n.Cols)
		for i := range weights.Value {
			weights.Value[i] = rng.NormFloat64()
		}
		parts = append(parts, t.Sum(t.Mul(n, weights)))
	}
	in.value = t.Add(t.Add(parts[0], parts[1]), parts[2])
	return in
}

// covariance is k(z, x) of one output, from its definition.
func (in *instance) covariance(o int, a, b []float64) float64 {
	var r2 float64
	for d := range a {
		l := in.op.Lengthscales.Row(o)
		t := (a[d] - b[d]) / l[min(d, len(l)-1)]
		r2 += t * t
	}
	v := in.op.Variance.Value[o]
	switch r := math.Sqrt(r2); in.kind {
	case kernel.Matern32:
		return v * (1 + math.Sqrt(3)*r) * math.Exp(-math.Sqrt(3)*r)
	case kernel.Matern52:
		return v * (1 + math.Sqrt(5)*r + 5*r2/3) * math.Exp(-math.Sqrt(5)*r)
	}
	return v * math.Exp(-r2/2)
}

// column returns the given number of entries of column c of n, starting at the given row.
func column(n *autodiff.Node, c, from, rows int) []float64 {
	out := make([]float64, rows)
	for r := range out {
		out[r] = n.Value[(from+r)*n.Cols+c]
	}
	return out
}

// reference computes the moments of sample s of column g of output o, and the KL of the column's
// inducing outputs, with dense matrices.
func (in *instance) reference(t *testing.T, o, g, s int) (mean, vr, kl float64) {
	m, op := in.m, in.op
	z := make([][]float64, m)
	for i := range z {
		z[i] = column(op.Z, g, i*in.d, in.d)
	}
	k := make([]float64, m*m)
	l := make([]float64, m*m)
	q := make([]float64, m*m)
	for i := range m {
		for j := range m {
			k[i*m+j] = in.covariance(o, z[i], z[j])
		}
		k[i*m+i] += op.Jitter
	}
	if _, err := linalg.Cholesky(l, k, m, "K"); err != nil {
		t.Fatal(err)
	}
	for i := range m { // q is the factor of the covariance of q(u)
		for j := range i + 1 {
			if in.full {
				q[i*m+j] = op.Spread.Value[(o*triangle(m)+packed(i, j))*in.g+g]
			} else if i == j {
				q[i*m+i] = op.Spread.Value[(o*m+i)*in.g+g]
			}
		}
	}
	delta := column(op.Delta, g, o*m, m)
	if in.whiten {
		delta = lowerTimes(l, delta, m, 1)
		q = lowerTimes(l, q, m, m)
	}
	x := column(op.In, s*in.g+g, 0, in.d)
	w := make([]float64, m) // K^-1 k(z, x)
	for i := range w {
		w[i] = in.covariance(o, z[i], x)
	}
	kx := append([]float64(nil), w...)
	linalg.SolveLower(l, w, m, 1, 1)
	linalg.SolveLowerTrans(l, w, m, 1, 1)
	vr = op.Variance.Value[o]
	for i := range m {
		mean += w[i] * delta[i]
		vr -= w[i] * kx[i]
		var u float64
		for j := range m {
			u += q[j*m+i] * w[j]
		}
		vr += u * u
	}
	// KL = (tr K^-1 S + delta^T K^-1 delta - M + log |K| - log |S|)/2
	linalg.SolveLower(l, delta, m, 1, 1)
	solved := append([]float64(nil), q...)
	linalg.SolveLower(l, solved, m, m, m)
	for i := range m {
		kl += 0.5*delta[i]*delta[i] - 0.5 + math.Log(l[i*m+i]) - math.Log(q[i*m+i])
		for j := range m {
			kl += 0.5 * solved[i*m+j] * solved[i*m+j]
		}
	}
	return mean, vr, kl
}

// lowerTimes returns the product of a lower triangular matrix and b, n x k.
func lowerTimes(l, b []float64, n, k int) []float64 {
	out := make([]float64, n*k)
	linalg.Gemm(false, false, n, k, n, 1, l, b, 0, out)
	return out
}

func TestConditionalByDefinition(t *testing.T) {
	for _, s := range shapes {
		in := newInstance(s, 1e-6)
		if err := in.tape.Forward(); err != nil {
			t.Fatal(err)
		}
		for g := range s.g {
			var kl float64
			for o := range s.t {
				var part float64
				for k := range s.s {
					var mean, vr float64
					mean, vr, part = in.reference(t, o, g, k)
					oracletest.Close(t, s.String()+" mean", in.op.mean.Row(o)[k*s.g+g:][:1],
						[]float64{mean}, 1e-9)
					oracletest.Close(t, s.String()+" variance", in.op.vr.Row(o)[k*s.g+g:][:1],
						[]float64{vr}, 1e-9)
				}
				kl += part
			}
			oracletest.Close(t, s.String()+" KL", in.op.kl.Value[g:g+1], []float64{kl}, 1e-9)
		}
	}
}

func TestConditionalGradients(t *testing.T) {
	for _, s := range shapes {
		if s.g > 20 {
			continue
		}
		in := newInstance(s, 1e-2)
		checkGradients(t, s.String(), in.tape, in.value, in.leaves)
	}
}

// checkGradients compares all gradients of value with central differences.
func checkGradients(
	t *testing.T, what string, tape *autodiff.Tape, value *autodiff.Node, leaves map[string]*autodiff.Node,
) {
	t.Helper()
	at := func() float64 {
		if err := tape.Forward(); err != nil {
			t.Fatal(err)
		}
		return value.Value[0]
	}
	at()
	tape.Backward(value)
	for name, n := range leaves {
		grad := append([]float64(nil), n.Grad()...)
		for i, g := range grad {
			const h = 1e-4
			x := n.Value[i]
			f := func(shift float64) float64 { n.Value[i] = x + shift; return at() }
			want := (8*(f(h)-f(-h)) - (f(2*h) - f(-2*h))) / (12 * h)
			n.Value[i] = x
			if math.Abs(g-want) > 1e-7*math.Max(1, math.Abs(want)) {
				t.Errorf("%s: derivative by %s[%d] is %g, central difference %g", what, name, i, g, want)
				break
			}
		}
	}
}

// Repeated inducing points must need jitter. For NaN inputs the error must name the matrix.
func TestConditionalErrors(t *testing.T) {
	in := newInstance(shapes[len(shapes)-1], -1e-9)
	for i := 1; i < in.m; i++ { // one repeated point, slightly smaller diagonal: no factor
		copy(in.op.Z.Value[i*in.d*in.g:(i+1)*in.d*in.g], in.op.Z.Value)
	}
	if err := in.tape.Forward(); err != nil {
		t.Fatal(err)
	}
	if by := in.tape.RescuesByMatrix(); by["K_uu"] == 0 {
		t.Errorf("rescues %v", by)
	}
	for g := range in.g {
		if v := in.op.vr.Value[g]; !(v > 0) || math.IsInf(v, 0) {
			t.Errorf("variance %d is %v", g, v)
		}
	}
	in.op.Z.Value[0] = math.NaN()
	var nan *linalg.NaNError
	if err := in.tape.Forward(); !errors.As(err, &nan) || nan.Matrix != "K_uu" {
		t.Errorf("got %v", err)
	}
}
