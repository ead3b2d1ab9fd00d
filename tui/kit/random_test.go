package kit_test

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/muesli/termenv"

	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
	"dgplab/viz/golden"
)

// random draws texts, themes, sizes and keys.
type random struct{ *golden.Filler }

// text returns a random text of a few words, sometimes styled or with several lines.
func (r random) text(th *kit.Theme) string {
	var words []string
	for range golden.Pick(r.Filler, 0, 1, 1, 2, 3, 9, 20) {
		words = append(words, r.Word())
	}
	text := strings.Join(words, golden.Pick(r.Filler, " ", " ", " ", "-", "\n", "  "))
	if r.IntN(3) == 0 {
		return th.Accent.Render(text)
	}
	return text
}

// texts returns a few texts.
func (r random) texts(th *kit.Theme) (list []string) {
	for range r.IntN(7) {
		list = append(list, r.text(th))
	}
	return list
}

// size returns a number of cells, which is rarely negative.
func (r random) size() int {
	return golden.Pick(r.Filler, r.IntN(12), r.IntN(30), r.IntN(60), r.IntN(140), -1)
}

// rect returns a region.
func (r random) rect() kit.Rect { return kit.Area(r.IntN(20), r.IntN(9), r.size(), r.size()) }

// drawText writes random texts in boxes, frames and rows.
func (r random) drawText(w io.Writer, th *kit.Theme) {
	n, h := r.size(), r.size()
	text, other, lines := r.text(th), r.text(th), r.texts(th)
	sweep := r.Word() + golden.Pick(r.Filler, "", "-layers-9737cc", "-9737c", "-9737cg")
	fmt.Fprintf(w, "%q\n", []string{th.Fit(text, n), th.FitSweep(sweep, n), th.Sides(text, other, n),
		th.Cell(text, n, h%2 == 0), kit.JoinFitting(n, other, lines...), kit.Plain(lines),
		kit.JoinNotes(lines), th.ChoiceText(text), th.Separator(), th.Marker(r.IntN(9)),
		th.Glyphs.KeyLabel("<up>" + text + "<left><right>"), kit.CommonPrefix(append(lines, text, other))})
	for _, box := range [][]string{th.Box(lines, n, h), kit.Lines(text),
		th.Panel(r.rect(), n%3 == 0, text, other, lines, h%2 == 0), kit.Wrap(text, n),
		kit.Paragraph(th.Bad, other, n), th.Centred(text, n, h), th.NoteRows(lines, lines),
		th.Described(lines, text, golden.Pick(r.Filler, "", other), n, kit.DescribedRows(h)),
		th.Described(lines, text, golden.Pick(r.Filler, "", other), n, h)} {
		fmt.Fprintf(w, "%q\n", box)
	}
	row := kit.FormRow{Mark: "> ", Name: r.Word(), NameStyle: th.Title.Render, Changed: h%2 == 0,
		Value: func(w int) string { return th.Fit(text, min(w, 9)) }}
	row.Wrong, row.Beside = golden.Pick(r.Filler, "", "", other), golden.Pick(r.Filler, "", other)
	fmt.Fprintln(w, th.FormRow(row, n))
}

// layOut writes the regions of random screens, and draws them.
func (r random) layOut(w io.Writer, th *kit.Theme) {
	a, n, h := r.rect(), r.size(), r.size()
	left, right := a.Beside()
	top, bottom := a.Stacked()
	first, second := a.Shared(r.IntN(9), r.IntN(9))
	fmt.Fprintln(w, left, right, top, bottom, first, second, kit.FramedHeight(h), a.Inner(), a.Empty())
	l, body := kit.NewLayout(n, h)
	if !body.Empty() {
		body = l.CutTabs(l.CutPlan(body, r.IntN(7)), h)
		left, right := body.Beside()
		l.Parts = []kit.Placed[int]{kit.Place(0, left), kit.Place(2, right)}
	}
	tabs := kit.Tabs{"form", "list", "plan of the sweep"}
	fmt.Fprintln(w, l, l.Parts, tabs.Line(th, r.IntN(3), n, nil),
		tabs.Line(th, r.IntN(3), 40, func(i int) bool { return i == h%3 }))
	for range 9 {
		part, isTab, ok := l.At(r.IntN(max(n, 1)), r.IntN(max(h, 1)), tabs)
		i, on := tabs.At(r.IntN(40))
		fmt.Fprintln(w, part, isTab, ok, i, on)
	}
	c := kit.NewCanvas(n, h)
	note := golden.Pick(r.Filler, "", "a note")
	c.PutHead(th, l.Header, l.Footer, []string{r.text(th), "second"}, note)
	c.PutParts(th, l, tabs, 2*r.IntN(2), func(p kit.Placed[int]) (title, note string, lines []string) {
		return fmt.Sprint(p.ID), note, r.texts(th)
	})
	c.PutPlan(th, l, "Plan", func(w int) []string { return th.Box(r.texts(th), w, 4) })
	c.PutFoot(th, l.Footer, "keys", note)
	fmt.Fprintln(w, c.String(th))
}

// scroll moves the selection and the window of a list.
func (r random) scroll(w io.Writer, th *kit.Theme) {
	var list kit.List
	rows, at, h := golden.Pick(r.Filler, 0, 1, 5, 30), 0, 6
	for range 30 {
		switch r.IntN(4) {
		case 0:
			list.Scroll(r.IntN(9) - 4)
		case 1:
			h = r.IntN(12)
		default:
			act := golden.Pick(r.Filler, kit.ActUp, kit.ActDown, kit.ActDown, kit.ActPageUp, kit.ActPageDown,
				kit.ActFirst, kit.ActLast, kit.ActLeft)
			at = act.Moved(at, rows, list.Height())
		}
		lines := list.Window(rows, at, 3, h, func(i int) string {
			mark, style := th.RowMark(i == at, h%2 == 0)
			return mark + style.Render(fmt.Sprint(i))
		})
		fmt.Fprintln(w, at, list.Top(), list.Height(), lines)
	}
}

// edit types into a line.
func (r random) edit(w io.Writer, th *kit.Theme) {
	line := kit.NewLine(r.Word())
	var focus kit.Focus
	for range 40 {
		msg := kittest.Press(golden.Pick(r.Filler, "left", "right", "home", "end", "backspace", "delete",
			"ctrl+w", "a", "b", "7", " ", "?", "long text", "up"))
		msg.Paste = len(msg.Runes) > 1 && r.IntN(2) == 0
		did := false
		switch r.IntN(12) {
		case 0:
			did = line.Undo()
		case 1:
			did = line.Reset(msg, "standard")
		case 2:
			focus.Set(golden.Pick(r.Filler, "x", "y"), &line)
		case 3:
			focus.Reset()
		case 4:
			line.SetTyped(r.Word())
		case 5, 6, 7:
			did = line.Edit(msg)
		default:
			did = line.Type(msg, func(c rune) bool { return c != 'b' })
		}
		fmt.Fprintln(w, did, line.CanUndo(), line.Position(), line.Accepts('?', unicode.IsPrint),
			th.LineView(&line, r.size()))
	}
}

// bindings writes the footer and the help page of a table with random keys of the user.
func (r random) bindings(w io.Writer, th *kit.Theme) {
	own := map[kit.Action][]string{}
	for range r.IntN(5) {
		name := golden.Pick(r.Filler, "a", "q", "?", "ctrl+c", "space", "alt+x", "f5", "up", "left",
			"nokey")
		key, err := kit.ParseKey(name)
		act := golden.Pick(r.Filler, table...).Action
		own[act] = append(own[act], key)
		fmt.Fprintln(w, key, err)
	}
	with, wrong := kit.Rebind(table, own)
	shown := kit.Available(limited{}, with)
	fmt.Fprintln(w, wrong, th.KeyLine(with, r.size()), th.KeyLine(shown, r.size()),
		kit.PickerHint(th, r.size()))
	for _, line := range append(th.HelpPage(with, 30+2*r.size()), th.HelpRows(shown, 12+r.size())...) {
		fmt.Fprintln(w, line)
	}
	for _, b := range with {
		found, ok := kit.Find(shown, b.Action)
		fmt.Fprintln(w, b.Label(), b.Keys(), found.Label(), ok, b.Action.IsGlobal(), b.Action.IsNavigation(),
			kit.Lookup(with, kittest.Press(golden.Pick(r.Filler, "a", "q", " ", "left", "?"))))
	}
}

// pick moves through the folders of a picker, searches them and completes paths.
func (r random) pick(w io.Writer, th *kit.Theme) {
	var p kit.Picker
	recent := kit.RecentFiles([]string{"/b.csv", "a.csv", "/houses.csv", "/b.csv", "/c", "/d", "/e", "/f"})
	recent = kit.AddRecentFile(recent, golden.Pick(r.Filler, "/b.csv", "/new.csv"))
	for range 60 {
		if !p.IsOpen() {
			p.Update(p.Open(golden.Pick(r.Filler, "", "s/", "houses.csv"), recent[:r.IntN(5)])())
		}
		key := golden.Pick(r.Filler, "up", "down", "pgup", "pgdown", "home", "end", "left", "right", "enter",
			"esc", "backspace", "e", "h", ".", "zz", "down", "down")
		picked, cmd := p.Key(kittest.Press(key))
		if r.IntN(6) == 0 {
			p.Scroll(r.IntN(5) - 2)
			picked, cmd = p.Click(r.IntN(9) - 1)
		}
		n, h := r.size(), golden.Pick(r.Filler, 8, r.IntN(20)-1)
		fmt.Fprintf(w, "%s %s %v %q\n", key, kit.ShortPath(picked), cmd != nil, p.Lines(th, n, h))
		if cmd != nil && strings.HasPrefix(strings.Join(p.Lines(th, 90, 1), ""), "~/work/data") {
			fmt.Fprintln(w, p.Update(cmd()))
		}
		c := kit.CompletePath(golden.Pick(r.Filler, "h", "./", "s/", "~/work/d", "houses.", "none", ".h"))
		fmt.Fprintln(w, c, c.WithNames([]string{"houses", "h2", "houses", "s"}),
			kit.ShortPath(filepath.Join(kit.ExpandPath(golden.Pick(r.Filler, "~", "~x", "~/a")), "y")))
	}
}

// Random texts, sizes and keys give the same widgets as before.
func TestWidgetsAreUnchanged(t *testing.T) {
	var sums golden.Sums
	t.Run("in a folder", func(t *testing.T) {
		kittest.Home(t, map[string]string{"houses.csv": "1", "houses-new.csv": "12", "s/e.csv": "", ".h": ""})
		for seed := range uint64(40) {
			r := random{golden.NewFiller(seed, "", "a", "words", "two-fold", "a-long-word-of-many-letters",
				"3-4", "日本語", "naïve")}
			th := golden.Pick(r.Filler, kittest.PlainTheme(), kittest.ASCIITheme(),
				kit.NewTheme(termenv.TrueColor, true, kit.Unicode, kit.WithBraille),
				kit.NewTheme(termenv.ANSI256, false, kit.Unicode, kit.WithHighContrast))
			for range 6 {
				r.drawText(sums.Group("text"), th)
				r.layOut(sums.Group("layout"), th)
				r.bindings(sums.Group("keys"), th)
			}
			r.scroll(sums.Group("lists"), th)
			r.edit(sums.Group("lines"), th)
			r.pick(sums.Group("files"), th)
		}
	})
	sums.Check(t, "widgets")
}
