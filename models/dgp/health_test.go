package dgp

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/familytest"
	"dgplab/models/view"
)

// healthOf returns a model of a variant after n steps, and its matrix report.
func healthOf(t *testing.T, variant string, n int) (*Model, *view.Matrices) {
	t.Helper()
	m := build(t, nameOf(variant), familytest.Wave(40, 1), variants()[variant]...)
	familytest.Steps(t, m, n)
	report, err := m.health()
	if err != nil {
		t.Fatal(err)
	}
	return m, report
}

// health returns the report for the current parameters.
func (m *Model) health() (*view.Matrices, error) {
	if err := m.refresh(); err != nil {
		return nil, err
	}
	return m.matrices()
}

// matrixNamed returns the entry of a report with the given name.
func matrixNamed(t *testing.T, report *view.Matrices, name string) view.Matrix {
	t.Helper()
	for _, e := range report.Matrices {
		if e.Name == name {
			return e
		}
	}
	t.Fatalf("no %s among %v", name, report.Matrices)
	return view.Matrix{}
}

// checkCondition compares an estimate with gonum's condition number, with a tolerance that is
// proportional to its value, to allow for rounding errors.
func checkCondition(t *testing.T, what string, got view.Float, a mat.Matrix) {
	t.Helper()
	want := mat.Cond(a, 1)
	if tolerance := 1e-6 + 1e-13*want; !(math.Abs(float64(got)/want-1) < tolerance) {
		t.Errorf("%s: condition %g, want %g", what, got, want)
	}
}

func checkWithin[F ~float64](t *testing.T, what string, got F, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(float64(got)-want) <= tolerance*math.Max(1, math.Abs(want))) {
		t.Errorf("%s is %g, want %g", what, got, want)
	}
}

// denseFactor returns the whitened L_S of all inducing outputs.
func denseFactor(p *posterior) *mat.Dense {
	l := mat.NewDense(p.outputs(), p.outputs(), nil)
	for i, row := range p.rows {
		for _, j := range row {
			b := p.factorOf(i, j)
			l.Slice(p.starts[i], p.starts[i+1], p.starts[j],
				p.starts[j+1]).(*mat.Dense).Copy(mat.NewDense(b.Rows, b.Cols, b.Data))
		}
	}
	return l
}

// productWithTranspose returns l l^T.
func productWithTranspose(l mat.Matrix) *mat.Dense {
	var a mat.Dense
	a.Mul(l, l.T())
	return &a
}

func TestPosteriorMatricesMatchDense(t *testing.T) {
	for variant := range variants() {
		// With a contracted start, the condition numbers of hidden layers are too large to compare.
		m := build(t, nameOf(variant), familytest.Wave(40, 1),
			append(variants()[variant], map[string]string{"inner_scale": "1"})...)
		familytest.Steps(t, m, 30)
		report, err := m.health()
		if err != nil {
			t.Fatal(err)
		}
		p := m.post
		factor := denseFactor(p)
		s := productWithTranspose(factor)
		effective := make([]float64, len(p.layers))
		for i, l := range p.layer {
			name := p.nameOf("S_M", i)
			e := matrixNamed(t, report, name)
			size, from, to := p.points(i), p.starts[i], p.starts[i+1]
			own := factor.Slice(from, to, from, to)
			checkCondition(t, variant+", "+name, e.Condition, productWithTranspose(own))
			least := math.Inf(1)
			for k := range size {
				least = math.Min(least, own.At(k, k)*own.At(k, k))
			}
			checkWithin(t, variant+", pivot of "+name, e.SmallestPivot, least, 1e-12)
			effective[l] += (float64(size) - mat.Trace(s.Slice(from, to, from, to))) / float64(p.widths[l])
		}
		for l, want := range effective {
			checkWithin(t, fmt.Sprintf("%s: effective number of layer %d", variant, l+1),
				report.Effective[l], want, 1e-10)
		}
		if len(p.layers) > 1 {
			m := build(t, nameOf(variant), familytest.Wave(40, 1), variants()[variant]...)
			report, err := m.health()
			if err != nil {
				t.Fatal(err)
			}
			for l, e := range report.Effective {
				if math.IsNaN(float64(e)) != (l < len(p.layers)-1) {
					t.Errorf("%s: effective number %v of layer %d with contracted hidden layers",
						variant, e, l+1)
				}
			}
		}
		joint := slices.ContainsFunc(report.Matrices, func(e view.Matrix) bool { return e.Name == "S_M" })
		if coupled := p.NumBlocks() > p.NumGPs(); joint != coupled {
			t.Errorf("%s: S_M in the report: %v, GPs coupled: %v", variant, joint, coupled)
		} else if joint {
			got := float64(matrixNamed(t, report, "S_M").Condition)
			want := mat.Norm(s, 1) * mat.Norm(inverseOf(t, s), 1)
			if !(got <= want*(1+1e-9) && got >= want/3) {
				t.Errorf("%s: condition %g of S_M, exact value %g", variant, got, want)
			}
		}
	}
}

func TestPriorMatricesMatchDense(t *testing.T) {
	for _, variant := range []string{"star", "svgp", "star unwhitened", "star uneven"} {
		m, report := healthOf(t, variant, 8)
		p := m.post
		for l, n := range p.layers {
			size := p.inducing[l]
			e := matrixNamed(t, report, kuuName(l))
			k := mat.NewDense(size, size, nil)
			layer := m.arch.Layers[l]
			z := mat.DenseCopyOf(mat.NewDense(size, layer.Inputs, n.z.Value).T()).RawMatrix().Data
			n.kernel.Kff(k.RawMatrix().Data, 0, z)
			for i := range size {
				k.Set(i, i, k.At(i, i)+m.arch.Jitter)
			}
			checkCondition(t, variant+", "+e.Name, e.Condition, k)
			sym := mat.NewSymDense(size, nil)
			for i := range size {
				for j := range i + 1 {
					sym.SetSym(i, j, k.At(i, j))
				}
			}
			var c mat.Cholesky
			c.Factorize(sym)
			var lower mat.TriDense
			c.LTo(&lower)
			least := math.Inf(1)
			for i := range size {
				least = math.Min(least, lower.At(i, i)*lower.At(i, i))
			}
			checkWithin(t, "pivot of "+e.Name, float64(e.SmallestPivot)/least, 1, 1e-6)
			if float64(e.Jitter) != m.arch.Jitter || e.Layer != l || e.GP != -1 || e.Rescues != 0 {
				t.Errorf("%s: %+v", variant, e)
			}
		}
	}
}

// The covariance of a point is assembled from its forms a^T S a' as in Theorem 1, without the
// Cholesky recursion.
func TestPointMatricesMatchDense(t *testing.T) {
	for _, variant := range []string{"mean-field", "star", "fully-coupled", "chain",
		"svgp", "fully-coupled uneven"} {
		m, report := healthOf(t, variant, 8)
		g, err := m.probeGraph(healthSeed)
		if err != nil {
			t.Fatal(err)
		}
		p := m.post
		for i, l := range p.layer {
			e := matrixNamed(t, report, g.matrixOf(i))
			gps := p.ancestry(i)
			columns := g.residual[l].Cols
			worst, least := 0.0, math.Inf(1)
			for n := range columns {
				s := g.denseAt(gps, n)
				pivot := 1 / inverseOf(t, s).At(len(gps)-1, len(gps)-1)
				least = math.Min(least, pivot)
				if step := columns / min(columns, conditionPoints); n%step == 0 && n/step < conditionPoints {
					worst = math.Max(worst, mat.Cond(s, 1))
				}
			}
			checkWithin(t, variant+", pivot of "+e.Name, float64(e.SmallestPivot)/least, 1, 1e-6)
			checkWithin(t, variant+", condition of "+e.Name, float64(e.Condition)/worst, 1, 1e-6)
			if e.Jitter != 0 || e.Layer != l || e.GP != p.position(i) {
				t.Errorf("%s: %+v", variant, e)
			}
			if nameOf(variant) == "mean-field" && e.Condition != 1 {
				t.Errorf("%s: condition %g for a variance", variant, e.Condition)
			}
		}
	}
}

// denseAt returns the covariance of some GPs at a column.
func (g *graph) denseAt(gps []int, column int) *mat.Dense {
	s := mat.NewDense(len(gps), len(gps), nil)
	for r, i := range gps {
		for c, j := range gps[:r+1] {
			l := g.post.layer[i]
			var value float64
			if form, ok := g.forms[l][pair{i, j}]; ok {
				value = form.at(column)
			}
			if i == j {
				value += vector{g.residual[l], 0}.at(column)
			}
			s.Set(r, c, value)
			s.Set(c, r, value)
		}
	}
	return s
}

func inverseOf(t *testing.T, a *mat.Dense) *mat.Dense {
	t.Helper()
	var inverse mat.Dense
	if err := inverse.Inverse(a); err != nil {
		t.Fatal(err)
	}
	return &inverse
}

func TestLayerKLsAddUp(t *testing.T) {
	for variant := range variants() {
		m, report := healthOf(t, variant, 8)
		var sum view.Float
		for _, kl := range report.KLByLayer {
			sum += kl
			if !(kl >= 0) {
				t.Errorf("%s: KL %g of a layer", variant, kl)
			}
		}
		// A step reports the KL of the parameters before the step.
		checkWithin(t, variant+": sum of the KLs", sum, familytest.Steps(t, m, 1).Terms[1], 1e-12)
	}
}

func TestLayerKLIsConditional(t *testing.T) {
	for _, variant := range []string{"fully-coupled", "fully-coupled uneven"} {
		checkLayerKLs(t, variant)
	}
}

func checkLayerKLs(t *testing.T, variant string) {
	m, report := healthOf(t, variant, 30)
	p := m.post
	// KL(v^1 .. v^l) of the marginal over the first l layers, from dense formulas. By the chain
	// rule its increase is the KL of layer l.
	s, before := productWithTranspose(denseFactor(p)), 0.0
	var mu []float64
	for l, n := range p.layers {
		mu = append(mu, n.mu.Value...)
		dim := len(mu)
		lead := mat.NewSymDense(dim, nil)
		for i := range dim {
			for j := range i + 1 {
				lead.SetSym(i, j, s.At(i, j))
			}
		}
		var c mat.Cholesky
		if !c.Factorize(lead) {
			t.Fatal("S_M is not positive definite")
		}
		all := 0.5 * (mat.Trace(lead) + sumSquares(mu) - float64(dim) - c.LogDet())
		checkWithin(t, fmt.Sprintf("%s: KL of layer %d with %d inducing points",
			variant, l+1, p.inducing[l]), report.KLByLayer[l], all-before, 1e-8)
		before = all
	}
}

func TestRescuesByMatrix(t *testing.T) {
	m := build(t, "star", familytest.Wave(40, 1), small, map[string]string{"jitter": "0"})
	// Make two inducing inputs of layer 2 coincide.
	z := m.post.layers[1].z
	copy(z.Value[:z.Cols], z.Value[z.Cols:2*z.Cols])
	if err := m.problem.Set.Inverse(); err != nil {
		t.Fatal(err)
	}
	before, err := m.health()
	if err != nil {
		t.Fatal(err)
	}
	e := matrixNamed(t, before, "K_MM of layer 2")
	if e.Rescues != 0 || math.Abs(float64(e.Jitter)-1e-6) > 1e-9 || !(e.Condition > 1e5) {
		t.Errorf("before any step: %+v", e)
	}
	total := familytest.Steps(t, m, 1).Rescues
	m.problem.tape.CountRescues("another matrix", 3)
	report, err := m.health()
	if err != nil {
		t.Fatal(err)
	}
	if e := matrixNamed(t, report, "K_MM of layer 2"); total < 1 || e.Rescues != total {
		t.Errorf("%d rescues in a step; %+v", total, e)
	}
	if e := report.Matrices[len(report.Matrices)-1]; e.Name != "another matrix" || e.Rescues != 3 ||
		!math.IsNaN(float64(e.Condition)) {
		t.Errorf("the last entry is %+v", e)
	}
	if m.problem.tape.Rescues() != total+3 {
		t.Errorf("the report changed the count from %d to %d", total+3, m.problem.tape.Rescues())
	}
}

func TestJitterOfLiftedPivots(t *testing.T) {
	m, _ := healthOf(t, "fully-coupled", 1)
	g, err := m.probeGraph(healthSeed)
	if err != nil {
		t.Fatal(err)
	}
	i := m.post.first[1]
	c, _ := g.cholEntry(i, i)
	marginal := g.forms[1][pair{i, i}].at(5) + g.residual[1].Value[5]
	row := c.value()
	row[5] = math.Sqrt(row[5]*row[5] + 1e-4*marginal)
	checkWithin(t, "jitter", g.jitterOf(i)/(1e-4*marginal), 1, 1e-6)
}

func TestTimeShares(t *testing.T) {
	for variant := range variants() {
		m, report := healthOf(t, variant, 2)
		if len(report.Shares) != 0 || report.TimedSteps != 0 {
			t.Fatalf("%s: time shares without timed steps", variant)
		}
		reads := 0
		clock := func() time.Duration { reads++; return time.Duration(reads) * time.Millisecond }
		for range 3 {
			m.TimeNextStep(clock)
			familytest.Steps(t, m, 1)
		}
		after := reads
		familytest.Steps(t, m, 2)
		if reads != after {
			t.Errorf("%s: an untimed step read the clock %d times", variant, reads-after)
		}
		report = checkShares(t, variant, m, 3)
		if first := report.Shares[0]; first.Name != partNames[partMinibatch] ||
			math.Abs(float64(first.Share)*float64(after-3)-3) > 1e-9 {
			t.Errorf("%s: first part %+v of %d laps", variant, first, after-3)
		}
		checkShares(t, variant+", once more", m, 3)
		m.TimeNextStep(clock)
		familytest.Steps(t, m, 1)
		checkShares(t, variant+", one more", m, 4)
		slow := func() time.Duration { reads++; return time.Duration(reads) * time.Hour }
		for range maxTimedSteps {
			m.TimeNextStep(slow)
			familytest.Steps(t, m, 1)
		}
		got := checkShares(t, variant+", others", m, maxTimedSteps).Shares
		for i, want := range report.Shares {
			checkWithin(t, variant+", share of "+want.Name+" without the first steps",
				got[i].Share,
				float64(want.Share), 1e-9)
		}
	}
}

// checkShares checks the time shares of a report and returns the report.
func checkShares(t *testing.T, what string, m *Model, steps int) *view.Matrices {
	t.Helper()
	report, err := m.health()
	if err != nil {
		t.Fatal(err)
	}
	var sum, layers view.Float
	var names []string
	for _, s := range report.Shares {
		sum += s.Share
		names = append(names, s.Name)
	}
	for _, s := range report.ShareByLayer {
		layers += s
	}
	checkWithin(t, what+": sum of the shares", sum, 1, 1e-12)
	if report.TimedSteps != steps || len(report.ShareByLayer) != len(m.arch.Layers) ||
		!(layers > 0 && layers < 1) {
		t.Errorf("%s: %d timed steps, want %d; shares of layers %v",
			what, report.TimedSteps, steps, report.ShareByLayer)
	}
	if !strings.HasSuffix(strings.Join(names, ","), partNames[partOptimiser]) {
		t.Errorf("%s: parts %v", what, names)
	}
	return report
}

func TestReportsDoNotAffectTraining(t *testing.T) {
	for variant, sets := range variants() {
		plain := build(t, nameOf(variant), familytest.Wave(40, 1), sets...)
		watched := build(t, nameOf(variant), familytest.Wave(40, 1), sets...)
		familytest.Steps(t, plain, 6)
		for range 3 {
			watched.TimeNextStep(func() time.Duration { return 0 })
			familytest.Steps(t, watched, 2)
			if _, err := watched.health(); err != nil {
				t.Fatal(err)
			}
		}
		familytest.SameState(t, variant, plain, watched)
	}
}

// Solving with the covariance of coupled GPs undoes multiplying by it.
func TestSolveCovarianceInvertsTimesCovariance(t *testing.T) {
	for _, variant := range []string{"star", "fully-coupled"} {
		set := append(variants()[variant], map[string]string{"inner_scale": "1"})
		m := build(t, variant, familytest.Wave(40, 1), set...)
		familytest.Steps(t, m, 30)
		x := make([]float64, m.post.outputs())
		for i := range x {
			x[i] = math.Sin(float64(3 * i))
		}
		got := slices.Clone(x)
		m.post.timesCovariance(got)
		m.post.solveCovariance(got)
		for i := range x {
			checkWithin(t, fmt.Sprintf("%s: entry %d", variant, i), got[i], x[i], 1e-8)
		}
	}
}
