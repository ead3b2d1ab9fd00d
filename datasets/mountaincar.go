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

// Bounds of the state, and the goal.
const (
	carLeft, carGoal = -1.2, 0.5
	carSpeed         = 0.07
	carNoise         = 0.5
)

// mountainCar generates the default data set: the value function of the mountain-car problem at
// 2,000 uniformly drawn states (position, velocity), with a little noise. The value is minus the
// number of steps that the best policy needs to reach the goal. An under-powered car in a valley
// must first swing away from its goal. States from which it barely reaches the top lie next to
// states from which it barely fails, so a cliff winds through an otherwise smooth surface. A single
// lengthscale of a stationary kernel does not fit both the cliff and the smooth parts, so depth
// helps. Bui et al., "Deep Gaussian Processes for Regression using Approximate Expectation
// Propagation", 2016, figure 1, arXiv:1602.04133, show a deep GP on such a function.
//
// The problem is from Moore, "Efficient Memory-based Learning for Robot Control", 1990; dynamics
// and bounds are from Sutton and Barto, "Reinforcement Learning: An Introduction", 2nd edition,
// 2018, example 10.1.
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

// carStep returns the state after one step with throttle action, which is -1, 0 or +1. The left
// wall is inelastic.
func carStep(position, velocity, action float64) (float64, float64) {
	velocity += 0.001*action - 0.0025*math.Cos(3*position)
	velocity = min(max(velocity, -carSpeed), carSpeed)
	position = min(max(position+velocity, carLeft), carGoal)
	if position == carLeft {
		velocity = max(velocity, 0)
	}
	return position, velocity
}

// The grid resolves the cliff to a width of about 0.02 in position.
const (
	carColumns = 341 // positions, 0.005 apart
	carRows    = 281 // velocities, 0.0005 apart
	carRounds  = 200
	carSweeps  = 10   // per round
	carSettled = 1e-3 // in steps; the noise is hundreds of times larger
)

// carValues holds the value function on the grid, [carRows][carColumns]. The last column holds the
// values just before the goal, not at the goal, where the value is 0, because the function jumps
// there for cars that roll backwards.
type carValues []float64

// carGrid computes the value function once. The result must not be modified.
var carGrid = sync.OnceValue(solveCar)

// solveCar runs undiscounted value iteration with a cost of 1 per step until no value changes by
// carSettled or more. Values between grid points are interpolated bilinearly. Sweeps use updated
// values immediately (Gauss-Seidel) and alternate in direction. Each round chooses the best action
// of every state once and then sweeps with these actions (modified policy iteration: Puterman and
// Shin, "Modified Policy Iteration Algorithms for Discounted Markov Decision Problems", 1978),
// which takes a third of the operations of choosing actions in every sweep.
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

// sweep replaces every value by the value after the chosen move, in reverse order if backwards is
// true.
func (g carValues) sweep(chosen []carMove, backwards bool) {
	for i := range g {
		if backwards {
			i = len(g) - 1 - i
		}
		g[i] = chosen[i].apply(g) - 1
	}
}

// carMove is the result of one action at one grid point: either a position in a cell, with a value
// interpolated from the corners of the cell, or the goal.
type carMove struct {
	corner int     // index of the lower left corner, -1 at the goal
	u, v   float64 // position in the cell, from 0 to 1, along position and velocity
}

// apply returns the value of the state after the move.
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

// value returns the value of any state by one step of look-ahead onto the grid, which preserves the
// cliff better than interpolation alone.
func (g carValues) value(position, velocity float64) float64 {
	best := math.Inf(-1)
	for a := range 3 {
		best = max(best, newCarMove(position, velocity, float64(a-1)).apply(g)-1)
	}
	return best
}
