package settings

import (
	"maps"
	"slices"
	"strings"

	"dgplab/tui/kit"
	"dgplab/tui/report"
)

// The parts of the page.
const (
	partForm = iota
	partRest
)

// formHeight is the height of the form with its border and the description of the selected row.
const formHeight = 12

// arrange returns the layout of w x h cells: the form above the rest of the file. If there is no room for
// both, the rest is not shown.
func arrange(w, h int) kit.Layout {
	l, body := kit.NewLayout(w, h)
	switch {
	case body.Empty():
	case body.H < formHeight+kit.FrameHeight:
		l.Parts = []kit.Placed[int]{kit.Place(partForm, body)}
	default:
		top := kit.Area(body.X, body.Y, body.W, formHeight)
		rest := kit.Area(body.X, body.Y+formHeight, body.W, body.H-formHeight)
		l.Parts = []kit.Placed[int]{kit.Place(partForm, top), kit.Place(partRest, rest)}
	}
	return l
}

// View draws the page.
func (p *Page) View(keys, note string) string {
	p.list() // Keys of the program can have changed the settings in use.
	th, l := p.theme, arrange(p.w, p.h)
	c := kit.NewCanvas(p.w, p.h)
	c.PutHead(th, l.Header, l.Footer, []string{p.headline()}, note)
	c.PutParts(th, l, nil, partForm, func(part kit.Placed[int]) kit.Content {
		inner := part.Inner()
		if part.ID == partForm {
			lines := p.form.Body(th, inner.W, inner.H, true, "")
			return kit.Content{Title: "Settings", Lines: lines, Bar: p.form.Bar()}
		}
		lines, note := p.rest.Window(p.restLines(inner.W), inner.H)
		return kit.Content{Title: "Rest of the file", Note: note, Lines: lines, Bar: p.rest.Bar()}
	})
	c.PutFoot(th, l.Footer, keys, note)
	return c.String(th)
}

// headline returns the path of the file and the state of the last change.
func (p *Page) headline() string {
	th := p.theme
	what := th.Dim.Render("dgplab  settings  ") + th.Title.Render(p.path())
	state := th.Dim.Render("changes are saved at once")
	switch {
	case len(p.changes) > 0:
		state = th.Accent.Render("saving" + th.Glyphs.Ellipsis)
	case p.failed != nil:
		state = th.Bad.Render(th.Glyphs.Cross + " not saved")
	case p.saved:
		state = th.Good.Render(th.Glyphs.Check + " saved")
	}
	if p.w < 64 {
		return th.Sides(th.Title.Render(p.path()), state, p.w)
	}
	return " " + th.Sides(what, state, p.w-2) + " "
}

// path returns the path of the file for the screen.
func (p *Page) path() string {
	if p.file.Known == nil || p.file.Known.path == "" {
		return fileName
	}
	return report.Printable(kit.ShortPath(p.file.Known.path))
}

// restLines returns the errors in the file, its keys and its profiles, at most w cells wide.
func (p *Page) restLines(w int) []string {
	th := p.theme
	if p.file.Known == nil {
		return kit.Paragraph(th.Dim, "reading the file"+th.Glyphs.Ellipsis, w)
	}
	file := p.file.Known
	lines := p.problemLines(w)
	if !file.exists {
		text := "The file does not exist; the first change creates it."
		lines = append(lines, kit.Paragraph(th.Dim, text, w)...)
		lines = append(lines, "")
	}
	keys := "Keys, set in an editor under [keys], used from the next start"
	lines = append(lines, kit.Paragraph(th.Title, keys, w)...)
	lines = append(lines, p.keyLines(file.settings.Keys)...)
	lines = append(lines, "")
	profiles := "Profiles of sweeps on Slurm, set in an editor under [slurm.NAME]"
	lines = append(lines, kit.Paragraph(th.Title, profiles, w)...)
	list := "none"
	if len(file.settings.Slurm) > 0 {
		list = strings.Join(slices.Sorted(maps.Keys(file.settings.Slurm)), ", ")
	}
	for _, line := range kit.Wrap(report.Printable(list), w-2) {
		lines = append(lines, "  "+th.Text.Render(line))
	}
	return lines
}

// problemLines returns the errors of the last change and in the file, and what to do about them.
func (p *Page) problemLines(w int) (lines []string) {
	th := p.theme
	bad := func(text string) {
		lines = append(lines, kit.Paragraph(th.Bad, th.Glyphs.Cross+" "+report.Printable(text), w)...)
	}
	if p.failed != nil {
		bad("not saved: " + p.failed.Error())
	}
	for _, problem := range p.file.Known.problems {
		if p.failed == nil || !strings.Contains(p.failed.Error(), problem.Brief()) {
			bad(problem.Brief())
		}
	}
	for _, err := range p.program.KeyProblems(p.file.Known.settings.Keys) {
		bad(err.Error())
	}
	if len(lines) == 0 {
		return nil
	}
	advice := "Correct the file in an editor, and open this page again."
	return append(append(lines, kit.Paragraph(th.Dim, advice, w)...), "")
}

// keyLines returns a line for each action with keys of the user.
func (p *Page) keyLines(keys map[string][]string) (lines []string) {
	th := p.theme
	if len(keys) == 0 {
		return []string{"  " + th.Text.Render("none")}
	}
	width := 0
	for name := range keys {
		width = max(width, kit.Cells(report.Printable(name)))
	}
	for _, name := range slices.Sorted(maps.Keys(keys)) {
		list := th.Dim.Render("no key")
		if len(keys[name]) > 0 {
			list = th.Key.Render(report.Printable(strings.Join(keys[name], "  ")))
		}
		lines = append(lines, "  "+th.Text.Render(th.Fit(report.Printable(name), width))+"  "+list)
	}
	return lines
}

// PlainText returns the settings and the rest of the file.
func (p *Page) PlainText() string {
	return p.path() + "\n" + p.form.PlainText() + "\n\n" + kit.Plain(p.restLines(max(p.w-4, 1)))
}
