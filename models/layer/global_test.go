package layer

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"dgplab/models/autodiff"
	"dgplab/models/familytest"
	"dgplab/models/linalg"
	"dgplab/models/oracletest"
	"dgplab/models/param"
)

// trial is a layer with random parameters on a tape, and a scalar that depends on all results of
// the layer. The results are computed by the operation under test or by the reference.
type trial struct {
	tape      *autodiff.Tape
	layer     *Global
	in        *autodiff.Node
	moments   Moments
	objective *autodiff.Node
}

// newTrial records a layer, or its reference, at p points.
func newTrial(c GlobalConfig, p int, byReference bool) *trial {
	c.Layer, c.Jitter = "layer 1", 1e-6
	t := autodiff.NewTape()
	g := NewGlobal(t, c)
	r := &trial{tape: t, layer: g, in: t.Variable(1, c.Inputs, p)}
	rng := rand.New(rand.NewPCG(7, uint64(p)))
	for _, q := range g.Parameters() {
		start(rng, q)
	}
	normals(rng, r.in.Value, 1.5)
	r.moments = g.Record(t, r.in, nil)
	if byReference {
		r.moments = reference(t, g, r.in)
	}
	weigh := func(n *autodiff.Node) *autodiff.Node {
		w := t.Constant(n.Batch, n.Rows, n.Cols)
		normals(rng, w.Value, 1)
		return t.Sum(t.Mul(n, w))
	}
	r.objective = t.Add(t.Add(weigh(r.moments.Mean), weigh(r.moments.Var)), t.Scale(r.moments.KL, 0.3))
	return r
}

func normals(rng *rand.Rand, v []float64, scale float64) {
	for i := range v {
		v[i] = scale * rng.NormFloat64()
	}
}

// start sets a parameter to random admissible values.
func start(rng *rand.Rand, q Param) {
	n := q.Node
	name := q.Name
	if _, positive := q.Transform.(param.Positive); positive {
		name = "positive"
	}
	switch name {
	case "positive":
		for i := range n.Value {
			n.Value[i] = 0.5 + rng.Float64()
		}
	case "q_sqrt", "orthogonal_sqrt":
		for k := range n.Value {
			row, col := k/n.Cols%n.Rows, k%n.Cols
			switch {
			case col < row:
				n.Value[k] = 0.3 * rng.NormFloat64()
			case col == row:
				n.Value[k] = 0.5 + rng.Float64()
			}
		}
	default:
		normals(rng, n.Value, 1)
	}
}

// reference records the definition of a layer, output by output, from operations of other packages.
// It does not whiten unless q is whitened.
func reference(t *autodiff.Tape, g *Global, in *autodiff.Node) Moments {
	var means, variances []*autodiff.Node
	var kl *autodiff.Node
	for k := range g.Config.Outputs {
		of := output{t: t, g: g, k: k}
		mean, variance, divergence := of.marginals(in)
		means = append(means, mean)
		variances = append(variances, variance)
		if k > 0 {
			divergence = t.Add(divergence, kl)
		}
		kl = divergence
	}
	return Moments{Mean: t.StackRows(means...), Var: t.StackRows(variances...), KL: kl}
}

// output is one output of a reference layer.
type output struct {
	t *autodiff.Tape
	g *Global
	k int
}

func (o output) kuf(z, x *autodiff.Node) *autodiff.Node {
	return o.t.SliceBatch(o.g.Kernels.RecordKuf(o.t, z, x), o.k, o.k+1)
}

func (o output) kuu(z *autodiff.Node) *autodiff.Node {
	return o.t.SliceBatch(o.g.Kernels.RecordKuu(o.t, z, o.g.Config.Jitter), o.k, o.k+1)
}

func (o output) marginals(in *autodiff.Node) (mean, variance, kl *autodiff.Node) {
	t, g := o.t, o.g
	kuu := o.kuu(g.Z)
	kzx := o.kuf(g.Z, in)
	prior := t.Sub(t.SliceRows(g.Kernels.RecordDiagonal(t, in), o.k, o.k+1),
		t.ColDots(t.SolveLower(t.Cholesky(kuu, ""), kzx), t.SolveLower(t.Cholesky(kuu, ""), kzx)))
	mean, variance, kl = o.gaussian(g.Q[0], kuu, kzx, g.Z)
	variance = t.Add(prior, variance)
	if g.O != nil {
		root := t.Cholesky(kuu, "")
		cross := t.SolveLower(root, o.kuf(g.Z, t.Transpose(g.O)))
		c := t.Sub(o.kuu(g.O),
			t.MatMul(cross, cross, autodiff.TransA))
		cx := t.Sub(o.kuf(g.O, in), t.MatMul(cross, t.SolveLower(root, kzx), autodiff.TransA))
		solved := t.SolveLower(t.Cholesky(c, ""), cx)
		m, v, d := o.gaussian(g.Q[1], c, cx, nil)
		mean = t.Add(mean, m)
		kl = t.Add(kl, d)
		variance = t.Add(variance, t.Sub(v, t.ColDots(solved, solved)))
	}
	if g.MeanW != nil {
		mean = t.Add(mean, t.MatMul(t.SliceCols(g.MeanW, o.k, o.k+1), in, autodiff.TransA))
	}
	return mean, variance, kl
}

// gaussian returns the contributions of q to the mean and the variance at the points, and the KL of
// q. kuu is the prior covariance of the inducing outputs, and kux is their covariance with the
// points.
func (o output) gaussian(q Gaussian, kuu, kux, z *autodiff.Node) (mean, variance, kl *autodiff.Node) {
	t, n := o.t, q.Mu.Cols
	mu := t.Transpose(t.SliceRows(q.Mu, o.k, o.k+1))
	factor := t.Constant(1, n, n)
	if o.g.Config.Diagonal {
		factor = t.AddDiag(factor, t.Transpose(t.SliceRows(q.Factor, o.k, o.k+1)))
	} else {
		factor = t.SliceBatch(q.Factor, o.k, o.k+1)
	}
	root := t.Cholesky(kuu, "")
	logs := t.LogDiag(root)
	projection := t.SolveLowerTrans(root, t.SolveLower(root, kux))
	if o.g.Config.Whiten {
		root = t.AddDiagConstant(t.Constant(1, n, n), 1)
		logs = t.Scale(logs, 0)
		projection = t.SolveLower(t.Cholesky(kuu, ""), kux)
	} else if z != nil && o.g.MeanW != nil {
		mu = t.Sub(mu, t.MatMul(z, t.SliceCols(o.g.MeanW, o.k, o.k+1)))
	}
	h := t.MatMul(factor, projection, autodiff.TransA)
	white := t.SolveLower(root, mu)
	trace := t.Sum(t.Square(t.SolveLower(root, factor)))
	kl = t.Scale(t.AddScalar(t.Add(trace, t.Sum(t.Square(white))), -float64(n)), 0.5)
	return t.MatMul(mu, projection, autodiff.TransA), t.ColDots(h, h),
		t.Add(kl, t.Sub(logs, t.LogDiag(factor)))
}

func (r *trial) forward(t *testing.T) float64 {
	t.Helper()
	if err := r.tape.Forward(); err != nil {
		t.Fatal(err)
	}
	return r.objective.Value[0]
}

// leaves returns the leaves with gradients, by name.
func (r *trial) leaves() map[string]*autodiff.Node {
	list := map[string]*autodiff.Node{"inputs": r.in}
	for _, q := range r.layer.Parameters() {
		list[q.Name] = q.Node
	}
	return list
}

// forms runs a subtest for every configuration of a layer.
func forms(t *testing.T, run func(t *testing.T, c GlobalConfig)) {
	kernels := []string{"rbf", "matern32", "matern52", "rq(0) + periodic(1)*linear(0)"}
	const mixed = "rbf & matern12 + linear(0) & matern32"
	for k := range 32 {
		bit := func(b int) bool { return k>>b&1 == 1 }
		c := GlobalConfig{Kernel: familytest.Kernel(t, kernels[(k+k/4)%4], 2),
			Inputs: 2, Outputs: 3, Inducing: 5,
			ARD: bit(0), LinearMean: bit(1) && !bit(4), Diagonal: bit(2), Whiten: bit(3)}
		if bit(4) {
			c.Orthogonal = 4
		}
		if k%8 == 7 {
			c.Kernel = familytest.Kernel(t, mixed, 2)
		}
		t.Run(fmt.Sprintf("%v ard=%t linear=%t diagonal=%t whiten=%t orthogonal=%d",
			c.Kernel, c.ARD, c.LinearMean, c.Diagonal, c.Whiten, c.Orthogonal),
			func(t *testing.T) { run(t, c) })
	}
}

// The layer and all its derivatives must equal the definition, also for more points than fit in a
// tile.
func TestGlobalAgainstDefinition(t *testing.T) {
	forms(t, func(t *testing.T, c GlobalConfig) {
		for _, points := range []int{1, 7, 700} {
			if points == 700 && testing.Short() {
				continue
			}
			got := newTrial(c, points, false)
			want := newTrial(c, points, true)
			oracletest.Close(t, "objective", []float64{got.forward(t)}, []float64{want.forward(t)}, 1e-10)
			oracletest.Close(t, "mean", got.moments.Mean.Value, want.moments.Mean.Value, 1e-10)
			oracletest.Close(t, "variance", got.moments.Var.Value, want.moments.Var.Value, 1e-10)
			oracletest.Close(t, "KL", got.moments.KL.Value, want.moments.KL.Value, 1e-10)
			for range 2 { // a second sweep must reset the gradients
				got.tape.Backward(got.objective)
			}
			want.tape.Backward(want.objective)
			reference := want.leaves()
			for name, leaf := range got.leaves() {
				oracletest.Close(t, fmt.Sprintf("gradient of %s, %d points", name, points),
					lowerOnly(name, leaf),
					lowerOnly(name, reference[name]), 1e-8)
			}
		}
	})
}

// lowerOnly returns the gradient of a leaf; for a factor, only its lower triangle.
func lowerOnly(name string, leaf *autodiff.Node) []float64 {
	g := append([]float64(nil), leaf.Grad()...)
	if name != "q_sqrt" && name != "orthogonal_sqrt" {
		return g
	}
	for k := range g {
		if k%leaf.Cols > k/leaf.Cols%leaf.Rows {
			g[k] = 0
		}
	}
	return g
}

func TestGlobalGradientsAgainstCentralDifferences(t *testing.T) {
	forms(t, func(t *testing.T, c GlobalConfig) {
		r := newTrial(c, 6, false)
		r.forward(t)
		r.tape.Backward(r.objective)
		for name, leaf := range r.leaves() {
			for i, g := range lowerOnly(name, leaf) {
				v := leaf.Value[i]
				if (name == "q_sqrt" || name == "orthogonal_sqrt") && i%leaf.Cols > i/leaf.Cols%leaf.Rows {
					continue
				}
				const h = 1e-5
				leaf.Value[i] = v + h
				up := r.forward(t)
				leaf.Value[i] = v - h
				down := r.forward(t)
				leaf.Value[i] = v
				if want := (up - down) / (2 * h); !(math.Abs(g-want) <= 2e-6*math.Max(1, math.Abs(want))) {
					t.Fatalf("gradient of %s[%d] is %v, central difference %v", name, i, g, want)
				}
			}
		}
	})
}

func TestGlobalIsDeterministicAndAllocatesNothing(t *testing.T) {
	c := GlobalConfig{
		Kernel:     familytest.Kernel(t, "matern52", 3),
		Inputs:     3,
		Outputs:    5,
		Inducing:   40,
		Whiten:     true,
		LinearMean: true,
	}
	for _, c.Diagonal = range []bool{false, true} {
		run := func(processors int) []float64 {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
			r := newTrial(c, 600, false)
			step := func() {
				r.forward(t)
				r.tape.Backward(r.objective)
			}
			step()
			// products of gonum allocate
			if a := testing.AllocsPerRun(20, step); a != 0 && linalg.Kernels() != "gonum" {
				t.Errorf("%v allocations a step on %d processors", a, processors)
			}
			all := []float64{r.objective.Value[0]}
			for _, q := range r.layer.Parameters() {
				all = append(all, q.Node.Grad()...)
			}
			return append(all, r.in.Grad()...)
		}
		one := run(1)
		two := run(2)
		for i, v := range one {
			if v != two[i] {
				t.Fatalf("number %d is %v on one processor, %v on two", i, v, two[i])
			}
		}
	}
}

// The mean and the covariance of unwhitened inducing outputs must equal the parameters.
func TestGlobalCovariance(t *testing.T) {
	for _, diagonal := range []bool{false, true} {
		c := GlobalConfig{
			Kernel:   familytest.Kernel(t, "matern32", 2),
			Inputs:   2,
			Outputs:  2,
			Inducing: 5,
			Diagonal: diagonal,
			// The mean of q(u) includes the mean function.
			LinearMean: true,
		}
		r := newTrial(c, 3, false)
		r.forward(t)
		n := r.layer.Inducing()
		for k := range 2 {
			oracletest.Close(t, "mean", r.layer.Mean(k), r.layer.Q[0].Mu.Row(k), 1e-12)
			want := make([]float64, n*n)
			for i := range n {
				for j := range n {
					for m := range n {
						want[i*n+j] += factorAt(r.layer.Q[0].Factor, diagonal, k, i, m) *
							factorAt(r.layer.Q[0].Factor, diagonal, k, j, m)
					}
				}
			}
			oracletest.Close(t, "covariance", r.layer.Covariance(k), want, 1e-12)
		}
		if m := r.layer.Matrices(nil, nil)[0]; m.Name != "K_uu of layer 1" || !(m.Condition > 1) ||
			!(m.SmallestPivot > 0) || m.Jitter != 1e-6 {
			t.Errorf("%+v", m)
		}
	}
}

// factorAt returns an entry of the factor of output k.
func factorAt(n *autodiff.Node, diagonal bool, k, i, j int) float64 {
	switch {
	case !diagonal:
		return n.At(k)[i*n.Cols+j]
	case i == j:
		return n.Row(k)[i]
	}
	return 0
}
