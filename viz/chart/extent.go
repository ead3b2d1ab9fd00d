package chart

import (
	"math"

	"dgplab/viz/canvas"
)

// Extent is the range of finite values.
type Extent struct {
	Lo, Hi float64
	// Lo2 and Hi2 are the second smallest and the second largest distinct values.
	Lo2, Hi2 float64
	N        int
}

func NewExtent() Extent {
	return Extent{Lo: math.Inf(1), Hi: math.Inf(-1), Lo2: math.Inf(1), Hi2: math.Inf(-1)}
}

func (e *Extent) Add(v float64) {
	e.N++
	switch {
	case v < e.Lo:
		e.Lo, e.Lo2 = v, e.Lo
	case v > e.Lo && v < e.Lo2:
		e.Lo2 = v
	}
	switch {
	case v > e.Hi:
		e.Hi, e.Hi2 = v, e.Hi
	case v < e.Hi && v > e.Hi2:
		e.Hi2 = v
	}
}

func (e *Extent) Merge(o Extent) {
	if o.N == 0 {
		return
	}
	n := e.N + o.N
	for _, v := range [...]float64{o.Lo, o.Lo2, o.Hi2, o.Hi} {
		if canvas.Finite(v) {
			e.Add(v)
		}
	}
	e.N = n
}
