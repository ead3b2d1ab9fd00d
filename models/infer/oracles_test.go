package infer

import (
	"fmt"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/oracletest"
)

// TestOracles checks the trajectories of Adam on a quadratic.
func TestOracles(t *testing.T) {
	for _, c := range oracletest.Cases(t, "adam") {
		t.Run(c.Name, func(t *testing.T) { adamCase(t, c.Text) })
	}
}

func adamCase(t *testing.T, raw []byte) {
	var c struct {
		A            [][]float64 `json:"A"`
		B            []float64   `json:"b"`
		X0           []float64   `json:"x0"`
		LearningRate float64     `json:"learning_rate"`
		Beta1        float64     `json:"beta1"`
		Beta2        float64     `json:"beta2"`
		Epsilon      float64     `json:"epsilon"`
		DecayRate    float64     `json:"decay_rate"`
		DecaySteps   int         `json:"decay_steps"`
		Trajectory   []struct {
			Step         int       `json:"step"`
			LearningRate *float64  `json:"learning_rate"`
			X            []float64 `json:"x"`
			Value        float64   `json:"value"`
		} `json:"trajectory"`
	}
	oracletest.Decode(t, raw, &c)
	n := len(c.X0)
	a := mat.NewDense(n, n, slices.Concat(c.A...))
	b := mat.NewVecDense(n, c.B)
	x := mat.NewVecDense(n, append([]float64(nil), c.X0...))
	adam := NewAdam(n, Schedule{Rate: c.LearningRate, Decay: c.DecayRate, Every: c.DecaySteps})
	adam.Beta1, adam.Beta2, adam.Epsilon = c.Beta1, c.Beta2, c.Epsilon
	gradient := mat.NewVecDense(n, nil)
	done := 0
	for _, point := range c.Trajectory {
		rate := adam.Schedule.At(done + 1)
		for ; done < point.Step; done++ {
			gradient.MulVec(a, x)
			gradient.SubVec(b, gradient) // uphill on the negative
			rate = adam.Schedule.At(done + 1)
			if err := adam.Maximise(x.RawVector().Data, gradient.RawVector().Data); err != nil {
				t.Fatal(err)
			}
		}
		if point.LearningRate != nil && point.Step > 0 {
			oracletest.Close(t, "learning_rate", []float64{rate}, []float64{*point.LearningRate},
				oracletest.ValueTolerance)
		}
		oracletest.Close(t, fmt.Sprintf("x after %d steps", point.Step), x.RawVector().Data, point.X,
			oracletest.ValueTolerance)
		value := 0.5*mat.Inner(x, a, x) - mat.Dot(b, x)
		oracletest.Close(t, "value", []float64{value}, []float64{point.Value}, oracletest.ValueTolerance)
	}
}
