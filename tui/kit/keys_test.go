package kit_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

// table is a key table with all forms of labels.
var table = []kit.Binding{
	kit.Bind(kit.Look, "pause", "space", "pause", "Pause the training, or continue it.", " "),
	kit.Bind(kit.Look, "previous_layer", "<left>", "", "Look into the previous layer.", "left"),
	kit.Bind(kit.Look, "next_layer", "<left><right>", "layer", "Look into the next layer.", "right"),
	kit.Bind(kit.Look, "smoother", "+", "", "Smooth more; the raw curve stays visible.", "+", "="),
	kit.Bind(kit.Look, "rougher", "+-", "smooth", "Smooth less.", "-", "_"),
	kit.Help, kit.Quit, kit.Mouse, kit.Interrupt,
}

func TestLookup(t *testing.T) {
	for key, want := range map[string]kit.Action{
		" ": "pause", "left": "previous_layer", "=": "smoother", "_": "rougher", "?": kit.ActHelp,
		"ctrl+c": kit.ActInterrupt, "z": "", "up": "",
	} {
		if got := kit.Lookup(table, kittest.Press(key)); got != want {
			t.Errorf("%q performs %q, want %q", key, got, want)
		}
	}
}

// The help key stays in the footer however narrow the footer is.
func TestHelpKeyStays(t *testing.T) {
	th := kittest.PlainTheme()
	for w, want := range map[int]string{
		80: "space pause  ←→ layer  +- smooth  ? help  q quit",
		48: "space pause  ←→ layer  +- smooth  ? help  q quit",
		47: "space pause  ←→ layer  +- smooth  ? help", 30: "space pause  ←→ layer  ? help",
		28: "space pause  ? help",
		19: "space pause  ? help", 18: "space pause", 10: "", 0: "",
	} {
		if got := th.KeyLine(table, w); got != want {
			t.Errorf("%d cells: %q, want %q", w, got, want)
		}
	}
}

func TestHelpListsEveryBinding(t *testing.T) {
	page := strings.Join(kittest.PlainTheme().HelpRows(table, 200), "\n")
	for _, b := range table {
		if !strings.Contains(page, b.Sentence) {
			t.Errorf("help has no %q", b.Sentence)
		}
	}
}

// No word is lost on a narrow help page, where the sentences are below the keys.
func TestNarrowHelpLosesNoWord(t *testing.T) {
	squeeze := strings.NewReplacer(" ", "", "\n", "").Replace
	for w := 12; w < 40; w++ {
		rows := kittest.PlainTheme().HelpRows(table, w)
		page := squeeze(strings.Join(rows, "\n"))
		for _, b := range table {
			if w < 22 && !strings.Contains(page, squeeze(b.Sentence)) {
				t.Errorf("%d cells: no %q", w, b.Sentence)
			}
		}
		for _, row := range rows {
			if n := ansi.StringWidth(row); n != w {
				t.Fatalf("a row for %d cells has %d: %q", w, n, row)
			}
		}
	}
}

func TestFooterFits(t *testing.T) {
	th := kittest.PlainTheme()
	if got := th.KeyLine(table, 40); !strings.HasPrefix(got, "space pause  ←→ layer  +- smooth") {
		t.Errorf("footer %q", got)
	}
	for w := range 200 {
		if n := ansi.StringWidth(th.KeyLine(table, w)); n > w {
			t.Fatalf("the footer for %d cells has %d", w, n)
		}
	}
}

func TestASCIILabelsAreASCII(t *testing.T) {
	for _, b := range table {
		for _, r := range kit.ASCII.KeyLabel(b.Help().Key) {
			if r > 126 {
				t.Errorf("the label %q contains %q", b.Help().Key, r)
			}
		}
	}
}

func TestHelpPageGroups(t *testing.T) {
	table := []kit.Binding{
		kit.Bind(kit.Look, "focus", "tab", "", "Focus the next panel.", "tab"),
		kit.Bind(kit.Steer, "stop", "s", "", "Stop.", "s"),
		kit.Bind(kit.Look, "zoom", "enter", "", "Zoom.", "enter"),
		kit.Bind(kit.Everywhere, "quit", "q", "", "Quit.", "q"),
	}
	column := []string{"Steer", "s          Stop.", "",
		"Look", "tab        Focus the next panel.", "enter      Zoom.", "",
		"Everywhere", "q          Quit."}
	for w, want := range map[int][]string{
		60: column,
		// Two columns of 56 cells.
		115: append([]string{
			fmt.Sprintf("%-59s%s", column[0], column[7]), fmt.Sprintf("%-59s%s", column[1], column[8]),
		}, column[2:6]...),
	} {
		var got []string
		for _, row := range kittest.PlainTheme().HelpPage(table, w) {
			if kit.Cells(row) > w {
				t.Errorf("%q is wider than %d", row, w)
			}
			got = append(got, strings.TrimRight(row, " "))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d cells:\n%s\nwant\n%s", w, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}
