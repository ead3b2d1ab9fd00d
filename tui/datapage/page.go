package datapage

import (
	"context"
	"errors"
	"slices"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/datasets"
	"dgplab/datasets/columns"
	"dgplab/tui/kit"
)

// Describer says what the columns of a file are; it reads the file.
type Describer func(ctx context.Context, s datasets.Source) (*columns.Table, error)

// Page is the table of the columns of a file. It takes every key while it is open. The
// zero Page is closed.
type Page struct {
	open  bool
	name  string // of the file
	said  said
	first said // when it was opened
	table kit.Preview[described]
	at    int
	asked bool // the person was brought to what is open
	list  kit.List
	why   string // a key did nothing
}

// What keys ask for on the page alone; the rest is the kit's.
const (
	actTarget      kit.Action = "target"
	actAddTarget   kit.Action = "add_target"
	actIgnore      kit.Action = "ignore"
	actCategory    kit.Action = "categorical"
	actLog         kit.Action = "log"
	actClasses     kit.Action = "classes"
	actMissing     kit.Action = "missing"
	actAsFound     kit.Action = "as_found"
	actDone        kit.Action = "done"
	answerPrefix              = "answer_"
	mostAnswerKeys            = 9
)

// bindings are the keys of the page.
var bindings = []kit.Binding{
	kit.Bind(actDone, "enter", "done", "Back to the set-up; what was said stays.", "enter", "tab"),
	kit.Bind(kit.ActBack, "esc", "undo", "Back to the set-up, as it was before.", "esc"),
	kit.Bind(actTarget, "t", "target", "Make the column the target.", "t"),
	kit.Bind(actIgnore, "space", "leave out", "Leave the column out, or use it again.", " ", "i"),
	kit.Bind(actMissing, "m", "missing",
		"What becomes of rows that miss an input: an error, dropped, or filled with the mean.", "m"),
	kit.Bind(actCategory, "c", "category",
		"Take the cells of the column as categories, or as what they look like.", "c"),
	kit.Bind(actLog, "l", "log", "Take the logarithm of the input, or the input itself.", "l"),
	kit.Bind(actClasses, "k", "classes",
		"Take the numbers of the target as classes, as numbers, or as it is found.", "k"),
	kit.Bind(actAddTarget, "T", "one more", "Make the column one more target, or an input again.", "T"),
	kit.Bind(actAsFound, "r", "as found", "Take back all that was said of the columns.", "r"),
	kit.Bind(kit.ActUp, "<up>", "", "Choose the column above.", "up"),
	kit.Bind(kit.ActDown, "<up><down>", "choose", "Choose the column below.", "down"),
	kit.Bind(kit.ActPageUp, "pgup", "", "Go up a page.", "pgup"),
	kit.Bind(kit.ActPageDown, "pgdown", "", "Go down a page.", "pgdown"),
	kit.Bind(kit.ActFirst, "home", "", "Go to the first column.", "home", "g"),
	kit.Bind(kit.ActLast, "end", "", "Go to the last column.", "end", "G"),
}

// Open shows the page of a source, which is a file.
func (p *Page) Open(s datasets.Source) tea.Cmd {
	*p = Page{
		open:  true,
		name:  s.Name,
		said:  said{s.Targets, s.Columns},
		first: said{s.Targets, s.Columns},
		table: kit.Preview[described]{Gen: p.table.Gen},
	}
	return p.table.Schedule()
}

// IsOpen says whether the page has the keys.
func (p *Page) IsOpen() bool { return p.open }

// Close closes the page and stops what it reads.
func (p *Page) Close() {
	p.open = false
	p.table.Cancel()
}

// Source returns the file with what was said of it.
func (p *Page) Source() datasets.Source {
	return datasets.Source{Name: p.name, Targets: p.said.targets, Columns: p.said.choices}
}

// Update takes a description, and reports whether the message was for a page.
func (p *Page) Update(ctx context.Context, msg tea.Msg, describe Describer) (cmd tea.Cmd, mine bool) {
	switch msg.(type) {
	case kit.PreviewDueMsg[described], kit.PreviewedMsg[described]:
	default:
		return nil, false
	}
	source := p.Source()
	cmd = p.table.Update(ctx, msg, func() (func(context.Context) (described, error), error) {
		return func(ctx context.Context) (described, error) {
			t, err := describe(ctx, source)
			if err != nil {
				return described{}, err
			}
			return newDescribed(t), nil
		}, nil
	})
	p.settle()
	return cmd, true
}

// settle brings a person to what is open, once and after each answer, and keeps them within the
// table.
func (p *Page) settle() {
	t := p.table.Known
	if t == nil {
		return
	}
	if !p.asked && !p.table.Running {
		if i := firstOpen(t); i >= 0 {
			p.at, p.asked = i, true
		}
	}
	p.at = max(min(p.at, len(t.Columns)-1), 0)
}

// firstOpen returns the first column with a question, or else the one that keeps the table
// from being used; -1 if there is neither.
func firstOpen(t *described) int {
	if i := slices.IndexFunc(t.Columns, func(c columns.Column) bool { return c.Question != nil }); i >= 0 {
		return i
	}
	var csv *datasets.CSVError
	if errors.As(t.Err, &csv) {
		return csv.Column - 1
	}
	return -1
}

// column returns the chosen column, nil if none is known.
func (p *Page) column() *columns.Column {
	if t := p.table.Known; t != nil && p.at < len(t.Columns) {
		return &t.Columns[p.at]
	}
	return nil
}

// Key does what a key asks for, and reports whether something else is said now.
func (p *Page) Key(msg tea.KeyMsg) (cmd tea.Cmd, changed bool) {
	p.why = ""
	act := kit.Lookup(p.Bindings(), msg)
	switch act {
	case "":
		return nil, false
	case actDone:
		p.Close()
		return nil, false
	case kit.ActBack:
		p.said = p.first
		p.Close()
		return nil, true
	}
	if next, ofFile := p.sayOfFile(act); ofFile {
		p.said = next
		return p.table.Schedule(), true
	}
	c := p.column()
	if c == nil {
		return nil, false
	}
	next, why, says := p.say(act, c)
	switch {
	case why != "":
		p.why = why
		return nil, false
	case says:
		p.said = next
		return p.table.Schedule(), true
	}
	p.at = act.Moved(p.at, len(p.table.Known.Columns), p.list.Height())
	return nil, false
}

// sayOfFile returns what is said once a key was pressed that is about no column, and reports
// whether it is one: those work also while, or because, nothing is known of the columns.
func (p *Page) sayOfFile(act kit.Action) (next said, ofFile bool) {
	switch act {
	case actAsFound:
		return said{}, true
	case actMissing:
		return p.said.missing(), true
	}
	return said{}, false
}

// say returns what is said once a key was pressed on a column, or why it says nothing;
// says is false of a key that only moves.
func (p *Page) say(act kit.Action, c *columns.Column) (next said, why string, says bool) {
	t := p.table.Known
	if why := barred(act, t, c); why != "" {
		return p.said, why, false
	}
	switch act {
	case actTarget:
		return p.said.target(t, c), "", true
	case actAddTarget:
		return p.said.addTarget(t, c), "", true
	case actIgnore:
		return p.said.ignore(t, c), "", true
	case actCategory:
		return p.said.categorical(t, c), "", true
	case actLog:
		return p.said.log(t, c), "", true
	case actClasses:
		return p.said.classes(t, c), "", true
	}
	if a, ok := p.answer(act); ok {
		p.asked = false // What else is open comes next.
		return p.said.answer(t, c, a), "", true
	}
	return p.said, "", false
}

// barred says why a key says nothing of a column, "" if it does.
func barred(act kit.Action, t *described, c *columns.Column) string {
	text := c.Kind == columns.Category || c.Kind == columns.Boolean || c.Kind == columns.Text
	switch {
	case act == actLog && c.Role == columns.Target:
		return "the logarithm of a target is the setting log_targets"
	case act == actLog && text:
		return c.Name + " has no logarithm"
	case act == actLog && c.Role == columns.Ignored:
		return c.Name + " is left out"
	case act == actClasses && (c.Role != columns.Target || t.P != 1):
		return "only a single target has classes"
	case act == actClasses && text:
		return c.Name + " has classes: it has words"
	case act == actCategory && c.Role == columns.Target:
		return "a target has classes (k)"
	case act == actTarget && c.Role == columns.Target && t.P == 1:
		return c.Name + " is the target"
	case act == actAddTarget && c.Role == columns.Target && t.P == 1:
		return "there must be a target; t on another column makes that the target"
	case act == actIgnore && c.Role == columns.Target && t.P == 1:
		return "there must be a target; t on another column makes that the target"
	}
	return ""
}

// Bindings are the keys now: those of the page, and the answers to the question about the
// chosen column before them.
func (p *Page) Bindings() []kit.Binding {
	c := p.column()
	if c == nil || c.Question == nil {
		return bindings
	}
	var keys []kit.Binding
	for i, a := range c.Question.Answers[:min(len(c.Question.Answers), mostAnswerKeys)] {
		key := strconv.Itoa(i + 1)
		keys = append(keys, kit.Bind(kit.Action(answerPrefix+key), key, a.Label,
			"Answer the question: "+a.Label+".", key))
	}
	return append(keys, bindings...)
}

// answer returns the answer of a key to the question about the chosen column.
func (p *Page) answer(act kit.Action) (columns.Answer, bool) {
	c := p.column()
	if c == nil || c.Question == nil {
		return columns.Answer{}, false
	}
	for i, a := range c.Question.Answers {
		if act == kit.Action(answerPrefix+strconv.Itoa(i+1)) {
			return a, true
		}
	}
	return columns.Answer{}, false
}

// Click chooses the column on a line of the page, as drawn last.
func (p *Page) Click(line int) {
	if i := p.list.Top() + line - headLines; line >= headLines && p.table.Known != nil &&
		i < len(p.table.Known.Columns) {
		p.at = i
	}
}

// Scroll moves the window by n rows.
func (p *Page) Scroll(n int) { p.list.Scroll(n) }
