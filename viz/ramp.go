package viz

import "math"

// viridis holds every eighth of the colour map of that name (Smith and van der
// Walt, "A better default colormap for Matplotlib", SciPy 2015; dedicated to
// the public domain): equal steps of value look like equal steps of lightness,
// for every kind of colour vision and in grey.
var viridis = [...]uint32{
	0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c, 0x28ae80, 0x5ec962, 0xaddc30, 0xfde725,
}

// darkStart is where the map begins on a dark background, so that the least
// values stand out from the blank of structural zeros.
const darkStart = 0.1

// highStart is how much of the map, at the end next to the background, is left
// out with high contrast.
const highStart = 0.35

// heatTable is the colour map in 256 entries, from low to high.
var heatTable = func() (table [256]Color) {
	for i := range table {
		table[i] = interpolate(viridis[:], float64(i)/255)
	}
	return table
}()

// Heat returns the colour of t from 0 (low) to 1 (high). What is high stands
// out most: it is bright on a dark background and dark on a light one.
func (s Style) Heat(t float64) Color {
	t = math.Max(0, math.Min(1, t))
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
	return heatTable[int(t*255+0.5)]
}

// interpolate returns the colour at t between evenly spaced control points,
// mixed in Oklab, where distances are close to perceived ones (Björn Ottosson,
// "A perceptual color space for image processing", 2020,
// bottosson.github.io/posts/oklab).
func interpolate(points []uint32, t float64) Color {
	at := t * float64(len(points)-1)
	i := min(int(at), len(points)-2)
	a, b := toOklab(rgb(points[i])), toOklab(rgb(points[i+1]))
	for k := range a {
		a[k] += (at - float64(i)) * (b[k] - a[k])
	}
	return fromOklab(a)
}

func toOklab(c Color) [3]float64 {
	r, g, b := linear(c.r), linear(c.g), linear(c.b)
	l := math.Cbrt(0.4122214708*r + 0.5363325363*g + 0.0514459929*b)
	m := math.Cbrt(0.2119034982*r + 0.6806995451*g + 0.1073969566*b)
	s := math.Cbrt(0.0883024619*r + 0.2817188376*g + 0.6299787005*b)
	return [3]float64{
		0.2104542553*l + 0.7936177850*m - 0.0040720468*s,
		1.9779984951*l - 2.4285922050*m + 0.4505937099*s,
		0.0259040371*l + 0.7827717662*m - 0.8086757660*s,
	}
}

func fromOklab(lab [3]float64) Color {
	l := cube(lab[0] + 0.3963377774*lab[1] + 0.2158037573*lab[2])
	m := cube(lab[0] - 0.1055613458*lab[1] - 0.0638541728*lab[2])
	s := cube(lab[0] - 0.0894841775*lab[1] - 1.2914855480*lab[2])
	return Color{
		r:   encoded(4.0767416621*l - 3.3077115913*m + 0.2309699292*s),
		g:   encoded(-1.2684380046*l + 2.6097574011*m - 0.3413193965*s),
		b:   encoded(-0.0041960863*l - 0.7034186147*m + 1.7076147010*s),
		set: true,
	}
}

func cube(v float64) float64 { return v * v * v }

// linear undoes the transfer function of sRGB (IEC 61966-2-1).
func linear(v uint8) float64 {
	x := float64(v) / 255
	if x <= 0.04045 {
		return x / 12.92
	}
	return math.Pow((x+0.055)/1.055, 2.4)
}

// encoded applies the transfer function of sRGB.
func encoded(x float64) uint8 {
	if x <= 0.0031308 {
		x *= 12.92
	} else {
		x = 1.055*math.Pow(x, 1/2.4) - 0.055
	}
	return uint8(math.Max(0, math.Min(1, x))*255 + 0.5)
}
