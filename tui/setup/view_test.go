package setup

import (
	"fmt"
	"testing"

	"dgplab/datasets/table"
	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
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

// Frames with the focus on any section fill the screen exactly.
func TestEveryFrameFits(t *testing.T) {
	for s := range numSections {
		kittest.CheckSizes(t, sectionNames[s], onSection(s, kittest.PlainTheme()).ViewAt)
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
		for h := 1 + w%5; h <= 45; h += 5 {
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

// At 120 x 40 cells the three sections are on one page.
func TestPage(t *testing.T) {
	kittest.CheckPage(t, "page", onSection(sectionForm, kittest.PlainTheme()).ViewAt)
}

// Smaller screens show one section and the names of the others. The marks of the focus and the keys differ.
func TestSections(t *testing.T) {
	const size = "N 2,000 + 0 validation + 0 test points"
	for _, c := range []struct {
		section section
		w, h    int
		want    []string
	}{
		{sectionData, 120, 40, []string{"─▸ Data set", "── Family", "ctrl+o files"}},
		{sectionFamily, 120, 40, []string{"── Data set", "─▸ Family", "/ find"}},
		{sectionData, 80, 24, []string{"▸ Data set   Family   Settings",
			"CSV file: type a path such as ./data.csv",
			"› mountaincar  2,000 x 2", "f: download 51.2 kB", "! column 3 is constant"}},
		{sectionData, 40, 10, []string{"▸ Data set   Family   Settings", "› mountaincar", size}},
		{sectionFamily, 40, 10, []string{"Data set ▸ Family   Settings", "› mean-field  Mean-field deep GP",
			size}},
		{sectionForm, 40, 10, []string{"Data set   Family ▸ Settings", "›  split               [default]",
			size}},
	} {
		frame := onSection(c.section, kittest.PlainTheme()).ViewAt(c.w, c.h)
		what := fmt.Sprintf("%s at %d x %d", sectionNames[c.section], c.w, c.h)
		kittest.CheckShows(t, what, frame, c.want...)
	}
}
