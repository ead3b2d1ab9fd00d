package view

import (
	"fmt"
	"math"

	"dgplab/models/number"
)

// Amortization is where the inducing points of some inputs lie, in each layer of a model
// whose inference functions give every input inducing points and a q of its own.
type Amortization struct {
	// Layers are all of the model. Their inputs are the same ones, in the same order.
	Layers []AmortizedLayer `json:"layers"`
}

// AmortizedLayer is what the inference functions of a layer make of what they see.
type AmortizedLayer struct {
	// Width is D, the width of the layer's input; Outputs is T, Inducing M.
	Width    int `json:"width"`
	Outputs  int `json:"outputs"`
	Inducing int `json:"inducing"`
	// Axes names the two directions of the plane that everything is projected to: the
	// layer's input itself where that has two, else the principal directions of what is
	// seen over the data, and "" for a second one that a single input does not have.
	Axes [2]string `json:"axes"`
	// SeenX and SeenY are what the inference functions see of training inputs, [N'].
	SeenX number.Rounded `json:"seen_x"`
	SeenY number.Rounded `json:"seen_y"`
	// Inputs are those with their inducing points, spread over the training data.
	Inputs []AmortizedInput `json:"inputs"`
	// Distances are of inducing points from what they were made of; Means and SDs are of
	// q over data, inducing points and outputs.
	Distances Spread `json:"distances"`
	Means     Spread `json:"means"`
	SDs       Spread `json:"sds"`
	// Rank is the effective rank of an inducing point over the data, the median over all
	// M: see EffectiveRank. SeenRank is that of what they are made of, which an
	// invertible map nearly keeps.
	Rank     number.Float `json:"rank"`
	SeenRank number.Float `json:"seen_rank"`
	// Collapsed says that more than half of the inducing points have degenerated to a
	// subspace: see RankCollapsed.
	Collapsed bool `json:"collapsed"`
}

// AmortizedInput is what a layer makes of one input.
type AmortizedInput struct {
	// X and Y are what is seen of it; ZX and ZY its inducing points, [M].
	X  number.Float   `json:"x"`
	Y  number.Float   `json:"y"`
	ZX number.Rounded `json:"z_x"`
	ZY number.Rounded `json:"z_y"`
	// Mean and SD are of q, for each output, [T][M].
	Mean []number.Rounded `json:"mean"`
	SD   []number.Rounded `json:"sd"`
	// Factor holds the rows up to the diagonal of the lower factor of the covariance of
	// q, for each output, [T][M(M+1)/2]; nil where that is diagonal.
	Factor []number.Rounded `json:"factor,omitempty"`
}

// Spread is how numbers are spread: their quantiles at 5, 25, 50, 75 and 95 %.
type Spread [5]number.Float

// spreadLevels are the levels of a Spread.
var spreadLevels = [5]float64{0.05, 0.25, 0.5, 0.75, 0.95}

// SpreadOf returns how sorted numbers are spread, between neighbours on a straight line;
// all NaN without any.
func SpreadOf(sorted []float64) (s Spread) {
	for k, level := range spreadLevels {
		if len(sorted) == 0 {
			s[k] = number.Float(math.NaN())
			continue
		}
		at := level * float64(len(sorted)-1)
		i := min(int(at), max(len(sorted)-2, 0))
		j := min(i+1, len(sorted)-1)
		s[k] = number.Float(sorted[i] + (at-float64(i))*(sorted[j]-sorted[i]))
	}
	return s
}

// EffectiveRank returns the participation ratio of the variances along principal axes,
// (sum v)^2 / sum v^2: D when D of them are the same and the others 0; 0 when all are.
// Those are the squared singular values of centred points.
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
	// collapsedRank and collapsedScale say when inducing points have collapsed.
	collapsedRank, collapsedScale = 0.1, 1e-4
)

// RankCollapsed says whether an inducing point of effective rank and variance (over the
// data, all directions together) has degenerated to a subspace, or to a point, next to
// what it is made of, of rank seen and variance seenVariance: of what the rank is above
// 1, less than a tenth is left; or less than 1e-4 of the variance.
//
// Meng, Zhang, 2024, appendix C.2 and Fig. 10, show inducing points that deep
// perceptrons have mapped to a subspace of the plane, and say what comes of it; they
// give no criterion. In the plane this one is points in a strip that is 4 to 5 times as
// long as it is wide (standard deviations), where what is seen is round.
func RankCollapsed(rank, variance, seen, seenVariance float64) bool {
	if seenVariance == 0 {
		return false
	}
	return variance < collapsedScale*seenVariance || rank-1 < collapsedRank*(seen-1)
}

// Check returns an error unless all layers have the same inputs, each with all of its
// inducing points.
func (a *Amortization) Check() error {
	for l, layer := range a.Layers {
		if n := len(a.Layers[0].Inputs); len(layer.Inputs) != n || len(layer.SeenX) != len(layer.SeenY) {
			return fmt.Errorf("layer %d has inducing points of %d inputs, layer 1 of %d",
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

// Blocks returns the covariance map of input i: a part for each output of each layer,
// which are independent of one another; at most about MaxCells a side, max-pooled.
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

// covariance returns that of inducing outputs r and c of output t.
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
