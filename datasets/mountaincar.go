package datasets

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/task"
)

var mountainCarInfo = Info{
	Name: "mountaincar", Title: "Mountain car, value function", Kind: Builtin, Task: task.Regression,
	N: 2000, D: 2, P: 1, Cached: true, Default: true,
	Origin: "generated: steps to the goal under the best policy, by value iteration, with noise of sd 0.5 " +
		"steps",
}

// The bounds of the state, and the goal.
const (
	carLeft, carGoal = -1.2, 0.5
	carSpeed         = 0.07
	carNoise         = 0.5
)

// mountainCar makes the default data set: the value function of the mountain-car
// problem at 2,000 uniformly drawn states (position, velocity), in steps (it is
// minus the number of steps that the best policy needs to the goal), with a
// little noise. An under-powered car in a valley must first swing away from its
// goal; states from which it just reaches the top and states from which it just
// fails are neighbours, so that the function has a cliff that winds through an
// otherwise smooth surface: one stationary kernel has no lengthscale for both,
// which is what depth buys. Bui et al., "Deep Gaussian Processes for Regression
// using Approximate Expectation Propagation", 2016, figure 1, arXiv:1602.04133,
// show a deep GP on such a function.
//
// The problem is by Moore, "Efficient Memory-based Learning for Robot Control",
// 1990; dynamics and bounds are those of Sutton and Barto, "Reinforcement Learning:
// An Introduction", 2nd edition, 2018, example 10.1.
func mountainCar() *Dataset {
	rng := stream(generatorSeed, "mountaincar")
	grid := carGrid()
	n := mountainCarInfo.N
	x := mat.NewDense(n, 2, nil)
	y := mat.NewDense(n, 1, nil)
	for i := range n {
		position := uniform(rng, carLeft, carGoal)
		velocity := uniform(rng, -carSpeed, carSpeed)
		x.SetRow(i, []float64{position, velocity})
		y.Set(i, 0, grid.value(position, velocity)+carNoise*rng.NormFloat64())
	}
	return mountainCarInfo.dataset(x, y, []string{"position", "velocity"}, []string{"value"})
}

// carStep returns the state after one step with the throttle at action, which
// is -1, 0 or +1. The left wall is inelastic.
func carStep(position, velocity, action float64) (float64, float64) {
	velocity += 0.001*action - 0.0025*math.Cos(3*position)
	velocity = min(max(velocity, -carSpeed), carSpeed)
	position = min(max(position+velocity, carLeft), carGoal)
	if position == carLeft {
		velocity = max(velocity, 0)
	}
	return position, velocity
}

// The grid is so fine that the cliff is about 0.02 wide in position.
const (
	carColumns = 341 // positions, 0.005 apart
	carRows    = 281 // velocities, 0.0005 apart
	carRounds  = 200
	carSweeps  = 10   // per round
	carSettled = 1e-3 // steps; the noise is hundreds of times larger
)

// carValues holds the value function on the grid, [carRows][carColumns]. The
// last column holds the values just before the goal, not the goal's own, which
// is 0: the function jumps there for cars that roll backwards.
type carValues []float64

// carGrid computes the value function once; the result is read only.
var carGrid = sync.OnceValue(solveCar)

// solveCar runs value iteration, undiscounted and with a cost of 1 a step, until
// no value changes any more but by carSettled. Between grid points the function
// is interpolated bilinearly. Sweeps use new values at once (Gauss-Seidel) and
// alternate in direction. Each round chooses the best action of every state once
// and then sweeps with these (modified policy iteration: Puterman and Shin,
// "Modified Policy Iteration Algorithms for Discounted Markov Decision Problems",
// 1978), a third of the work of choosing anew in every sweep.
func solveCar() carValues {
	values := make(carValues, carRows*carColumns)
	moves := carMoves()
	chosen := make([]carMove, len(values))
	for range carRounds {
		var change float64
		for i := range values {
			best := math.Inf(-1)
			for _, m := range moves[i] {
				if v := m.apply(values) - 1; v > best {
					best, chosen[i] = v, m
				}
			}
			change = max(change, math.Abs(best-values[i]))
			values[i] = best
		}
		if change < carSettled {
			break
		}
		for sweep := range carSweeps {
			values.sweep(chosen, sweep%2 == 0)
		}
	}
	return values
}

// sweep replaces every value by that of its chosen move, from the last to the
// first if backwards.
func (g carValues) sweep(chosen []carMove, backwards bool) {
	for i := range g {
		if backwards {
			i = len(g) - 1 - i
		}
		g[i] = chosen[i].apply(g) - 1
	}
}

// carMove is where one action leads from one grid point: into a cell, of whose
// corners it takes a weighted mean, or to the goal.
type carMove struct {
	corner int     // of the lower left corner, or -1 at the goal
	u, v   float64 // place in the cell, from 0 to 1, along position and velocity
}

// apply returns the value of the state that the move leads to.
func (m carMove) apply(values carValues) float64 {
	if m.corner < 0 {
		return 0
	}
	lower, upper := values[m.corner:][:2], values[m.corner+carColumns:][:2]
	below := lower[0] + m.u*(lower[1]-lower[0])
	above := upper[0] + m.u*(upper[1]-upper[0])
	return below + m.v*(above-below)
}

// carMoves tabulates the three moves from every grid point.
func carMoves() [][3]carMove {
	moves := make([][3]carMove, carRows*carColumns)
	for row := range carRows {
		for column := range carColumns {
			position := carLeft + (carGoal-carLeft)*float64(column)/(carColumns-1)
			velocity := carSpeed * (2*float64(row)/(carRows-1) - 1)
			for a := range 3 {
				moves[row*carColumns+column][a] = newCarMove(position, velocity, float64(a-1))
			}
		}
	}
	return moves
}

// newCarMove returns the move from a state under an action.
func newCarMove(position, velocity, action float64) carMove {
	position, velocity = carStep(position, velocity, action)
	if position >= carGoal {
		return carMove{corner: -1}
	}
	c := (position - carLeft) / (carGoal - carLeft) * (carColumns - 1)
	r := (velocity/carSpeed + 1) / 2 * (carRows - 1)
	column := min(int(c), carColumns-2)
	row := min(int(r), carRows-2)
	return carMove{corner: row*carColumns + column, u: c - float64(column), v: r - float64(row)}
}

// value returns the value of any state: one step of look-ahead from it onto the
// grid, which keeps the cliff sharper than interpolation alone.
func (g carValues) value(position, velocity float64) float64 {
	best := math.Inf(-1)
	for a := range 3 {
		best = max(best, newCarMove(position, velocity, float64(a-1)).apply(g)-1)
	}
	return best
}
