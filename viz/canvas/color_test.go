package canvas

import (
	"testing"
)

// lightness returns the L of Oklab.
func lightness(c Color) float64 {
	l, _, _ := c.colorful().OkLab()
	return l
}

func TestHeatIsEven(t *testing.T) {
	for _, style := range []Style{{Dark: true}, {}} {
		first := lightness(style.Heat(0))
		last := lightness(style.Heat(1))
		step := (last - first) / 20
		for i := range 20 {
			d := lightness(style.Heat(float64(i+1)/20)) - lightness(style.Heat(float64(i)/20))
			if d/step < 0.4 || d/step > 1.7 {
				t.Errorf("dark %v: step %d of lightness is %.3f of an even one", style.Dark, i, d/step)
			}
		}
	}
	for i, hex := range viridis {
		if got := interpolate(viridis[:], float64(i)/8); got != rgb(hex) {
			t.Errorf("control point %d is %v, want %06x", i, got, hex)
		}
	}
}

func TestColorModes(t *testing.T) {
	c := named(0x56b4e9, 14)
	for mode, want := range map[ColorMode]string{
		NoColor: "x", ANSI16: "\x1b[1;96mx\x1b[0m", ANSI256: "\x1b[1;38;5;74mx\x1b[0m",
		TrueColor: "\x1b[1;38;2;86;180;233mx\x1b[0m",
	} {
		if got := (Style{Mode: mode}).Paint(c, true, "x"); got != want {
			t.Errorf("mode %d: %q, want %q", mode, got, want)
		}
	}
	for hex, want := range map[uint32]int{
		0x000000: 16, 0xffffff: 231, 0x808080: 244, 0xff0000: 196, 0x5f87af: 67,
	} {
		if got := rgb(hex).index256(); got != want {
			t.Errorf("%06x is entry %d, want %d", hex, got, want)
		}
	}
}
