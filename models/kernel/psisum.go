package kernel

import (
	"dgplab/models/autodiff"
	"dgplab/models/linalg"
	"dgplab/models/linalg/vec"
)

const (
	// tilePoints and blockBumps are the numbers of points and bumps processed at a time. The values
	// of a block take 64 kB, which fits in the second-level cache.
	tilePoints, blockBumps = 64, 128
)

// field evaluates bumps at P points.
//
// With t = 1/(r + s), an exponent is -t (mu - c)^2/2. The exponents and the logarithms of the
// preceding factors are computed as one matrix product, of the basis (1, c, c^2) of each bump and
// the features of each point. The sums in the gradients are also matrix products. Coordinates are
// relative to the mean of the centres, to avoid cancellation in the squares.
type field struct {
	Bumps
	mean, vr    *autodiff.Node
	dims, bumps int
	terms       int // terms of a basis, 2D + 1

	basis  []float64 // [K][2D+1]
	origin []float64 // [D]
}

func newField(b Bumps, mean, vr *autodiff.Node) field {
	f := field{Bumps: b, mean: mean, vr: vr, dims: mean.Rows, bumps: b.Weights.Cols, terms: 2*mean.Rows + 1}
	f.basis = make([]float64, f.bumps*f.terms)
	f.origin = make([]float64, f.dims)
	return f
}

// workspace holds the intermediate values for a tile of points and a block of bumps.
type workspace struct {
	features, e []float64 // [2D+1][tile], [block][tile]
	precisions  []float64 // t, [D][tile]
	logs        []float64 // [tile]
}

func (f *field) newWorkspace(points, block int) workspace {
	return workspace{features: make([]float64, f.terms*points),
		e:          make([]float64, min(block, f.bumps)*points),
		precisions: make([]float64, f.dims*points), logs: make([]float64, points)}
}

// sum is the operation recorded by ExpectedSum.
type sum struct {
	field
	out      *autodiff.Node
	weighted []float64 // weighted basis, [K][2D+1]
	q        []float64 // gradient of out during backward

	tiles            linalg.Tiling
	chains           [linalg.MaxChains]chain
	forward, reverse linalg.Loop
}

// chain is the workspace of a chain of tiles, with the sums that it accumulates.
type chain struct {
	workspace

	back, moments []float64 // [2D+1][tile]
	sums          []float64 // [K][2D+1]
	dWidths       []float64 // [D]
}

// ExpectedSum records the expected sum of bumps, [1][1][P], at points with the given input means and
// variances, [1][D][P]. Zero variances are valid.
func ExpectedSum(t *autodiff.Tape, b Bumps, mean, vr *autodiff.Node) *autodiff.Node {
	s := &sum{field: newField(b, mean, vr)}
	s.out = t.Output(1, 1, mean.Cols, b.Weights, b.Centres, b.Widths, mean, vr)
	count := (mean.Cols + tilePoints - 1) / tilePoints
	s.tiles = linalg.Tiling{
		Points: mean.Cols,
		Width:  (mean.Cols + count - 1) / count,
		Chains: min(count, linalg.MaxChains),
	}
	for k := range s.chains[:s.tiles.Chains] {
		s.chains[k].workspace = s.newWorkspace(s.tiles.Width, blockBumps)
	}
	s.forward.Body, s.reverse.Body = s.evaluate, s.differentiate
	return t.Record(s.out, func() error {
		s.computeBasis()
		s.forward.Run(s.tiles.Chains)
		return nil
	}, s.backward)
}

// evaluate computes the tiles of a chain.
func (s *sum) evaluate(k int) {
	ch := &s.chains[k]
	s.tiles.Each(k, func(start, end int) {
		n := end - start
		s.computeFeatures(&ch.workspace, start, end)
		out := s.out.Value[start:end]
		clear(out)
		for first := 0; first < s.bumps; first += blockBumps {
			last := min(first+blockBumps, s.bumps)
			e := s.evaluateBumps(&ch.workspace, first, last, n)
			for i, w := range s.Weights.Value[first:last] {
				vec.AddScaled(out, e[i*n:(i+1)*n], w)
			}
		}
	})
}

// computeBasis computes the basis of the current centres.
func (f *field) computeBasis() {
	for d := range f.dims {
		row := f.Centres.Row(d)
		var total float64
		for _, c := range row {
			total += c
		}
		o := total / float64(len(row))
		f.origin[d] = o
		for k, c := range row {
			c -= o
			at := k * f.terms
			f.basis[at] = 1
			f.basis[at+1+d], f.basis[at+1+f.dims+d] = c, c*c
		}
	}
}

// computeFeatures computes the precisions and features of the points of a tile.
func (f *field) computeFeatures(ws *workspace, start, end int) {
	n := end - start
	constant := ws.features[:n]
	clear(constant)
	for d, r := range f.Widths.Value {
		t := ws.precisions[d*n : (d+1)*n]
		linear := ws.features[(1+d)*n : (2+d)*n]
		square := ws.features[(1+f.dims+d)*n : (2+f.dims+d)*n]
		mean := f.mean.Row(d)[start:end]
		vr := f.vr.Row(d)[start:end]
		for p, v := range vr {
			t[p] = 1 / (r + v)
			square[p] = r * t[p]
		}
		logs := ws.logs[:n]
		vec.Log(logs, square)
		for p, x := range mean {
			x -= f.origin[d]
			constant[p] += 0.5 * (logs[p] - t[p]*x*x)
			linear[p], square[p] = t[p]*x, -0.5*t[p]
		}
	}
}

// evaluateBumps returns the values of bumps first to last-1, without their weights, at the n points
// of a tile, [last-first][n].
func (f *field) evaluateBumps(ws *workspace, first, last, n int) []float64 {
	e := ws.e[:(last-first)*n]
	linalg.Gemm(false, false, last-first, n, f.terms, 1, f.basis[first*f.terms:last*f.terms],
		ws.features[:f.terms*n], 0, e)
	vec.Exp(e, e)
	return e
}
