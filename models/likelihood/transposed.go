package likelihood

// Transposed evaluates a likelihood with K latent functions per target on data that are stored
// function by function: means, variances and their derivatives are [K][C] for C rows. Disjoint
// ranges of rows may be evaluated concurrently.
type Transposed struct {
	functions, rows       int
	mean, vr, dMean, dVar []float64 // [C][K]
}

// NewTransposed returns an evaluator with space for the given number of rows of l.
func NewTransposed(l Likelihood, rows int) *Transposed {
	t := &Transposed{functions: l.Latents(), rows: rows}
	for _, part := range []*[]float64{&t.mean, &t.vr, &t.dMean, &t.dVar} {
		*part = make([]float64, rows*t.functions)
	}
	return t
}

// Evaluate calls of, an expectation of the likelihood, for rows start to end-1. The slices hold all
// rows, except dParams, which belongs to the given ones.
func (t *Transposed) Evaluate(
	of Expectation, terms, dMean, dVar, dParams, y, mean, vr, params []float64, start, end int,
) {
	from, to := start*t.functions, end*t.functions
	t.transpose(t.mean, mean, start, end)
	t.transpose(t.vr, vr, start, end)
	of(terms[start:end], t.dMean[from:to], t.dVar[from:to], dParams, y[start:end],
		t.mean[from:to], t.vr[from:to], params)
	t.back(dMean, t.dMean, start, end)
	t.back(dVar, t.dVar, start, end)
}

func (t *Transposed) transpose(dst, src []float64, start, end int) {
	for k := range t.functions {
		for i, v := range src[k*t.rows+start : k*t.rows+end] {
			dst[(start+i)*t.functions+k] = v
		}
	}
}

func (t *Transposed) back(dst, src []float64, start, end int) {
	for k := range t.functions {
		row := dst[k*t.rows+start : k*t.rows+end]
		for i := range row {
			row[i] = src[(start+i)*t.functions+k]
		}
	}
}
