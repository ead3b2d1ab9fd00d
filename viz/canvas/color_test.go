package canvas

import (
	"fmt"
	"strings"
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

// shown returns the look that a terminal has after escape codes in true colours.
func shown(t *testing.T, look Ink, codes string) Ink {
	t.Helper()
	for _, code := range strings.Split(codes, "\x1b[")[1:] {
		text, ok := strings.CutSuffix(code, "m")
		numbers := strings.Split(text, ";")
		for len(numbers) > 0 && ok {
			color := Color{set: true}
			n := 1
			switch numbers[0] {
			case "0":
				look = Ink{}
			case "1":
				look.Bold = true
			case "7":
				look.Reverse = true
			case "38", "48":
				n = 5
				_, err := fmt.Sscanf(strings.Join(numbers[1:5], " "), "2 %d %d %d",
					&color.r, &color.g, &color.b)
				ok = err == nil
				if numbers[0] == "38" {
					look.FG = color
				} else {
					look.BG = color
				}
			default:
				ok = false
			}
			numbers = numbers[n:]
		}
		if !ok {
			t.Fatalf("unknown codes %q", codes)
		}
	}
	return look
}

// The codes between any two looks change one to the other. There are none between equal looks.
func TestCodesBetweenLooks(t *testing.T) {
	var looks []Ink
	for i := range 36 {
		colors := []Color{{}, rgb(0x123456), rgb(0xfedcba)}
		looks = append(looks, Ink{FG: colors[i%3], BG: colors[i/3%3], Bold: i/9%2 == 1, Reverse: i/18 == 1})
	}
	for _, from := range looks {
		for _, to := range looks {
			codes := string(appendSGR(nil, TrueColor, from, to))
			if got := shown(t, from, codes); got != to || (codes == "") != (from == to) ||
				strings.Count(codes, "m") > 2 {
				t.Errorf("%q changes %+v to %+v, not %+v", codes, from, got, to)
			}
			if codes := appendSGR(nil, NoColor, from, to); len(codes) > 0 {
				t.Errorf("%q without colours", codes)
			}
		}
	}
}

// Colours are approximated by the nearest basic one and by an entry that is about as near as any.
func TestNearestColors(t *testing.T) {
	entries := map[int][3]int{}
	for i := range 216 {
		entries[16+i] = [3]int{cubeLevels[i/36], cubeLevels[i/6%6], cubeLevels[i%6]}
	}
	for i := range 24 {
		entries[232+i] = [3]int{8 + 10*i, 8 + 10*i, 8 + 10*i}
	}
	for i := range 4096 {
		c := rgb(uint32(i/256*17<<16 | i/16%16*17<<8 | i%16*17))
		least := 1 << 30
		for _, e := range entries {
			least = min(least, c.distance(e[0], e[1], e[2]))
		}
		e, ok := entries[c.index256()]
		if got := c.distance(e[0], e[1], e[2]); !ok || got > least+least/4 {
			t.Errorf("%v: entry %d has the distance %d, the nearest %d", c, c.index256(), got, least)
		}
		least = 1 << 30
		for _, hex := range basicColors {
			least = min(least, c.distance(int(hex>>16), int(hex>>8&255), int(hex&255)))
		}
		hex := basicColors[c.index16()]
		if got := c.distance(int(hex>>16), int(hex>>8&255), int(hex&255)); got != least {
			t.Errorf("%v: basic colour %06x has the distance %d, the nearest %d", c, hex, got, least)
		}
	}
	for hex, want := range map[uint32]Color{
		0: named(0xffffff, 15), 0xffffff: named(0, 0), 0x808080: named(0xffffff, 15), 0x909090: named(0, 0),
		0x0000ff: named(0xffffff, 15), 0x00ff00: named(0, 0),
	} {
		if got := rgb(hex).Opposite(); got != want {
			t.Errorf("the opposite of %06x is %v", hex, got)
		}
	}
}
