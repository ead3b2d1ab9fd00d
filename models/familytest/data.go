// Package familytest provides data, kernels, models, training steps and checks to the tests of model
// families.
package familytest

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/task"
	"dgplab/models/family"
)

// Wave returns n points with two inputs and the given number of noisy nonlinear outputs.
func Wave(n, outputs int) family.Data {
	r := rand.New(rand.NewPCG(5, 6))
	data := family.Data{X: mat.NewDense(n, 2, nil), Y: mat.NewDense(n, outputs, nil)}
	for i := range n {
		a := r.NormFloat64()
		b := r.NormFloat64()
		data.X.SetRow(i, []float64{a, b})
		for p := range outputs {
			data.Y.Set(i, p, math.Sin(2*a+float64(p))+0.3*b+0.1*r.NormFloat64())
		}
	}
	return data
}

// Signs replaces the targets by their signs, which makes a binary task, and returns the data.
func Signs(data family.Data) family.Data {
	data.Y.Apply(func(_, _ int, y float64) float64 { return math.Copysign(1, y) }, data.Y)
	data.Task = task.Binary
	return data
}

// Thirds replaces the targets by three classes, below -0.4, up to 0.4 and above, and returns the
// data.
func Thirds(data family.Data) family.Data {
	data.Y.Apply(func(_, _ int, y float64) float64 {
		switch {
		case y > 0.4:
			return 2
		case y > -0.4:
			return 1
		}
		return 0
	}, data.Y)
	data.Task, data.Classes = task.Multiclass, 3
	return data
}
