package datasets

import (
	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/task"
)

var lettersInfo = Info{
	Name: "letters", Title: "Inside the letters DGP, 2-D classes", Kind: Builtin, Task: task.Binary,
	N: 40000, D: 2, P: 1, Classes: 2, Cached: true,
	Origin: "generated: points of the unit square, class yes inside the letters DGP, no outside",
}

// Each letter has its own box. All letters share the base line and the cap line.
const (
	letterBottom = 0.25
	letterTop    = 0.75
	letterWidth  = 0.24
	letterStroke = 0.06 // width of stems, bars and bowls

	letterLeftD = 0.06
	letterLeftG = 0.38
	letterLeftP = 0.70
)

// letters generates a binary data set: 40,000 points, uniform on the unit square, whose noise-free
// labels tell whether they lie inside one of the letters D, G, P. The task is the toy problem of
// Meng and Zhang, "Amortized Variational Inference for Deep Gaussian Processes", 2024, with the
// same square, number of points and letters. The shapes, built from rectangles and half-ellipses,
// differ. Thin strokes, holes (D, P) and a gap (G) require boundaries of very different curvature.
func letters() *Dataset {
	rng := stream(generatorSeed, "letters")
	n := lettersInfo.N
	x := mat.NewDense(n, 2, nil)
	y := mat.NewDense(n, 1, nil)
	for i := range n {
		a := rng.Float64()
		b := rng.Float64()
		x.SetRow(i, []float64{a, b})
		class := -1.0
		if insideLetters(a, b) {
			class = 1
		}
		y.Set(i, 0, class)
	}
	ds := lettersInfo.dataset(x, y, []string{"x", "y"}, []string{"inside"})
	ds.Classes = []string{"no", "yes"}
	return ds
}

// insideLetters reports whether the point (x, y) lies inside a letter.
func insideLetters(x, y float64) bool {
	if y < letterBottom || y > letterTop {
		return false
	}
	return insideD(x-letterLeftD, y) || insideG(x-letterLeftG, y) || insideP(x-letterLeftP, y)
}

// insideD reports whether a point lies inside the D, a stem and a bowl of full height. In insideD,
// insideG and insideP, x is relative to the left edge of the box of the letter.
func insideD(x, y float64) bool {
	return insideStem(x) || insideBowl(x, y, letterBottom, letterTop)
}

// insideP reports whether a point lies inside the P, a stem and a bowl in the upper half.
func insideP(x, y float64) bool {
	return insideStem(x) || insideBowl(x, y, letterBottom+0.22, letterTop)
}

// insideG reports whether a point lies inside the G, an elliptic ring with an opening on the right
// above the middle, a bar and a spur.
func insideG(x, y float64) bool {
	const mid = (letterBottom + letterTop) / 2
	if x < 0 || x > letterWidth {
		return false
	}
	bar := x > letterWidth*0.55 && y < mid && y > mid-letterStroke
	spur := x > letterWidth-letterStroke && y < mid && y > letterBottom+0.08
	if bar || spur {
		return true
	}
	rx, ry := letterWidth/2, (letterTop-letterBottom)/2
	dx, dy := x-rx, y-mid
	ring := ellipse(dx, dy, rx, ry) <= 1 && ellipse(dx, dy, rx-letterStroke, ry-letterStroke) >= 1
	gap := dx > 0 && dy > 0 && dy < ry*0.55
	return ring && !gap
}

func insideStem(x float64) bool { return x >= 0 && x <= letterStroke }

// insideBowl reports whether a point lies inside a bowl: the right half of an elliptic ring, from
// the stem to the right edge of the box, between the heights lo and hi.
func insideBowl(x, y, lo, hi float64) bool {
	if x < 0 || y < lo || y > hi {
		return false
	}
	rx, ry := letterWidth, (hi-lo)/2
	dy := y - (lo+hi)/2
	return ellipse(x, dy, rx, ry) <= 1 && ellipse(x, dy, rx-letterStroke, ry-letterStroke) >= 1
}

// ellipse returns a value below 1 inside the ellipse with half-axes rx and ry, and above 1 outside.
func ellipse(dx, dy, rx, ry float64) float64 {
	return dx*dx/(rx*rx) + dy*dy/(ry*ry)
}
