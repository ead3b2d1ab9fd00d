package kit

import (
	"fmt"
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

// Text of every style, before and after styled text and between frames, lies on the background for which its
// colour is chosen, on dark and on light terminals: painted by a theme that was chosen, and otherwise the
// terminal's.
func TestTextOnItsBackground(t *testing.T) {
	for _, terminal := range []struct{ text, ground string }{{"#ffffff", "#000000"}, {"#000000", "#ffffff"}} {
		for _, c := range []struct {
			name    string
			dark    bool
			options []Option
		}{
			{"auto", terminal.ground == "#000000", nil},
			{"light", false, []Option{WithGround}},
			{"dark", true, []Option{WithGround}},
			{"high-contrast", true, []Option{WithGround, WithHighContrast}},
			{"high-contrast", false, []Option{WithGround, WithHighContrast}},
		} {
			th := NewTheme(termenv.TrueColor, c.dark, Unicode, c.options...)
			for _, style := range []lipgloss.Style{th.Plain, th.Text, th.Dim, th.Title, th.Key, th.Accent,
				th.FocusTitle, th.Selected, th.Good, th.Warn, th.Bad} {
				frame := th.Paint("a"+style.Render("b")+"c\n"+style.Render("d"), 9)
				text, ground := terminal.text, terminal.ground
				for _, part := range strings.Split(frame, "\x1b[")[1:] {
					codes, shown, _ := strings.Cut(part, "m")
					text, ground = colours(codes, text, ground, terminal.text, terminal.ground)
					lighter := max(luminance(t, text), luminance(t, ground)) + 0.05
					darker := min(luminance(t, text), luminance(t, ground)) + 0.05
					if strings.TrimSpace(shown) != "" && lighter/darker < 4.5 {
						t.Errorf("theme %s on a terminal with %s: %q is %s on %s, "+
							"a contrast of %.1f; want 4.5",
							c.name, terminal.ground, shown, text, ground, lighter/darker)
					}
				}
			}
		}
	}
}

// colours returns the colours of text and background after a sequence of SGR codes.
func colours(codes, text, ground, plainText, plainGround string) (newText, newGround string) {
	list := strings.Split(codes, ";")
	for i := 0; i < len(list); i++ {
		switch list[i] {
		case "0":
			text, ground = plainText, plainGround
		case "38", "48":
			part := func(k int) int { n, _ := strconv.Atoi(list[i+k]); return n }
			colour := fmt.Sprintf("#%02x%02x%02x", part(2), part(3), part(4))
			if list[i] == "38" {
				text = colour
			} else {
				ground = colour
			}
			i += 4
		}
	}
	return text, ground
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
