package likelihood

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"dgplab/models/oracletest"
)

// classesCase is an oracle case with several classes.
type classesCase struct {
	Config struct {
		K       int
		Points  int
		Epsilon float64
	}
	Data   struct{ Y []float64 }
	Random struct{ Eps [][][]float64 }
	Params struct{ Mean, Variance [][]float64 }
	Expect map[string]json.RawMessage
	Grad   map[string]json.RawMessage
}

// moments holds rows of means and variances, or gradients with respect to them.
type moments struct{ Mean, Variance [][]float64 }

// plainContest evaluates the contest with the usual rule: Gauss-Hermite around the mean of the
// class. This rule defines the golden numbers, even in the far tail.
func plainContest(c *contest, points int, dMean, dVar []float64) float64 {
	nodes, weights := GaussHermite(points)
	clear(dMean)
	clear(dVar)
	top := math.Inf(-1)
	c.t = make([]float64, points)
	c.logWeights = make([]float64, points)
	for i, x := range nodes {
		c.t[i], c.logWeights[i] = math.Sqrt2*x, math.Log(weights[i])
		value, _, _ := c.integrand(c.t[i])
		top = max(top, value+x*x+c.logWeights[i])
	}
	for i := range c.logWeights {
		c.logWeights[i] -= top
	}
	sum := c.add(dMean, dVar)
	c.scale(sum, dMean, dVar)
	return top + math.Log(sum) - 0.5*math.Log(math.Pi)
}

func TestMulticlassOracles(t *testing.T) {
	for _, golden := range oracletest.Cases(t, "multiclass_argmax") {
		t.Run(golden.Name, func(t *testing.T) {
			var c classesCase
			oracletest.Decode(t, golden.Text, &c)
			c.contests(t, "argmax", 0)
			c.contests(t, "probit", 1)
			c.robustmax(t)
		})
	}
	for _, golden := range oracletest.Cases(t, "multiclass_softmax") {
		t.Run(golden.Name, func(t *testing.T) {
			var c classesCase
			oracletest.Decode(t, golden.Text, &c)
			c.softmax(t)
		})
	}
}

// contests compares the usual rule and the improved rule with their golden values.
func (c *classesCase) contests(t *testing.T, name string, noise float64) {
	var want struct {
		Log   [][]float64 `json:"log_prob"`
		Exact [][]float64 `json:"exact_log_prob"`
		Label []float64   `json:"log_prob_label"`
	}
	var grad moments
	oracletest.Decode(t, c.Expect[name], &want)
	oracletest.Decode(t, c.Grad[name], &grad)
	of := latents(c.Config.K)
	contest := newContest(c.Config.K)
	better := make([]float64, c.Config.K)
	dMean := make([]float64, c.Config.K)
	dVar := make([]float64, c.Config.K)
	for i, y := range c.Data.Y {
		mean, vr := c.Params.Mean[i], c.Params.Variance[i]
		var plain []float64
		for class := range of {
			contest.set(int(class), mean, vr, noise)
			plain = append(plain, plainContest(contest, c.Config.Points, dMean, dVar))
			if int(class) == int(y) {
				oracletest.Close(t, name+": gradient by means", dMean, grad.Mean[i],
					oracletest.GradientTolerance)
				oracletest.Close(t, name+": gradient by variances", dVar, grad.Variance[i],
					oracletest.GradientTolerance)
			}
		}
		oracletest.Close(t, name+": log_prob", plain, want.Log[i], oracletest.ValueTolerance)
		of.logWinning(noise, better, mean, vr)
		for class := range better { // compare one at a time: the values differ by orders of magnitude
			oracletest.Close(t, name+": exact_log_prob", better[class:class+1],
				want.Exact[i][class:class+1], 1e-11)
		}
		// If both rules agree on the value, they must also agree on the derivatives.
		class := int(y)
		contest.set(class, mean, vr, noise)
		clear(dMean)
		clear(dVar)
		contest.value(dMean, dVar)
		if math.Abs(want.Log[i][class]-want.Exact[i][class]) < 1e-13 {
			oracletest.Close(t, name+": better gradient by means", dMean, grad.Mean[i],
				oracletest.GradientTolerance)
			oracletest.Close(t, name+": better gradient by variances", dVar, grad.Variance[i],
				oracletest.GradientTolerance)
		}
	}
}

func (c *classesCase) robustmax(t *testing.T) {
	var want struct {
		Ell     []float64
		Prob    [][]float64
		Density []float64 `json:"log_density"`
	}
	var grad moments
	oracletest.Decode(t, c.Expect["robustmax"], &want)
	oracletest.Decode(t, c.Grad["robustmax"], &grad)
	l := RobustMax{latents(c.Config.K), c.Config.Epsilon}
	mean := slices.Concat(c.Params.Mean...)
	vr := slices.Concat(c.Params.Variance...)
	got := expectation(l.VariationalExpectations).of(c.Data.Y, mean, vr, nil, 0)
	oracletest.Close(t, "robustmax: ell", got.terms, want.Ell, oracletest.ValueTolerance)
	oracletest.Close(t, "robustmax: gradient by means", got.dMean, slices.Concat(grad.Mean...),
		oracletest.GradientTolerance)
	oracletest.Close(t, "robustmax: gradient by variances", got.dVar, slices.Concat(grad.Variance...),
		oracletest.GradientTolerance)
	got = expectation(l.LogExpectation).of(c.Data.Y, mean, vr, nil, 0)
	oracletest.Close(t, "robustmax: log_density", got.terms, want.Density, oracletest.ValueTolerance)
	contest := newContest(c.Config.K)
	room := make([]float64, c.Config.K)
	for i := range c.Data.Y {
		var plain []float64
		for class := range c.Config.K {
			contest.set(class, c.Params.Mean[i], c.Params.Variance[i], 0)
			p, _ := l.probability(plainContest(contest, c.Config.Points, room, slices.Clone(room)))
			plain = append(plain, p)
		}
		oracletest.Close(t, "robustmax: prob", plain, want.Prob[i], oracletest.ValueTolerance)
	}
}

func (c *classesCase) softmax(t *testing.T) {
	var ell []float64
	var predict struct {
		Log [][]float64 `json:"log_prob"`
	}
	var mean, variance [][]float64
	oracletest.Decode(t, c.Expect["ell"], &ell)
	oracletest.Decode(t, c.Expect["predict"], &predict)
	oracletest.Decode(t, c.Grad["mean"], &mean)
	oracletest.Decode(t, c.Grad["variance"], &variance)
	for i, y := range c.Data.Y {
		l := Softmax{latents(c.Config.K), slices.Concat(c.Random.Eps[i]...)}
		got := expectation(l.VariationalExpectations).of([]float64{y}, c.Params.Mean[i],
			c.Params.Variance[i], nil, 0)
		oracletest.Close(t, "ell", got.terms, ell[i:i+1], oracletest.ValueTolerance)
		oracletest.Close(t, "gradient by means", got.dMean, mean[i], oracletest.GradientTolerance)
		oracletest.Close(t, "gradient by variances", got.dVar, variance[i], oracletest.GradientTolerance)
		log := make([]float64, c.Config.K)
		l.LogProbabilities(log, c.Params.Mean[i], c.Params.Variance[i])
		oracletest.Close(t, "log_prob", log, predict.Log[i], oracletest.ValueTolerance)
	}
}
