package view

import (
	"fmt"
	"math"
)

// Amortization shows the inducing points of some inputs in each layer of a model with amortised
// inference, where inference functions map every input to its own inducing points and q.
type Amortization struct {
	// Layers lists all layers of the model. They have the same inputs in the same order.
	Layers []AmortizedLayer `json:"layers"`
}

// AmortizedLayer summarises the outputs of the inference functions of a layer.
type AmortizedLayer struct {
	// Width is D, the input width of the layer; Outputs is T and Inducing is M.
	Width    int `json:"width"`
	Outputs  int `json:"outputs"`
	Inducing int `json:"inducing"`
	// Axes names the two axes of the projection plane: the inputs of the layer if there are at most
	// two, otherwise the principal directions of the inputs of the inference functions over the
	// data. The second is "" for a single input.
	Axes [2]string `json:"axes"`
	// SeenX and SeenY are projected inputs of the inference functions at training inputs, [N'].
	SeenX Rounded `json:"seen_x"`
	SeenY Rounded `json:"seen_y"`
	// Inputs lists some training inputs, spread over the data, with their inducing points.
	Inputs []AmortizedInput `json:"inputs"`
	// Distances summarises the distances of inducing points from the inputs that generated them.
	// Means and SDs summarise q over data, inducing points and outputs.
	Distances Spread `json:"distances"`
	Means     Spread `json:"means"`
	SDs       Spread `json:"sds"`
	// Rank is the median over the M inducing points of the effective rank of an inducing point over
	// the data; see EffectiveRank. SeenRank is the effective rank of the inputs of the inference
	// functions, which an invertible map nearly preserves.
	Rank     Float `json:"rank"`
	SeenRank Float `json:"seen_rank"`
	// Collapsed reports whether more than half of the inducing points have degenerated to a
	// subspace; see RankCollapsed.
	Collapsed bool `json:"collapsed"`
}

// AmortizedInput holds the outputs of the inference functions of a layer at one input.
type AmortizedInput struct {
	// X and Y are the projected input, and ZX and ZY are its projected inducing points, [M].
	X  Float   `json:"x"`
	Y  Float   `json:"y"`
	ZX Rounded `json:"z_x"`
	ZY Rounded `json:"z_y"`
	// Mean and SD are the moments of q for each output, [T][M].
	Mean []Rounded `json:"mean"`
	SD   []Rounded `json:"sd"`
	// Factor holds the rows, up to the diagonal, of the lower Cholesky factor of the covariance of
	// q for each output, [T][M(M+1)/2]. It is nil if the covariance is diagonal.
	Factor []Rounded `json:"factor,omitempty"`
}

// Spread holds the 5, 25, 50, 75 and 95 % quantiles of a set of numbers.
type Spread [5]Float

// spreadLevels are the levels of a Spread.
var spreadLevels = [5]float64{0.05, 0.25, 0.5, 0.75, 0.95}

// NewSpread returns the quantiles of sorted numbers, with linear interpolation. They are NaN if
// sorted is empty.
func NewSpread(sorted []float64) (s Spread) {
	for k, level := range spreadLevels {
		if len(sorted) == 0 {
			s[k] = Float(math.NaN())
			continue
		}
		at := level * float64(len(sorted)-1)
		i := min(int(at), max(len(sorted)-2, 0))
		j := min(i+1, len(sorted)-1)
		s[k] = Float(sorted[i] + (at-float64(i))*(sorted[j]-sorted[i]))
	}
	return s
}

// EffectiveRank returns the participation ratio (sum v)^2 / sum v^2 of the variances along the
// principal axes, which are the squared singular values of centred points. It is D if D variances
// are equal and the others are 0, and 0 if all are 0.
func EffectiveRank(variances []float64) float64 {
	var sum, squares float64
	for _, v := range variances {
		sum += v
		squares += v * v
	}
	if squares == 0 {
		return 0
	}
	return sum * sum / squares
}

const (
	// Thresholds of RankCollapsed.
	collapsedRank, collapsedScale = 0.1, 1e-4
)

// RankCollapsed reports whether an inducing point has degenerated to a subspace or a point. rank
// and variance (over the data, summed over directions) describe the inducing point; seen and
// seenVariance describe the inputs of the inference function. The inducing point has collapsed if
// its rank exceeds 1 by less than a tenth of the excess of the inputs, or if its variance is less
// than 1e-4 of the variance of the inputs.
//
// Meng, Zhang, 2024, appendix C.2 and Fig. 10, show inducing points that deep perceptrons have
// mapped to a subspace of the plane, and describe the consequences, but give no criterion. In the
// plane, this criterion is met by points in a strip 4 to 5 times as long as it is wide (in standard
// deviations) if the inputs are isotropic.
func RankCollapsed(rank, variance, seen, seenVariance float64) bool {
	if seenVariance == 0 {
		return false
	}
	return variance < collapsedScale*seenVariance || rank-1 < collapsedRank*(seen-1)
}

// Check returns an error unless all layers have the same inputs, each with all its inducing points.
func (a *Amortization) Check() error {
	for l, layer := range a.Layers {
		if n := len(a.Layers[0].Inputs); len(layer.Inputs) != n || len(layer.SeenX) != len(layer.SeenY) {
			return fmt.Errorf("layer %d has inducing points for %d inputs, layer 1 for %d",
				l+1, len(layer.Inputs), n)
		}
		for i, in := range layer.Inputs {
			if !in.fits(layer.Outputs, layer.Inducing) {
				return fmt.Errorf("input %d does not have %d inducing points and %d outputs in layer %d",
					i+1, layer.Inducing, layer.Outputs, l+1)
			}
		}
	}
	return nil
}

// fits reports whether an input has m inducing points and their q for t outputs.
func (in AmortizedInput) fits(t, m int) bool {
	if len(in.ZX) != m || len(in.ZY) != m || len(in.Mean) != t || len(in.SD) != t ||
		in.Factor != nil && len(in.Factor) != t {
		return false
	}
	for k := range t {
		if len(in.Mean[k]) != m || len(in.SD[k]) != m || in.Factor != nil && len(in.Factor[k]) != m*(m+1)/2 {
			return false
		}
	}
	return true
}

// Blocks returns the covariance map of input i, with an independent part for each output of each
// layer. It is max-pooled to about MaxCells cells per side.
func (a *Amortization) Blocks(i int) *Blocks {
	variables := 0
	for _, layer := range a.Layers {
		variables += layer.Outputs * layer.Inducing
	}
	b := &Blocks{}
	for l, layer := range a.Layers {
		cells := layer.Inducing
		if variables > MaxCells {
			cells = max(1, cells*MaxCells/variables)
		}
		for t := range layer.Outputs {
			b.Parts = append(b.Parts, Part{Group: l, Index: t, Size: layer.Inducing, Cells: cells})
		}
	}
	side, first := b.Side(), 0
	b.Log10 = make(Symmetric, side*side)
	for k := range b.Log10 {
		b.Log10[k] = math.Inf(-1)
	}
	for _, part := range b.Parts {
		in := a.Layers[part.Group].Inputs[i]
		for r := range part.Size {
			for c := range part.Size {
				cell := &b.Log10[(first+r*part.Cells/part.Size)*side+first+c*part.Cells/part.Size]
				*cell = math.Max(*cell, math.Log10(math.Abs(in.covariance(part.Index, r, c))))
			}
		}
		first += part.Cells
	}
	return b
}

// covariance returns the covariance of inducing outputs r and c of output t.
func (in AmortizedInput) covariance(t, r, c int) (sum float64) {
	if in.Factor == nil {
		if r != c {
			return 0
		}
		return in.SD[t][r] * in.SD[t][r]
	}
	row := func(i int) []float64 { return in.Factor[t][i*(i+1)/2 : (i+1)*(i+2)/2] }
	a := row(r)
	b := row(c)
	for k := range min(len(a), len(b)) {
		sum += a[k] * b[k]
	}
	return sum
}
