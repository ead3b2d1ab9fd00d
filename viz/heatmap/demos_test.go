package heatmap

import (
	"math"
	"math/rand/v2"

	"dgplab/viz/canvas"
)

// parts returns the parts of layers with the given numbers of GPs, all of one size.
func parts(gps []int, size, cells int) (list []Part) {
	for layer, n := range gps {
		for range n {
			list = append(list, Part{Group: layer, Size: size, Cells: cells})
		}
	}
	return list
}

// demoMap returns the map of a posterior over layers of the given widths with decaying covariance.
// keep reports which blocks are not zero.
func demoMap(gps []int, cells int, keep func(i, j int) bool) BlockMap {
	r := rand.New(rand.NewPCG(5, 6))
	b := BlockMap{Parts: parts(gps, 64, cells)}
	side := b.Side()
	b.Log10 = make([]float64, side*side)
	for i := range side {
		for j := range side {
			bi, bj := i/cells, j/cells
			v := -0.3*math.Abs(float64(i%cells-j%cells))*16/float64(cells) - 0.5 + 0.3*r.NormFloat64()
			if bi != bj {
				v -= 1.5 + 0.5*math.Abs(float64(bi-bj))
			}
			if !keep(bi, bj) {
				v = math.Inf(-1)
			}
			b.Log10[i*side+j] = v
		}
	}
	return b
}

// demoParts returns a map of two layers whose GPs differ in size.
func demoParts() BlockMap {
	b := BlockMap{
		Parts: []Part{{Size: 100, Cells: 24}, {Size: 10, Cells: 3}, {Size: 25, Cells: 6},
			{Group: 1, Size: 200, Cells: 48}},
	}
	side := b.Side()
	for i := range side {
		for j := range side {
			b.Log10 = append(b.Log10, -0.1*math.Abs(float64(i-j)))
		}
	}
	return b
}

// demoFree returns a map whose layers 1 and 2, and their outputs, are uncorrelated, but not by
// construction.
func demoFree() BlockMap {
	b := demoMap([]int{2, 2, 1}, 16, func(i, j int) bool { return i == j })
	b.Free = [][2]int{{2, 0}, {3, 1}, {4, 0}, {4, 1}, {4, 2}, {4, 3}}
	return b
}

// demoNamed returns a map of independent parts with names.
func demoNamed() BlockMap {
	m := demoMap([]int{2, 6}, 12, func(i, j int) bool { return i == j })
	for i, name := range []string{"f_1", "f_2", "w_11", "w_12", "w_21", "w_22", "w_31", "w_32"} {
		m.Parts[i].Name = name
	}
	return m
}

// starBlocks returns the pattern of stripes and arrow for layers of t GPs below a last one.
func starBlocks(t, last int) func(i, j int) bool {
	return func(i, j int) bool { return (i-j)%t == 0 && i != last && j != last || i == last || j == last }
}

// demoMaps returns maps of n runs with different widths, each weaker than the last.
func demoMaps(n int) BlockMaps {
	var out BlockMaps
	for i := range n {
		t := 2 + i%3
		m := demoMap([]int{t, t, 1}, 12, starBlocks(t, 2*t))
		m.Title = "star M=64"
		m.Mark = canvas.Style{}.RunMarker(i)
		for k := range m.Log10 {
			m.Log10[k] -= float64(2 * i)
		}
		out = append(out, m)
	}
	return out
}
