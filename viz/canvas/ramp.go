package canvas

import (
	"math"
)

// viridis holds every eighth of the colour map viridis (Smith and van der Walt, "A better default
// colormap for Matplotlib", SciPy 2015; public domain): equal steps of value look like equal steps
// of lightness, for every kind of colour vision and in grey.
var viridis = [...]uint32{
	0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c, 0x28ae80, 0x5ec962, 0xaddc30, 0xfde725,
}

// darkStart is the start of the map on a dark background. It makes the smallest values stand out
// from structural zeros, which are blank.
const darkStart = 0.1

// highStart is the share of the map next to the background that high contrast leaves out.
const highStart = 0.35

// heatTable is the colour map in 256 entries, from low to high.
var heatTable = func() (table [256]Color) {
	for i := range table {
		table[i] = interpolate(viridis[:], float64(i)/255)
	}
	return table
}()

// heat256 is a similar path through the cube of 256 colours: saturated entries of rising lightness
// (0.34 to 0.97 in Oklab). The nearest entries to viridis would be greys and browns with few
// colours between them.
var heat256 = [...]uint32{
	0x5f005f, 0x5f0087, 0x5f00af, 0x005faf, 0x0087af, 0x00af87, 0x00d787, 0x5fd75f, 0x87d75f, 0xafd700,
	0xd7d700, 0xffd700, 0xffff00,
}

// heat16Dark and heat16Light are for characters in 16 colours, from low to high.
var (
	heat16Dark = [...]Color{named(0x0000ee, 4), named(0x00cdcd, 6), named(0x00cd00, 2),
		named(0x00ff00, 10), named(0xffff00, 11)}
	heat16Light = [...]Color{named(0xcdcd00, 3), named(0x00cd00, 2), named(0x00cdcd, 6),
		named(0x0000ee, 4), named(0x000000, 0)}
)

// Heat returns the colour of t from 0 (low) to 1 (high). High values stand out: they are bright on
// a dark background and dark on a light one.
func (s Style) Heat(t float64) Color {
	t = math.Max(0, math.Min(1, t))
	if s.Mode == ANSI16 && !math.IsNaN(t) {
		list := heat16Light
		if s.Dark {
			list = heat16Dark
		}
		return list[min(int(t*float64(len(list))), len(list)-1)]
	}
	switch {
	case s.Dark && s.HighContrast:
		t = highStart + t*(1-highStart)
	case s.Dark:
		t = darkStart + t*(1-darkStart)
	case s.HighContrast:
		t = (1 - t) * (1 - highStart)
	default:
		t = 1 - t
	}
	if math.IsNaN(t) {
		return s.Bad()
	}
	if s.Mode == ANSI256 {
		return rgb(heat256[min(int(t*float64(len(heat256))), len(heat256)-1)])
	}
	return heatTable[int(t*255+0.5)]
}

// interpolate returns the colour at t between evenly spaced control points,
// mixed in Oklab, where distances are close to perceived ones (Björn Ottosson,
// "A perceptual color space for image processing", 2020,
// bottosson.github.io/posts/oklab).
func interpolate(points []uint32, t float64) Color {
	at := t * float64(len(points)-1)
	i := min(int(at), len(points)-2)
	from := rgb(points[i]).colorful()
	to := rgb(points[i+1]).colorful()
	r, g, b := from.BlendOkLab(to, at-float64(i)).Clamped().RGB255()
	return Color{r: r, g: g, b: b, set: true}
}
