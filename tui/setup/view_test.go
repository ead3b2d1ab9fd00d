package setup

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"dgplab/datasets/table"
	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
	"dgplab/viz/golden"
)

// onSection returns a screen with a plan and a focused section, in a theme.
func onSection(s section, th *kit.Theme) *harness {
	d := newHarness(kittest.NewEngine(), rundir.Config{}, 80, 24)
	*d.Theme() = *th
	d.setup.section = s
	d.setup.plan.Known = &session.Preview{
		N:        2000,
		D:        2,
		P:        3,
		Warnings: []table.Note{{Text: "column 3 is constant"}},
	}
	return d
}

// TestEveryFrameFits draws the screen at every size up to 130 x 45.
func TestEveryFrameFits(t *testing.T) {
	for s := range numSections {
		t.Run(sectionNames[s], func(t *testing.T) {
			t.Parallel()
			stride := 6
			if s == sectionForm {
				stride = 4
			}
			if testing.Short() {
				stride = 29
			}
			d := onSection(s, kittest.PlainTheme())
			for w := 1; w <= 130; w++ {
				for h := 1 + w%stride; h <= 45; h += stride {
					d.Size(w, h)
					kittest.CheckFrame(t, sectionNames[s], d.View(), w, h)
				}
			}
		})
	}
}

func TestFramesWithoutUnicodeOrColour(t *testing.T) {
	for s := range numSections {
		d := onSection(s, kit.NewTheme(termenv.Ascii, true, kit.ASCII))
		for _, size := range [][2]int{{120, 40}, {80, 24}, {40, 10}, {12, 2}} {
			d.Size(size[0], size[1])
			for i, r := range d.View() {
				if r != '\n' && (r < 32 || r > 126) {
					t.Fatalf("%s at %v: byte %d is %q", sectionNames[s], size, i, r)
				}
			}
		}
	}
}

func TestColourChangesNoCell(t *testing.T) {
	for s := range numSections {
		plain := onSection(s, kittest.PlainTheme()).View()
		if strings.Contains(plain, "\x1b") {
			t.Errorf("%s has escape codes without colour", sectionNames[s])
		}
		for _, dark := range []bool{true, false} {
			got := onSection(s, kit.NewTheme(termenv.TrueColor, dark, kit.Unicode)).View()
			if ansi.Strip(got) != plain {
				t.Errorf("%s, dark %v: colour moved cells", sectionNames[s], dark)
			}
			if !strings.Contains(got, "\x1b") {
				t.Errorf("%s, dark %v: no colour at all", sectionNames[s], dark)
			}
		}
	}
}

func TestLayoutsTileEverySize(t *testing.T) {
	for w := 1; w <= 130; w++ {
		for h := 1; h <= 45; h++ {
			for s := range numSections {
				l := arrange(w, h, s)
				regions := []kit.Rect{l.Header, l.Tabs, l.Foot, l.Footer}
				for _, p := range l.Parts {
					regions = append(regions, p.Rect)
				}
				kittest.CheckTiling(t, "set-up", w, h, regions)
			}
		}
	}
}

func TestGoldenFrames(t *testing.T) {
	for s, name := range map[section]string{
		sectionData: "data", sectionFamily: "family", sectionForm: "settings",
	} {
		for _, size := range kittest.Sizes {
			d := onSection(s, kittest.PlainTheme())
			d.Size(size.W, size.H)
			golden.Check(t, name+"-"+size.Name, kittest.Trim(d.View()))
		}
	}
}
