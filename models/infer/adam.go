package infer

import (
	"context"
	"fmt"
	"math"

	"dgplab/models/linalg"
	"dgplab/models/linalg/vec"
	"dgplab/models/param"
)

// Default parameters of Adam, as in the paper.
const (
	DefaultBeta1   = 0.9
	DefaultBeta2   = 0.999
	DefaultEpsilon = 1e-8
)

// Adam is the optimiser of Kingma and Ba, "Adam: A Method for Stochastic Optimization", 2015,
// algorithm 1, arXiv:1412.6980: x moves by the rate times mhat/(sqrt(vhat) + Epsilon), with Epsilon
// outside the root and not rescaled.
//
// Its state is in exported slices, which a checkpoint can alias.
type Adam struct {
	Schedule              Schedule
	Beta1, Beta2, Epsilon float64
	// First and Second are the moving averages of the gradient and its square, [n].
	First, Second []float64
	// Count is the number of steps taken, [1].
	Count []float64

	// Arguments of the current step, shared by its pieces.
	x, gradient []float64
	update      vec.Adam
	pieces      linalg.Loop

	free   []float64 // gradient over the free entries of a Problem
	gauges []float64
}

// NewAdam returns an optimiser for n numbers with the default parameters.
func NewAdam(n int, schedule Schedule) *Adam {
	return &Adam{
		Schedule: schedule,
		Beta1:    DefaultBeta1, Beta2: DefaultBeta2, Epsilon: DefaultEpsilon,
		First: make([]float64, n), Second: make([]float64, n), Count: make([]float64, 1),
	}
}

// Gauges implements Method.
func (a *Adam) Gauges() []Reading { return []Reading{LearningRate, GradientNorm} }

// State implements Method.
func (a *Adam) State() []param.Array {
	return []param.Array{
		{Name: "adam.first", Data: a.First},
		{Name: "adam.second", Data: a.Second},
		{Name: "adam.count", Data: a.Count},
	}
}

// Step implements Method with one evaluation and one update of all parameters.
func (a *Adam) Step(_ context.Context, p Problem, step uint64) (Move, error) {
	a.prepare()
	p.Draw(step)
	value, err := evaluateLast(p, a.free, step)
	if err != nil {
		return Move{}, err
	}
	return a.follow(p, value, int(step)+1), nil
}

// prepare allocates the buffers of a step.
func (a *Adam) prepare() {
	if a.free == nil {
		a.free = make([]float64, len(a.First))
		a.gauges = make([]float64, 2)
	}
}

// follow moves the parameters of p along the last gradient, which is finite, in step t, counted from 1.
func (a *Adam) follow(p Problem, value float64, t int) Move {
	set := p.Parameters()
	a.gauges[0] = a.Schedule.At(t)
	a.move(set.Free, a.free, a.gauges[0])
	set.Forward()
	a.gauges[1] = norm(a.free)
	return Move{Objective: value, Gauges: a.gauges}
}

// RateSchedule implements Scheduled.
func (a *Adam) RateSchedule() *Schedule { return &a.Schedule }

// Maximise moves x [n] one step along its gradient [n], with the rate of the Schedule for as many steps as
// the optimiser has taken. If the gradient is not finite, it changes
// neither x nor the optimiser and returns a *NonFiniteError. It panics if the lengths are not n.
func (a *Adam) Maximise(x, gradient []float64) error {
	if len(x) != len(a.First) || len(gradient) != len(a.First) {
		panic(fmt.Sprintf("infer: Adam for %d parameters got %d parameters and %d gradients",
			len(a.First), len(x), len(gradient)))
	}
	if err := CheckFinite(gradient); err != nil {
		return err
	}
	a.move(x, gradient, a.Schedule.At(int(a.Count[0])+1))
	return nil
}

// move is Maximise for a finite gradient and the given rate.
func (a *Adam) move(x, gradient []float64, rate float64) {
	a.Count[0]++
	a.x = x
	a.gradient = gradient
	unbias1 := 1 / (1 - math.Pow(a.Beta1, a.Count[0]))
	unbias2 := 1 / (1 - math.Pow(a.Beta2, a.Count[0]))
	a.update = vec.NewAdam(a.Beta1, a.Beta2, unbias1, unbias2, a.Epsilon, rate)
	if a.pieces.Body == nil {
		a.pieces.Body = a.piece
	}
	a.pieces.Run((len(x) + pieceSize - 1) / pieceSize)
}

// pieceSize is the number of entries that one parallel piece updates.
const pieceSize = 1 << 14

// piece updates piece k of x.
func (a *Adam) piece(k int) {
	from, to := k*pieceSize, min((k+1)*pieceSize, len(a.x))
	a.update.Update(a.x[from:to], a.First[from:to], a.Second[from:to], a.gradient[from:to])
}
