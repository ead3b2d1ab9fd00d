package setup

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/datasets"
	"dgplab/datasets/table"
	"dgplab/tui/kit"
)

// describer reads a file and describes its columns.
type describer func(ctx context.Context, s datasets.Source) (*table.Description, error)

// columnsPage is the table of the columns of a file. While it is open, it handles every key. The zero
// columnsPage is closed.
type columnsPage struct {
	open  bool
	name  string // path of the file
	split datasets.Split
	edits columnEdits
	first columnEdits // settings when the page was opened
	table kit.Preview[described]
	at    int
	asked bool // set once the cursor has moved to an open question
	list  kit.List
	why   string // reason why the last key had no effect
}

// Actions that only the page has.
const (
	actTarget     kit.Action = "target"
	actAddTarget  kit.Action = "add_target"
	actIgnore     kit.Action = "ignore"
	actKind       kit.Action = "kind"
	actHeader     kit.Action = "header"
	actLog        kit.Action = "log"
	actNoise      kit.Action = "noise"
	actWeight     kit.Action = "weight"
	actClasses    kit.Action = "classes"
	actMissing    kit.Action = "missing"
	actAsFound    kit.Action = "as_found"
	actDone       kit.Action = "done"
	answerPrefix             = "answer_"
	maxAnswerKeys            = 9
)

// pageBindings holds the keys of the page.
var pageBindings = []kit.Binding{
	kit.Bind(kit.Steer, actDone, "enter", "done", "Keep the changes and close.", "enter", "tab"),
	kit.Bind(kit.Everywhere, kit.ActBack, "esc", "undo", "Discard the changes and close.", "esc"),
	kit.Bind(kit.Values, actTarget, "t", "target", "Make the column the only target.", "t"),
	kit.Bind(kit.Values, actIgnore, "space", "ignore", "Ignore the column, or use it again.", " ", "i"),
	kit.Bind(kit.Values, actMissing, "m", "missing",
		"Rows with missing inputs: error, drop, or fill with the mean.",
		"m"),
	kit.Bind(kit.Values, actKind, "c", "kind",
		"Read the cells as numbers, classes, dates, times or texts, or as detected.", "c"),
	kit.Bind(kit.Values, actHeader, "h", "header",
		"Read the first row as a header, as data, or as detected.", "h"),
	kit.Bind(kit.Values, actLog, "l", "log", "Toggle the logarithm of the input.", "l"),
	kit.Bind(kit.Values, actClasses, "k", "classes",
		"Treat the target as classes, as numbers, or as detected.", "k"),
	kit.Bind(kit.Values, actAddTarget, "T", "add target",
		"Add the column to the targets, or remove it.", "T"),
	kit.Bind(kit.Values, actAsFound, "r", "reset", "Reset all column settings.", "r"),
	kit.Bind(kit.Values, actNoise, "n", "noise",
		"Known noise of the target: variance, standard deviation, each with a learned part, or none.", "n"),
	kit.Bind(kit.Values, actWeight, "w", "weight", "Toggle the weights of the rows.", "w"),
	kit.Bind(kit.Look, kit.ActUp, "<up>", "", "Select the previous column.", "up"),
	kit.Bind(kit.Look, kit.ActDown, "<up><down>", "select", "Select the next column.", "down"),
	kit.Bind(kit.Look, kit.ActPageUp, "pgup", "", "Page up.", "pgup"),
	kit.Bind(kit.Look, kit.ActPageDown, "pgdown", "", "Page down.", "pgdown"),
	kit.Bind(kit.Look, kit.ActFirst, "home", "", "Go to the first column.", "home", "g"),
	kit.Bind(kit.Look, kit.ActLast, "end", "", "Go to the last column.", "end", "G"),
}

// Open opens the page for a file.
func (p *columnsPage) Open(s datasets.Source) tea.Cmd {
	*p = columnsPage{
		open:  true,
		split: s.Split,
		name:  s.Name,
		edits: columnEdits{s.Targets, s.Columns},
		first: columnEdits{s.Targets, s.Columns},
		table: kit.Preview[described]{Gen: p.table.Gen},
	}
	return p.table.Schedule()
}

// IsOpen reports whether the page is open.
func (p *columnsPage) IsOpen() bool { return p.open }

// Close closes the page and cancels the reading of the file.
func (p *columnsPage) Close() {
	p.open = false
	p.table.Cancel()
}

// Source returns the file with the user's settings.
func (p *columnsPage) Source() datasets.Source {
	return datasets.Source{Name: p.name, Targets: p.edits.targets, Columns: p.edits.choices, Split: p.split}
}

// Update handles a description and reports whether the message is for the page.
func (p *columnsPage) Update(ctx context.Context, msg tea.Msg, describe describer) (cmd tea.Cmd, mine bool) {
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

// settle moves the cursor to the first open question, initially and after each answer, and keeps it within
// the table.
func (p *columnsPage) settle() {
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

// firstOpen returns the index of the first column with a question, otherwise of the column that makes the
// file unusable, or -1 if there is neither.
func firstOpen(t *described) int {
	if i := slices.IndexFunc(t.Columns, func(c table.Column) bool { return c.Question != nil }); i >= 0 {
		return i
	}
	var csv *table.Error
	if errors.As(t.Err, &csv) {
		return csv.Column - 1
	}
	return -1
}

// column returns the selected column, or nil if the columns are unknown.
func (p *columnsPage) column() *table.Column {
	if t := p.table.Known; t != nil && p.at < len(t.Columns) {
		return &t.Columns[p.at]
	}
	return nil
}

// Key handles a key and reports whether the settings changed.
func (p *columnsPage) Key(msg tea.KeyMsg) (cmd tea.Cmd, changed bool) {
	p.why = ""
	act := kit.Lookup(p.Bindings(), msg)
	switch act {
	case "":
		return nil, false
	case actDone:
		p.Close()
		return nil, false
	case kit.ActBack:
		p.edits = p.first
		p.Close()
		return nil, true
	}
	if next, ofFile := p.editFile(act); ofFile {
		p.edits = next
		return p.table.Schedule(), true
	}
	c := p.column()
	if a, ok := p.answer(act); ok {
		p.asked = false // settle then moves to the next question.
		p.edits = p.edits.answer(p.table.Known, c, a)
		return p.table.Schedule(), true
	}
	if c == nil {
		return nil, false
	}
	next, why, edited := p.edit(act, c)
	switch {
	case why != "":
		p.why = why
		return nil, false
	case edited:
		p.edits = next
		return p.table.Schedule(), true
	}
	p.at = act.Moved(p.at, len(p.table.Known.Columns), p.list.Height())
	return nil, false
}

// editFile returns the settings after an action on the whole file, and reports whether act is such
// an action. These actions also work before the columns are known.
func (p *columnsPage) editFile(act kit.Action) (next columnEdits, ofFile bool) {
	switch act {
	case actAsFound:
		return columnEdits{}, true
	case actMissing:
		return p.edits.missing(), true
	case actHeader:
		return p.edits.header(), true
	}
	return columnEdits{}, false
}

// edit returns the settings after an action on a column, or the reason why the action is unavailable. edited
// is false for navigation keys.
func (p *columnsPage) edit(act kit.Action, c *table.Column) (next columnEdits, why string, edited bool) {
	t := p.table.Known
	if why := columnObstacle(act, t, c); why != "" {
		return p.edits, why, false
	}
	switch act {
	case actTarget:
		return p.edits.target(t, c), "", true
	case actAddTarget:
		return p.edits.addTarget(t, c), "", true
	case actIgnore:
		return p.edits.ignore(t, c), "", true
	case actKind:
		return p.edits.kind(t, c), "", true
	case actLog:
		return p.edits.log(t, c), "", true
	case actNoise:
		return p.edits.noise(t, c), "", true
	case actWeight:
		return p.edits.weight(t, c), "", true
	case actClasses:
		return p.edits.classes(t, c), "", true
	}
	return p.edits, "", false
}

// columnObstacle returns the reason why an action is unavailable for a column, or "" if it is available.
func columnObstacle(act kit.Action, t *described, c *table.Column) string {
	text := c.Kind == table.Category || c.Kind == table.Boolean || c.Kind == table.Text
	switch {
	case act == actLog && c.Role == table.Target:
		return "for targets, use the setting log_targets"
	case act == actLog && text:
		return c.Name + " has no logarithm"
	case act == actLog && c.Role == table.Ignored:
		return c.Name + " is ignored"
	case act == actLog && (c.Role == table.KnownNoise || c.Role == table.Weight):
		return c.Name + " is the " + c.Role.String()
	case (act == actNoise || act == actWeight) && c.Role == table.Target:
		return c.Name + " is a target"
	case act == actNoise && c.Role == table.Weight, act == actWeight && c.Role == table.KnownNoise:
		return c.Name + " is the " + c.Role.String()
	case (act == actNoise || act == actWeight) && c.Kind != table.Number:
		return c.Name + " is not a column of numbers"
	case act == actClasses && (c.Role != table.Target || t.P != 1):
		return "classes need a single target"
	case act == actClasses && text:
		return c.Name + " is text and already has classes"
	case act == actKind && c.Role == table.Target:
		return "for targets, use k (classes)"
	case act == actTarget && c.Role == table.Target && t.P == 1:
		return c.Name + " is already the target"
	case act == actAddTarget && c.Role == table.Target && t.P == 1:
		return "at least one target is required; select another column and press t"
	case act == actIgnore && c.Role == table.Target && t.P == 1:
		return "at least one target is required; select another column and press t"
	}
	return ""
}

// answers returns the answers to the question about the selected column, or else the remedies of the error
// that makes the file unusable.
func (p *columnsPage) answers() []table.Answer {
	c := p.column()
	if c != nil && c.Question != nil {
		return c.Question.Answers
	}
	err := p.table.Err
	if p.table.Known != nil {
		err = p.table.Known.Err
	}
	var trouble *table.Error
	if !errors.As(err, &trouble) || c != nil && trouble.Column > 0 && trouble.Column != c.Index+1 {
		return nil
	}
	return trouble.Remedies
}

// Bindings returns the current keys: those of the answers, and the keys of the page.
func (p *columnsPage) Bindings() []kit.Binding {
	answers := p.answers()
	var keys []kit.Binding
	for i, a := range answers[:min(len(answers), maxAnswerKeys)] {
		key := strconv.Itoa(i + 1)
		keys = append(keys, kit.Bind(kit.Look, kit.Action(answerPrefix+key), key, answerLabel(a),
			"Answer: "+a.Label+".", key))
	}
	return append(keys, pageBindings...)
}

// answerLabel returns a short label of an answer for the footer.
func answerLabel(a table.Answer) string {
	if len(a.Label) <= len("month first") {
		return a.Label
	}
	name, value, _ := strings.Cut(a.Item, "=")
	switch {
	case a.Target != "":
		return a.Target
	case name == "column" || name == "levels" || name == "encoding":
		return value
	}
	return name
}

// answer returns the answer that belongs to an action.
func (p *columnsPage) answer(act kit.Action) (table.Answer, bool) {
	for i, a := range p.answers() {
		if act == kit.Action(answerPrefix+strconv.Itoa(i+1)) {
			return a, true
		}
	}
	return table.Answer{}, false
}

// Click selects the column on a line of the page.
func (p *columnsPage) Click(line int) {
	if i := p.list.Top() + line - pageHeadLines; line >= pageHeadLines && p.table.Known != nil &&
		i < len(p.table.Known.Columns) {
		p.at = i
	}
}

// Scroll moves the window by n rows.
func (p *columnsPage) Scroll(n int) { p.list.Scroll(n) }
