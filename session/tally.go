package session

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets"
	"dgplab/models"
)

// tally sums the scores of test points, chunk by chunk.
type tally struct {
	n      int
	logLik float64
}

func (s *tally) add(mix *models.Mixture, y *mat.Dense, p *datasets.Prepared) {
	for _, l := range pointLogLik(mix, y, p) {
		s.n++
		s.logLik += l
	}
}

func (s *tally) metrics(models.Task) *Metrics {
	mean := s.logLik / float64(s.n)
	return &Metrics{N: s.n, LogLik: mean, NLL: -mean}
}

// pointLogLik returns the log-likelihood of every point in original units, [n].
func pointLogLik(mix *models.Mixture, y *mat.Dense, p *datasets.Prepared) []float64 {
	out := make([]float64, mix.N)
	for n := range out {
		if mix.ProbPlus != nil {
			q := mix.ProbPlus[n]
			if y.At(n, 0) < 0 {
				q = 1 - q
			}
			out[n] = math.Log(q)
			continue
		}
		sum := 0.0
		for s := range mix.S {
			l := 0.0
			for j := range mix.P {
				i := (s*mix.N+n)*mix.P + j
				v := mix.Var[i] + mix.NoiseVar
				d := y.At(n, j) - mix.Mean[i]
				l += -0.5*(math.Log(2*math.Pi*v)+d*d/v) - math.Log(p.Scaling.TargetSD[j])
			}
			sum += mix.Weights[s] * math.Exp(l)
		}
		out[n] = math.Log(sum)
	}
	return out
}
