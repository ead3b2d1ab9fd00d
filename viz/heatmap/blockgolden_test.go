package heatmap

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"dgplab/viz/canvas"
	"dgplab/viz/golden"
)

func TestBlockMapGolden(t *testing.T) {
	poisoned := demoMap([]int{1, 1}, 8, func(int, int) bool { return true })
	poisoned.Log10[3] = math.NaN()
	fixed := demoMap([]int{1, 1}, 8, func(int, int) bool { return true })
	fixed.Lo, fixed.Hi, fixed.Title = -3, -1, "star, seed 2"
	chosen := demoMap([]int{3, 3, 1}, 16, starBlocks(3, 6))
	chosen.Chosen = 5
	maps := map[string]BlockMap{
		"star":    demoMap([]int{3, 3, 1}, 16, starBlocks(3, 6)),
		"full":    demoMap([]int{1, 1, 1}, 20, func(int, int) bool { return true }),
		"wide":    demoMap([]int{8, 8, 1}, 8, starBlocks(8, 16)),
		"single":  {Parts: parts([]int{1}, 1, 1), Log10: []float64{0.3}},
		"zero":    {Parts: parts([]int{1}, 4, 1), Log10: []float64{math.Inf(-1)}},
		"nan":     poisoned,
		"empty":   {},
		"unequal": {Parts: parts([]int{2}, 0, 3), Log10: make([]float64, 7)},
		"fixed":   fixed,
		"parts":   demoParts(),
		"named":   demoNamed(),
		"free":    demoFree(),
		"chosen":  chosen,
	}
	for name, m := range maps {
		t.Run(name, func(t *testing.T) {
			recorded := golden.Sizes
			if len(m.Parts) < 4 { // A map of few blocks has little more to show in other sizes.
				golden.Sweep(t, m, canvas.Style{}, golden.Sizes)
				recorded = golden.Sizes[2:4]
			}
			golden.CheckSizes(t, "map_"+name, m, canvas.Style{}, recorded)
			golden.CheckSizes(t, "map_"+name+"_ascii", m, canvas.Style{ASCII: true}, golden.Sizes[1:3])
		})
	}
	t.Run("colour", func(t *testing.T) {
		for _, style := range []canvas.Style{{Mode: canvas.TrueColor, Dark: true},
			{Mode: canvas.TrueColor},
			{Mode: canvas.ANSI256, Dark: true}} {
			name := fmt.Sprintf("map_colour_%d_dark_%v", style.Mode, style.Dark)
			golden.CheckSizes(t, name, maps["star"], style, golden.Sizes[1:4])
			if style.Mode == canvas.ANSI256 {
				style.Mode = canvas.ANSI16
				golden.CheckSizes(t, "map_colour_16", maps["star"], style, golden.Sizes[2:3])
			}
			golden.CheckSizes(t, name+"_free", maps["free"], style, golden.Sizes[2:3])
		}
	})
}

func TestBlockMapsGolden(t *testing.T) {
	sizes := append([][2]int{{120, 24}, {80, 20}, {40, 30}}, golden.Sizes...)
	for n := range 5 {
		golden.Sweep(t, demoMaps(n), canvas.Style{}, sizes)
	}
	golden.CheckSizes(t, "maps_2", demoMaps(2), canvas.Style{}, sizes)
	golden.CheckSizes(t, "maps_4", demoMaps(4), canvas.Style{}, sizes)
	golden.CheckSizes(t, "maps_ascii", demoMaps(3), canvas.Style{ASCII: true}, golden.Sizes[:3])
	golden.CheckSizes(t, "maps_colour", demoMaps(2), canvas.Style{Mode: canvas.TrueColor, Dark: true},
		golden.Sizes[1:2])
}

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
