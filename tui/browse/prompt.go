package browse

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session/metric"
	"dgplab/session/query"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/report"
)

// prompt is a text input for the filter, tags, a name, a note or a file of rows.
type prompt struct {
	act   kit.Action // the action that uses the text
	title string
	in    textinput.Model
	// before is the previous filter, or the tags that all targets share.
	before string
	ids    []string // IDs of the affected runs
	// offered holds the completions of a path.
	offered []string
	// fresh is set if typing replaces the text.
	fresh bool
}

// ask opens a prompt.
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
			p.title = "tags of all " + report.Grouped(n) + " marked"
			if hidden := b.hiddenMarks(); hidden > 0 {
				p.title += ", " + report.Grouped(hidden) + " hidden"
			}
		}
	}
	p.in = kit.NewInput(p.before)
	b.prompt = p
	return nil
}

// A note is edited on one line, with line breaks escaped as \n.
var (
	escaped   = strings.NewReplacer(`\`, `\\`, "\n", `\n`)
	unescaped = strings.NewReplacer(`\\`, `\`, `\n`, "\n")
)

// sharedTags returns the tags that all runs have.
func sharedTags(runs []rundir.Info) []string {
	shared := slices.Clone(runs[0].Notes.Tags)
	for _, run := range runs[1:] {
		shared = slices.DeleteFunc(shared, func(tag string) bool {
			return !slices.Contains(run.Notes.Tags, tag)
		})
	}
	return shared
}

// promptKey passes a key to the prompt and reports whether the prompt handled it. Other keys, such
// as up and down, belong to the list.
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
			return kit.RequestCompletion(b, p.in.Value()), true
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

// editing reports whether a key changes the text or moves its caret.
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

// filter shows the runs that match a query. For an invalid query the list stays unchanged, and the prompt
// shows the error.
func (b *Browse) filter(text string) {
	q, err := query.Parse(text)
	if err != nil {
		return
	}
	b.query, b.look.Filter = q, strings.TrimSpace(text)
	b.arrangeRuns()
}

// answer applies the text of the prompt.
func (b *Browse) answer() tea.Cmd {
	p, text := b.prompt, strings.TrimSpace(b.prompt.in.Value())
	if p.act == actFilter {
		if _, err := query.Parse(text); err != nil {
			return nil // The error is shown next to the text.
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

// candidates returns the field names that complete the last word of the filter, and the offset of the word.
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
	for _, key := range metric.Keys(metric.Columns()) {
		if strings.HasPrefix(key, word) {
			names = append(names, key)
		}
	}
	return names, from
}

// complete extends the last word by the common prefix of the candidates.
func (p *prompt) complete() {
	names, from := p.candidates()
	if len(names) == 0 {
		return
	}
	common := kit.CommonPrefix(names)
	if len(names) == 1 {
		common += ":"
	}
	p.in.SetValue(p.in.Value()[:from] + common)
	p.in.CursorEnd()
}
