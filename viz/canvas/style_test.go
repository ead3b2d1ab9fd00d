package canvas

import (
	"math"
	"testing"
)

// contrastWithGround returns the contrast ratio of WCAG 2 with the background.
func contrastWithGround(style Style, c Color) float64 {
	luminance := func(c Color) float64 {
		r, g, b := c.colorful().LinearRgb()
		return 0.2126*r + 0.7152*g + 0.0722*b
	}
	a := luminance(c)
	b := luminance(style.ground())
	return (math.Max(a, b) + 0.05) / (math.Min(a, b) + 0.05)
}

// TestRunColors checks the contrast with the background (WCAG 2, section 1.4.11: 3:1
// for graphics; 1.4.6: 7:1 for text) and that colours and markers differ, colours also on a terminal with 16.
func TestRunColors(t *testing.T) {
	for _, style := range []Style{{Dark: true}, {}, {ASCII: true},
		{Dark: true, HighContrast: true}, {HighContrast: true}} {
		least := 3.0
		if style.HighContrast {
			least = 7
		}
		seen := map[any]int{}
		for i := range len(runColors) {
			if ratio := contrastWithGround(style, style.RunColor(i)); ratio < least {
				t.Errorf("%+v: run %d has contrast %.1f", style, i, ratio)
			}
			basic := style
			basic.Mode = ANSI16
			for _, key := range []any{style.RunColor(i), style.RunMarker(i),
				basic.Paint(style.RunColor(i), false, "line in one of 16 colours")} {
				if j, ok := seen[key]; ok {
					t.Errorf("runs %d and %d share %v", j, i, key)
				}
				seen[key] = i
			}
		}
		if style.RunMarker(-1) != style.RunMarker(len(runColors)-1) {
			t.Error("negative runs do not wrap")
		}
	}
}

// TestManyRunsDiffer checks that 64 runs differ in colour or marker.
func TestManyRunsDiffer(t *testing.T) {
	seen := map[[2]any]int{}
	for i := range 64 {
		key := [2]any{Style{}.RunColor(i), Style{}.RunMarker(i)}
		if j, ok := seen[key]; ok {
			t.Errorf("runs %d and %d look the same", j, i)
		}
		seen[key] = i
	}
}

func TestHighContrast(t *testing.T) {
	for _, style := range []Style{{Dark: true, HighContrast: true}, {HighContrast: true}} {
		for name, c := range map[string]Color{
			"dim": style.Dim(), "faint": style.Faint(), "bad": style.Bad(),
			"warn": style.Warn(), "good": style.Good(),
		} {
			if ratio := contrastWithGround(style, c); ratio < 7 {
				t.Errorf("dark %v: %s has contrast %.1f", style.Dark, name, ratio)
			}
		}
		plain := style
		plain.HighContrast = false
		a := contrastWithGround(style, style.Heat(0))
		b := contrastWithGround(plain, plain.Heat(0))
		if a < 1.25*b {
			t.Errorf("dark %v: the lowest heat has contrast %.1f, plainly %.1f", style.Dark, a, b)
		}
	}
}
