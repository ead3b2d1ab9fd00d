package gprn

import (
	"math"
	"testing"

	"dgplab/models/family"
	"dgplab/models/familytest"
)

// The network view has the moments of draws from the posterior: root mean squares of weights, and
// the correlations of outputs for latent functions drawn from their prior.
func TestNetworkViewMatchesDraws(t *testing.T) {
	for _, spec := range Families() {
		set := map[string]string{"restarts": "1", "learn_latent_variance": "on", "latent_variance": "2.5"}
		if spec.Name != "gprn" {
			set["components"] = "3"
		}
		m := build(t, spec, someData, set)
		for range 8 {
			familytest.Steps(t, m, 1)
		}
		v, err := m.(family.Viewer).Views(0)
		if err != nil {
			t.Fatal(err)
		}
		n := v.Network
		n.Outputs[0] = "a name"
		if err := n.Check(); err != nil || len(n.Points) != someData.n ||
			len(n.Average.X) != 0 || n.Latents[1] != "f_2" {
			t.Fatalf("%s: %v, %d points", spec.Name, err, len(n.Points))
		}
		var at *mixture
		var order []int
		var variance float64
		switch m := m.(type) {
		case *Model:
			at = m.network.atData()
			order = m.network.order(m.network.lines()[0])
			variance = m.network.latents[0].scale()
		case *NPV:
			at = m.npv.atData()
			order = m.npv.order(m.npv.latent.prior.lines()[0])
			variance = m.npv.latent.prior.scale()
		}
		squares, signal := at.sampled(order[5], variance)
		got := n.Points[5]
		for i := range at.p {
			for j := range at.q {
				if want := math.Sqrt(squares[i*at.q+j]); math.Abs(got.Weights[i][j]-want) > 0.02*want {
					t.Errorf("%s: weight %d, %d is %v, from draws %v",
						spec.Name, i+1, j+1, got.Weights[i][j], want)
				}
			}
			for k := range at.p {
				want := signal[i*at.p+k]
				if i == k {
					want += at.noise
				}
				want /= math.Sqrt((signal[i*at.p+i] + at.noise) * (signal[k*at.p+k] + at.noise))
				if c := got.Correlations(at.noise)[i][k]; math.Abs(c-want) > 0.02 {
					t.Errorf("%s: correlation %d, %d is %v, from draws %v", spec.Name, i+1, k+1, c, want)
				}
			}
		}
		var sum float64
		for _, p := range n.Points {
			sum += p.Weights[2][1] * p.Weights[2][1] / float64(len(n.Points))
		}
		if got := n.Average.Weights[2][1]; math.Abs(got-math.Sqrt(sum)) > 1e-12 {
			t.Errorf("%s: the average is %v, want %v", spec.Name, got, math.Sqrt(sum))
		}
	}
}

// sampled returns the second moments of weights and outputs at a point, estimated from draws.
func (m *mixture) sampled(point int, latentVariance float64) (squares, signal []float64) {
	const draws = 200000
	squares = make([]float64, m.p*m.q)
	signal = make([]float64, m.p*m.p)
	w := make([]float64, m.p*m.q)
	y := make([]float64, m.p)
	rng := newStarts(1, 3, "").stream(0)
	for k := range draws {
		m.drawWeights(w, m.components[k%len(m.components)], point, rng)
		clear(y)
		for j := range m.q {
			f := math.Sqrt(latentVariance) * rng.NormFloat64()
			for i := range m.p {
				y[i] += w[i*m.q+j] * f
			}
		}
		for at, v := range w {
			squares[at] += v * v / draws
		}
		for at := range signal {
			signal[at] += y[at/m.p] * y[at%m.p] / draws
		}
	}
	return squares, signal
}
