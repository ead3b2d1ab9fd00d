package setup

import (
	"testing"

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
		Data:     rundir.DataFacts{N: 2000, D: 2, P: 3},
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
			d := onSection(s, kittest.PlainTheme())
			kittest.CheckSizes(t, sectionNames[s], stride, d.ViewAt)
		})
	}
}

func TestFramesWithoutUnicodeOrColour(t *testing.T) {
	for s := range numSections {
		kittest.CheckASCII(t, sectionNames[s], onSection(s, kittest.ASCIITheme()).ViewAt)
	}
}

func TestColourChangesNoCell(t *testing.T) {
	for s := range numSections {
		kittest.CheckColours(t, sectionNames[s], func(th *kit.Theme) string {
			return onSection(s, th).View()
		})
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
