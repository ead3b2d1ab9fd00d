package datasets

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/task"
)

var arm8Info = Info{
	Name: "arm8", Title: "Arm with eight joints", Kind: Builtin, Task: task.Regression,
	N: 8192, D: 8, P: 1, Cached: true,
	Origin: "generated: distance of a spatial arm's end-effector from a point, by forward kinematics, with " +
		"noise of sd 0.05",
}

// armLinks holds the lengths of the links, which decrease outwards and sum to 2. The axes of
// successive joints are perpendicular, so the arm moves in three dimensions.
var armLinks = [8]float64{0.42, 0.36, 0.31, 0.26, 0.22, 0.18, 0.14, 0.11}

// armTarget is the point from which the distance is measured, in the frame of the base.
var armTarget = [3]float64{0.6, 0.3, 0.5}

const (
	armNoise = 0.05
	armReach = math.Pi / 2 // joint angles are uniform between -armReach and +armReach
)

// arm8 generates a data set modelled on kin8nm of the DELVE kin family: the inputs are the eight
// joint angles of a revolute arm, and the target is the distance of its end effector from a fixed
// point, with medium noise. The links, the point and the noise differ from kin8nm. See endEffector
// for the kinematics.
func arm8() *Dataset {
	rng := stream(generatorSeed, "arm8")
	n, d := arm8Info.N, arm8Info.D
	x := mat.NewDense(n, d, nil)
	y := mat.NewDense(n, 1, nil)
	for i := range n {
		angles := x.RawRowView(i)
		for j := range angles {
			angles[j] = uniform(rng, -armReach, armReach)
		}
		y.Set(i, 0, armDistance(angles)+armNoise*rng.NormFloat64())
	}
	names := []string{"theta1", "theta2", "theta3", "theta4", "theta5", "theta6", "theta7", "theta8"}
	return arm8Info.dataset(x, y, names, []string{"distance"})
}

// armDistance returns the noise-free distance for eight joint angles.
func armDistance(angles []float64) float64 {
	p := endEffector(angles)
	var sum float64
	for k := range p {
		sum += (p[k] - armTarget[k]) * (p[k] - armTarget[k])
	}
	return math.Sqrt(sum)
}

// endEffector returns the position of the tip of the arm for eight joint angles, by forward
// kinematics in the convention of Denavit and Hartenberg ("A Kinematic Notation for Lower-Pair
// Mechanisms Based on Matrices", 1955): joint i rotates about its z axis by angles[i], the link
// extends along the rotated x axis, and the next joint axis is twisted about the link by a quarter
// turn, with alternating sign.
func endEffector(angles []float64) [3]float64 {
	var tip [3]float64
	ex, ey, ez := [3]float64{1, 0, 0}, [3]float64{0, 1, 0}, [3]float64{0, 0, 1}
	for i, angle := range angles {
		ex, ey = rotate(ex, ey, angle)
		for k := range tip {
			tip[k] += armLinks[i] * ex[k]
		}
		twist := math.Pi / 2
		if i%2 == 1 {
			twist = -twist
		}
		ey, ez = rotate(ey, ez, twist)
	}
	return tip
}

// rotate rotates the orthonormal pair (a, b) in its own plane by angle.
func rotate(a, b [3]float64, angle float64) (ra, rb [3]float64) {
	sin, cos := math.Sincos(angle)
	for k := range a {
		ra[k] = cos*a[k] + sin*b[k]
		rb[k] = -sin*a[k] + cos*b[k]
	}
	return ra, rb
}
