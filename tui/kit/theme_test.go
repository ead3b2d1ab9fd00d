package kit

import (
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"dgplab/viz/canvas"
)

// luminance returns the relative luminance of a colour #rrggbb as defined in WCAG 2.2.
func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	n, err := strconv.ParseUint(colour[1:], 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	part := func(shift uint) float64 {
		c := float64(n>>shift&0xff) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*part(16) + 0.7152*part(8) + 0.0722*part(0)
}

// TestContrast measures every colour against a white and a black background.
func TestContrast(t *testing.T) {
	for _, c := range []struct {
		name    string
		colours palette
		least   float64
	}{{"normal", normal, 4.5}, {"high contrast", highContrast, 7}} {
		fields := reflect.ValueOf(&c.colours).Elem()
		for i := range fields.NumField() {
			name := fields.Type().Field(i).Name
			if c.name == "normal" && name == "border" {
				continue // Borders carry no information.
			}
			colour := lipgloss.AdaptiveColor{
				Light: fields.Field(i).FieldByName("Light").String(),
				Dark:  fields.Field(i).FieldByName("Dark").String(),
			}
			onWhite := 1.05 / (luminance(t, colour.Light) + 0.05)
			onBlack := (luminance(t, colour.Dark) + 0.05) / 0.05
			if onWhite < c.least || onBlack < c.least {
				t.Errorf("%s %s: contrast %.1f on white, %.1f on black, want %g",
					c.name, name, onWhite, onBlack, c.least)
			}
		}
	}
}

// Every style except the plain one has a colour.
func TestStylesHaveColors(t *testing.T) {
	th := NewTheme(termenv.TrueColor, true, Unicode, WithHighContrast)
	fields := reflect.ValueOf(th).Elem()
	for i := range fields.NumField() {
		style, ok := fields.Field(i).Interface().(lipgloss.Style)
		name := fields.Type().Field(i).Name
		if ok && strings.Contains(style.Render("x"), "\x1b[") == (name == "Plain") {
			t.Errorf("the style %s renders %q", name, style.Render("x"))
		}
	}
}

// Pictures have as many colours as the terminal.
func TestStyleOfPictures(t *testing.T) {
	for profile, want := range map[termenv.Profile]canvas.ColorMode{
		termenv.Ascii: canvas.NoColor, termenv.ANSI: canvas.ANSI16, termenv.ANSI256: canvas.ANSI256,
		termenv.TrueColor: canvas.TrueColor,
	} {
		got := NewTheme(profile, true, ASCII, WithBraille).VizStyle()
		if got != (canvas.Style{Mode: want, Dark: true, ASCII: true, Braille: true}) {
			t.Errorf("profile %v: %+v", profile, got)
		}
	}
}
