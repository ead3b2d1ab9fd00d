package setup

import (
	"strings"
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

// Every section draws the same cells and colours as before, and copies the same text.
func TestFramesAreUnchanged(t *testing.T) {
	frames := map[string]func(*kit.Theme) func(w, h int) string{}
	for s := range numSections {
		frames[sectionNames[s]] = func(th *kit.Theme) func(w, h int) string { return onSection(s, th).TextAt }
	}
	for name, keys := range map[string]string{
		"file": "up", "columns": "c", "edited columns": "c m down i down l", "last column": "c end t",
		"targets": "c T down T enter", "undone columns": "c m esc", "typed path": "/ x",
		"family": "tab down", "found family": "tab / s t", "no family": "tab / x y",
		"settings": "tab tab down down down", "last setting": "tab tab end",
		"choice":        "tab tab down down right",
		"typed setting": "tab tab down 7", "wrong setting": "tab tab down 0 enter",
		"reset setting": "tab tab down 7 ctrl+u", "undone setting": "tab tab down 7 8 esc", "fetch": "end f",
	} {
		e := kittest.NewEngine()
		e.Describes = describeFile
		d := newHarness(e, rundir.Config{}, 80, 24)
		d.setup.Restore([]byte(`{"dataset":"/data/one.csv","files":["/data/one.csv","/data/two.csv"]}`))
		for key := range strings.SplitSeq(keys, " ") {
			cmd := d.Keys(key)
			if key == "c" {
				d.Perform(cmd) // Describe the file.
			}
		}
		frames[name] = func(th *kit.Theme) func(w, h int) string {
			*d.Theme() = *th
			return d.TextAt
		}
	}
	kittest.CheckSums(t, "frames", frames)
}
