package browse

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session/query"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/picker"
)

// prompt is a line that is being typed: the filter, tags, a name or a note.
type prompt struct {
	act   kit.Action // what it is for
	title string
	in    textinput.Model
	// before is the filter as it was, or the tags that all targets share.
	before string
	ids    []string // of the runs that it is about
	// offered is what tab found that a path may become.
	offered []string
	// fresh says that what is typed takes the place of the text.
	fresh bool
}

// ask opens a prompt, or says that there is no run for it.
func (b *Browse) ask(act kit.Action) tea.Cmd {
	if act == actFilter {
		b.prompt = &prompt{act: act, title: "filter", in: kit.NewInput(b.look.Filter), before: b.look.Filter}
		return nil
	}
	run := b.current()
	if act == actPredict {
		b.prompt = b.newPredictPrompt(run)
		return nil
	}
	p := &prompt{act: act, ids: []string{run.ID}}
	switch act {
	case actRename:
		p.title, p.before = "name", run.Notes.Name
	case actNote:
		p.title, p.before = "note", escaped.Replace(run.Notes.Note)
	default:
		runs := b.targets()
		p.ids = ids(runs)
		p.title = "tags"
		p.before = strings.Join(sharedTags(runs), " ")
		if n := len(runs); n > 1 {
			p.title = "tags of all " + kit.Grouped(n) + " marked"
		}
	}
	p.in = kit.NewInput(p.before)
	b.prompt = p
	return nil
}

// A note is typed in one line.
var (
	escaped   = strings.NewReplacer(`\`, `\\`, "\n", `\n`)
	unescaped = strings.NewReplacer(`\\`, `\`, `\n`, "\n")
)

// sharedTags returns the tags that all of some runs have.
func sharedTags(runs []rundir.Info) []string {
	shared := slices.Clone(runs[0].Notes.Tags)
	for _, run := range runs[1:] {
		shared = slices.DeleteFunc(shared, func(tag string) bool {
			return !slices.Contains(run.Notes.Tags, tag)
		})
	}
	return shared
}

// promptKey gives a key to the line that is being typed, and reports whether it
// is for that; others, such as up and down, are for the list.
func (b *Browse) promptKey(msg tea.KeyMsg) (cmd tea.Cmd, taken bool) {
	p := b.prompt
	switch msg.String() {
	case "enter":
		return b.answer(), true
	case "esc":
		b.prompt = nil
		if p.act == actFilter {
			b.filter(p.before)
		}
		return nil, true
	case "ctrl+o":
		if p.act == actPredict {
			return b.pick(), true
		}
	case "tab":
		if p.act == actPredict {
			return picker.CompleteSoon(b, p.in.Value()), true
		}
		if p.act == actFilter {
			p.complete()
			b.filter(p.in.Value())
		}
		return nil, true
	}
	if !editing(msg) {
		return nil, false
	}
	if p.fresh && (msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace) {
		p.in.SetValue("")
	}
	p.fresh = false
	if kit.Edit(&p.in, msg) && p.act == actFilter {
		b.filter(p.in.Value())
	}
	return nil, true
}

// editing reports whether a key is one that changes a text or moves its caret.
func editing(msg tea.KeyMsg) bool {
	switch msg.Type {
	case tea.KeyRunes, tea.KeySpace, tea.KeyLeft, tea.KeyRight, tea.KeyHome, tea.KeyEnd,
		tea.KeyBackspace, tea.KeyDelete,
		tea.KeyCtrlA, tea.KeyCtrlE, tea.KeyCtrlU, tea.KeyCtrlK, tea.KeyCtrlW, tea.KeyCtrlH,
		tea.KeyCtrlLeft, tea.KeyCtrlRight:
		return true
	}
	return false
}

// filter shows the runs that match a query. One that is wrong leaves the list as
// it is; the prompt shows what is wrong.
func (b *Browse) filter(text string) {
	q, err := query.Parse(text)
	if err != nil {
		return
	}
	b.query, b.look.Filter = q, strings.TrimSpace(text)
	b.arrangeRuns()
}

// answer does what the line was typed for.
func (b *Browse) answer() tea.Cmd {
	p, text := b.prompt, strings.TrimSpace(b.prompt.in.Value())
	if p.act == actFilter {
		if _, err := query.Parse(text); err != nil {
			return nil // It is shown beside the text.
		}
		b.prompt = nil
		return nil
	}
	if p.act == actPredict && text == "" {
		return b.pick()
	}
	b.prompt = nil
	if p.act == actPredict {
		return b.predict(p.ids[0], text)
	}
	if text == p.before {
		return nil
	}
	switch p.act {
	case actRename:
		return b.annotate(p.ids, "renamed", func(n *rundir.Notes) { n.Name = text })
	case actNote:
		return b.annotate(p.ids, "noted", func(n *rundir.Notes) { n.Note = unescaped.Replace(text) })
	}
	old := strings.Fields(p.before)
	tags := strings.Fields(text)
	return b.annotate(p.ids, "tagged", func(n *rundir.Notes) {
		gone := func(tag string) bool { return slices.Contains(old, tag) && !slices.Contains(tags, tag) }
		n.Tags = append(slices.DeleteFunc(n.Tags, gone), tags...)
	})
}

// candidates returns the names of fields that the last word of the filter may
// become, and where in the text that word begins.
func (p *prompt) candidates() (names []string, from int) {
	text := p.in.Value()
	from = strings.LastIndexAny(text, " \t") + 1
	for from < len(text) && strings.IndexByte("-!", text[from]) >= 0 {
		from++
	}
	word := strings.ToLower(text[from:])
	if word == "" || p.in.Position() < len([]rune(text)) {
		return nil, from
	}
	for _, f := range query.Fields() {
		if strings.HasPrefix(f.Name, word) {
			names = append(names, f.Name)
		}
	}
	return names, from
}

// complete types as much of a field's name as is certain.
func (p *prompt) complete() {
	names, from := p.candidates()
	if len(names) == 0 {
		return
	}
	common := picker.Common(names)
	if len(names) == 1 {
		common += ":"
	}
	p.in.SetValue(p.in.Value()[:from] + common)
	p.in.CursorEnd()
}
