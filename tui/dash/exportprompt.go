package dash

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz/figure"
)

// usualFolder is the folder for exports unless the user chooses another one.
var usualFolder = "." + string(filepath.Separator) + "dgplab-figures"

// exportFormats holds the formats of exports. The first one is the default.
var exportFormats = []figure.Format{figure.SVG, figure.PNG, figure.PDF, report.CSV}

// exportTarget is the folder and the format of exports.
type exportTarget struct {
	folder string
	format figure.Format
	chosen bool // by the user, in this session
}

// exportPrompt asks for the target of exports. It then exports figures.
type exportPrompt struct {
	figures []report.Figure
	in      textinput.Model
	format  figure.Format
}

// newExportPrompt returns a prompt that shows the last target.
func newExportPrompt(figures []report.Figure, last exportTarget) *exportPrompt {
	return &exportPrompt{figures, kit.NewInput(last.folder), last.format}
}

// promptKey passes a key to the prompt. Keys that do not edit the text, such as up and down, keep their
// meaning.
func (d *Dash) promptKey(msg tea.KeyMsg) (cmd tea.Cmd, taken bool) {
	p := d.prompt
	switch msg.Type {
	case tea.KeyEnter:
		d.prompt = nil
		d.target.format = p.format
		d.target.chosen = true
		if folder := strings.TrimSpace(p.in.Value()); folder != "" {
			d.target.folder = folder
		}
		return d.write(p.figures), true
	case tea.KeyEsc:
		d.prompt = nil
		return nil, true
	case tea.KeyTab:
		next := slices.Index(exportFormats, p.format) + 1
		p.format = exportFormats[next%len(exportFormats)]
		return nil, true
	}
	at := p.in.Position()
	edited := kit.Edit(&p.in, msg)
	return nil, edited || p.in.Position() != at || msg.Type == tea.KeyRunes
}

// line draws the prompt in w cells.
func (p *exportPrompt) line(th *kit.Theme, w int) string {
	const least = 16 // width of the folder
	before := th.Accent.Render("export to ")
	format := th.Dim.Render("  as ") + th.Text.Render(string(p.format))
	keys := []string{}
	for _, key := range [][2]string{{"enter", "write"}, {"tab", "next format"}, {"esc", "cancel"}} {
		keys = append(keys, th.Key.Render(key[0])+th.Dim.Render(" "+key[1]))
	}
	room := w - kit.Cells(before) - kit.Cells(format)
	folder := th.InputView(&p.in, max(min(room, kit.Cells(p.in.Value())+2), min(room, least)))
	line := before + folder + format
	return line + "  " + kit.JoinFitting(w-kit.Cells(line)-2, "  ", keys...)
}
