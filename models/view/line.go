package view

// GridPoints is the number of points of a Line.
const GridPoints = 81

// lineMargin is how far a line reaches beyond the data, as a share of their range.
const lineMargin = 0.1

// Line is points along one input, the others at their means: what Functions are drawn
// over.
type Line struct {
	Input  int
	Grid   []float64 // the values of that input, ascending, [G]
	Points []float64 // [G][D]
}

// NewLine returns points along the input with the shortest lengthscale, given the
// training inputs x [D][N] and a lengthscale for each input.
func NewLine(x, lengthscales []float64) Line {
	const n = GridPoints
	d := len(lengthscales)
	l := Line{Points: make([]float64, n*d)}
	for k, s := range lengthscales {
		if s < lengthscales[l.Input] {
			l.Input = k
		}
	}
	for k := range d {
		mean, least, most := spread(x[k*len(x)/d : (k+1)*len(x)/d])
		from := least - lineMargin*(most-least)
		step := (1 + 2*lineMargin) * (most - least) / (n - 1)
		for i := range n {
			v := mean
			if k == l.Input {
				v = from + float64(i)*step
				l.Grid = append(l.Grid, v)
			}
			l.Points[i*d+k] = v
		}
	}
	return l
}

// spread returns the mean, the least and the most of v.
func spread(v []float64) (mean, least, most float64) {
	least, most = v[0], v[0]
	for _, x := range v {
		mean += x
		least, most = min(least, x), max(most, x)
	}
	return mean / float64(len(v)), least, most
}
