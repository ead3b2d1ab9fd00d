package infer

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// oracles returns the reference files that match the pattern. They are kept
// outside the project (../shared/oracles, or $DGPLAB_ORACLES), and the test is
// skipped without them.
func oracles(t *testing.T, pattern string) []string {
	t.Helper()
	dir := os.Getenv("DGPLAB_ORACLES")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "oracles")
	}
	files, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skipf("no %s in %s; set DGPLAB_ORACLES", pattern, dir)
	}
	return files
}

func read(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// compare fails when the arrays differ by more than 1e-9 of the larger of 1 and
// the largest wanted entry.
func compare(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers, want %d", what, len(got), len(want))
	}
	size, worst := 1.0, 0.0
	for i, w := range want {
		size = math.Max(size, math.Abs(w))
		worst = math.Max(worst, math.Abs(got[i]-w))
	}
	if !(worst <= 1e-9*size) {
		t.Errorf("%s: off by %.1e of %.1e", what, worst, size)
	}
}

func flatten(rows [][]float64) (flat []float64) {
	for _, r := range rows {
		flat = append(flat, r...)
	}
	return flat
}

func TestAdamOracles(t *testing.T) {
	for _, file := range oracles(t, "adam_*.json") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			var c struct {
				A            [][]float64
				B            []float64 `json:"b"`
				X0           []float64 `json:"x0"`
				LearningRate float64   `json:"learning_rate"`
				Beta1, Beta2 float64
				Epsilon      float64
				DecayRate    float64 `json:"decay_rate"`
				DecaySteps   int     `json:"decay_steps"`
				NumSteps     int     `json:"num_steps"`
				Trajectory   []struct {
					Step         int
					LearningRate float64 `json:"learning_rate"`
					X            []float64
				}
			}
			read(t, file, &c)
			a := NewAdam(len(c.X0), Staircase{Rate: c.LearningRate, Decay: c.DecayRate, Every: c.DecaySteps})
			a.Beta1, a.Beta2, a.Epsilon = c.Beta1, c.Beta2, c.Epsilon
			x := append([]float64(nil), c.X0...)
			g := make([]float64, len(x))
			next := 0
			for step := 0; step <= c.NumSteps; step++ {
				rate := 0.0
				if step > 0 {
					for i, row := range c.A {
						g[i] = -c.B[i]
						for j, v := range row {
							g[i] += v * x[j]
						}
					}
					rate = a.Rate()
					if err := a.Minimise(x, g); err != nil {
						t.Fatal(err)
					}
				}
				if next < len(c.Trajectory) && c.Trajectory[next].Step == step {
					compare(t, "x", x, c.Trajectory[next].X)
					if step > 0 {
						compare(t, "rate", []float64{rate}, []float64{c.Trajectory[next].LearningRate})
					}
					next++
				}
			}
			if next != len(c.Trajectory) {
				t.Errorf("%d of %d points of the trajectory were reached", next, len(c.Trajectory))
			}
		})
	}
}

func TestNaturalGradientOracles(t *testing.T) {
	for _, file := range oracles(t, "natgrad_*.json") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			var c struct {
				M     [][]float64   `json:"m"`
				S     [][][]float64 `json:"S"`
				GradM [][]float64   `json:"grad_m"`
				GradS [][][]float64 `json:"grad_S"`
				Steps []struct {
					Gamma float64
					MNew  [][]float64   `json:"m_new"`
					LNew  [][][]float64 `json:"L_new"`
					SNew  [][][]float64 `json:"S_new"`
				}
			}
			read(t, file, &c)
			n, batch := len(c.M[0]), len(c.M)
			var l, gradS, gradL []float64
			for k := range batch {
				s := flatten(c.S[k])
				l = append(l, lowerCholesky(t, s, n)...)
				gradS = append(gradS, flatten(c.GradS[k])...)
				gradL = append(gradL, factorGradient(l[k*n*n:], gradS[k*n*n:], n)...)
			}
			stepper := NewNaturalGradient(n, batch)
			for _, want := range c.Steps {
				var wantL, wantS []float64
				for k := range batch {
					wantL = append(wantL, flatten(want.LNew[k])...)
					wantS = append(wantS, flatten(want.SNew[k])...)
				}
				for name, maximise := range map[string]func(m, l []float64) (NaturalReport, error){
					"covariance": func(m, l []float64) (NaturalReport, error) {
						return stepper.MaximiseCov(m, l, flatten(c.GradM), gradS, want.Gamma)
					},
					"factor": func(m, l []float64) (NaturalReport, error) {
						return stepper.Maximise(m, l, flatten(c.GradM), gradL, want.Gamma)
					},
				} {
					m, newL := flatten(c.M), append([]float64(nil), l...)
					report, err := maximise(m, newL)
					if err != nil {
						t.Fatal(err)
					}
					if report.Halvings != 0 || report.Gamma != want.Gamma {
						t.Errorf("%s: report %+v", name, report)
					}
					compare(t, name+": m", m, flatten(want.MNew))
					compare(t, name+": L", newL, wantL)
					compare(t, name+": S", products(newL, n, batch), wantS)
				}
			}
		})
	}
}
