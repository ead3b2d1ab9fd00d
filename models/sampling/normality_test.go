package sampling

import (
	"math"
	"math/rand/v2"
	"testing"
)

// ar1 returns chains of a first-order autoregressive process with standard normal marginals and
// autocorrelation rho at lag 1.
func ar1(rng *rand.Rand, chains, n int, rho float64) [][]float64 {
	out := make([][]float64, chains)
	for c := range out {
		x := rng.NormFloat64()
		for range n {
			out[c] = append(out[c], x)
			x = rho*x + math.Sqrt(1-rho*rho)*rng.NormFloat64()
		}
	}
	return out
}

// The 62 cholesterol values of D'Agostino, Belanger, D'Agostino 1990, section 3, have skewness 1.02
// and kurtosis 4.58, with scores 3.14 and 2.21.
func TestPublishedScores(t *testing.T) {
	a := skewnessScore(1.02, 62)
	b := kurtosisScore(4.58, 62)
	if math.Abs(a-3.14) > 0.01 || math.Abs(b-2.21) > 0.01 {
		t.Errorf("scores %.4f and %.4f", a, b)
	}
}

// The test rejects Gaussian chains about as often as its level states, regardless of their
// autocorrelation. It rejects negatively correlated draws less often, because it does not use their
// larger effective sample size. At level 0.005 it rejects the most dependent chains about twice as
// often as stated.
func TestNormalityLevel(t *testing.T) {
	if testing.Short() {
		t.Skip("thousands of chains")
	}
	const runs = 1500
	for rho, least := range map[float64]float64{-0.5: 0.01, 0: 0.035, 0.6: 0.035, 0.9: 0.035} {
		rng := rand.New(rand.NewPCG(11, 12))
		var often, seldom float64
		for range runs {
			p := ShapeOf(ar1(rng, 4, 250, rho)).P
			if p < 0.05 {
				often += 1. / runs
			}
			if p < 0.005 {
				seldom += 1. / runs
			}
		}
		// In 1500 runs, a rejection rate of 0.05 has a standard error of 0.0056, and a rate of 0.01
		// has 0.0026.
		if often < least || often > 0.075 || seldom > 0.02 {
			t.Errorf("autocorrelation %g: %.4f are rejected at 0.05, %.4f at 0.005", rho, often, seldom)
		}
	}
}

// The test rejects skewed draws, flat draws, and chains at different locations.
func TestNormalityPower(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for name, of := range map[string]func(x float64, chain int) float64{
		"log-normal": func(x float64, _ int) float64 { return math.Exp(x / 2) },
		"uniform":    func(x float64, _ int) float64 { return math.Erf(x / math.Sqrt2) },
		"two modes":  func(x float64, chain int) float64 { return x + 8*float64(chain%2) },
	} {
		draws := ar1(rng, 4, 400, 0.6)
		for c, chain := range draws {
			for i, x := range chain {
				chain[i] = of(x, c)
			}
		}
		if s := ShapeOf(draws); !(s.P < 1e-4) {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

// If there are too few draws, moments are defined but the p-value is not. For constant draws,
// neither is defined.
// The autocorrelations 1/2 and 1/4 inflate the third power by 2 (1/2 + 1/4) (1/2 + 1/4)^2.
func TestInflation(t *testing.T) {
	if got, want := inflation([]float64{4, 2, 1}, 3), 1+1.5*0.75*0.75; math.Abs(got-want) > 1e-15 {
		t.Errorf("inflation %v, want %v", got, want)
	}
	if got := inflation([]float64{4, -2, -1}, 3); got != 1 {
		t.Errorf("negative autocorrelations: inflation %v", got)
	}
}

func TestNormalityOfFewDraws(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	if s := ShapeOf(ar1(rng, 2, 9, 0)); !math.IsNaN(s.P) || math.IsNaN(s.Skewness) || !(s.Kurtosis > 1) {
		t.Errorf("18 draws: %+v", s)
	}
	if s := ShapeOf([][]float64{{1, 1, 1, 1, 1}}); !math.IsNaN(s.Kurtosis) || !math.IsNaN(s.P) {
		t.Errorf("of a constant: %+v", s)
	}
}
