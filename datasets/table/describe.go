package table

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// NumberSuffix after the name of a target marks its values as numbers, and CountSuffix as counts.
const (
	NumberSuffix = ":number"
	CountSuffix  = ":count"
)

const (
	// fewValues is the maximum number of distinct integers that can be classes of a target.
	fewValues = 20
	// fewRows is the minimum mean number of rows per distinct value of such a target.
	fewRows = 2
)

// Use is the description of a table: its columns, and the first error that prevents its use
// as a data set.
type Use struct {
	Description
	Inputs, Targets []int // column indices
	// Labelled reports whether the single target has classes.
	Labelled bool
	// LogTargets reports whether the model predicts the logarithms of the targets.
	LogTargets bool
	// Numbers reports whether the user marked the targets as numbers or counts, and Counts whether as
	// counts.
	Numbers, Counts bool
	// Pair is the note for a target with exactly two values, which are treated as classes.
	Pair    Note
	Trouble error
}

// Describe describes the columns of the table. targets is as in datasets.ReadCSV. Describe returns
// an error if a column does not exist.
func (t *Table) Describe(targets []string) (*Use, error) {
	d := &Use{Description: Description{Rows: t.Rows(), Format: t.format}}
	if t.format == "" {
		d.Delimiter = string(t.delimiter)
	}
	d.Columns = make([]Column, 0, t.Width)
	for c, name := range t.allNames() {
		d.Columns = append(d.Columns, Column{Name: name, Index: c})
	}
	words, suffix := cutSuffixes(targets)
	if err := t.roles(d, words); err != nil {
		return nil, err
	}
	// Questions about the whole file take precedence over other errors.
	if t.question != nil {
		d.ask(t, &d.Columns[0], t.question, t.Line(0))
	} else {
		d.checkNotation(t)
	}
	for c := range d.Columns {
		t.kind(d, &d.Columns[c])
	}
	if len(d.Targets) == 1 {
		t.classify(d, &d.Columns[d.Targets[0]], suffix)
	}
	for c := range d.Columns {
		if d.Columns[c].Role == Input {
			d.Inputs = append(d.Inputs, c)
			d.D += len(d.Columns[c].Inputs)
		} else {
			d.Columns[c].Inputs = nil
		}
	}
	d.P = len(d.Targets)
	d.checkRoles(t)
	t.checkCells(d)
	t.checkDivider(d)
	t.checkKnown(d)
	return d, nil
}

// fail records the first error that prevents the use of the table.
func (d *Use) fail(err error) {
	if d.Trouble == nil {
		d.Trouble = err
	}
}

// ask records an open question about a column.
func (d *Use) ask(t *Table, c *Column, q *Question, line int) {
	c.Question = q
	d.fail(&Error{
		File:     t.Name,
		Line:     line,
		Column:   c.Index + 1,
		Name:     c.Name,
		Problem:  q.Text,
		Question: q,
	})
}

// cutSuffixes removes ClassSuffix, NumberSuffix and CountSuffix from words and returns the last suffix
// found.
func cutSuffixes(words []string) (out []string, suffix string) {
	for _, word := range words {
		word = strings.TrimSpace(word)
		for _, s := range []string{ClassSuffix, NumberSuffix, CountSuffix} {
			if name, found := strings.CutSuffix(word, s); found {
				word, suffix = name, s
				break
			}
		}
		out = append(out, word)
	}
	return out, suffix
}

// roles assigns the roles of the columns (targets, ignored columns and inputs) and marks the
// columns to replace by their logarithms.
func (t *Table) roles(d *Use, words []string) (err error) {
	for c := range t.plan.readings {
		if t.plan.readings[c].skip {
			d.Columns[c].Role = Ignored
		}
		if role := t.plan.readings[c].role; role != Input {
			d.Columns[c].Role = role
			if role == KnownNoise {
				d.Columns[c].Note = ParseNoise(t.plan.choices.Noise).String()
			}
		}
		if t.plan.readings[c].divides {
			d.Columns[c].Role, d.Columns[c].Note = Ignored, "it divides the rows"
		}
	}
	if len(words) == 0 {
		d.Targets = []int{t.lastUsed(d)}
	} else {
		d.Targets, err = t.targets(words)
		if err != nil {
			return err
		}
	}
	for _, c := range d.Targets {
		if t.plan.readings[c].divides {
			return &Error{File: t.Name, Column: c + 1, Name: t.nameOf(c),
				Problem: "the target cannot divide the rows; choose another target or another split"}
		}
		if role := t.plan.readings[c].role; role != Input {
			return &Error{File: t.Name, Column: c + 1, Name: t.nameOf(c),
				Problem: fmt.Sprintf("the target cannot be the %v; choose another target or another column",
					role)}
		}
		if d.Columns[c].Role == Ignored && len(words) > 0 {
			return &Error{File: t.Name, Column: c + 1, Name: t.nameOf(c), Problem: "the target is ignored"}
		}
		d.Columns[c].Role = Target
	}
	for _, word := range t.plan.choices.Log {
		c, err := t.column(word, "column")
		if err != nil {
			return err
		}
		if role := t.plan.readings[c].role; role != Input {
			return t.ErrorIn(&d.Columns[c], fmt.Sprintf("a %v has no logarithm", role))
		}
		d.Columns[c].Log = true
	}
	logs := 0
	for _, c := range d.Targets {
		if d.Columns[c].Log {
			logs++
		}
	}
	d.LogTargets = logs > 0
	if d.LogTargets && logs < len(d.Targets) {
		return &Error{File: t.Name, Problem: "take the logarithm of all targets or of none"}
	}
	return nil
}

// lastUsed returns the last column that has no other use and is not ignored.
func (t *Table) lastUsed(d *Use) int {
	for c := t.Width - 1; c > 0; c-- {
		if d.Columns[c].Role == Input {
			return c
		}
	}
	return 0
}

// kind determines the kind of a column. Columns without information are ignored.
func (t *Table) kind(d *Use, c *Column) {
	content := &t.columns[c.Index]
	r := &t.plan.readings[c.Index]
	c.Unread = r.skip
	t.classifyColumn(c)
	if r.dates.Ambiguous() && (c.Role != Ignored || r.divides) {
		d.ask(t, c, DateQuestion(), 0)
	}
	if w := content.words; w != nil && w.invisible != nil && c.Role != Ignored && c.Kind != Text {
		d.fail(t.withRemedies(w.invisible, t.ignoring(c.Index)))
	}
	if r.divides {
		c.Levels = nil // there may be very many
	}
	if c.Role == Ignored {
		return
	}
	levels := c.Kind == Category || c.Kind == Boolean
	if levels && content.marks > 0 {
		t.noteOnce(Note{Text: fmt.Sprintf("%s of column %s with %s and the like are missing",
			Plural(content.marks, "cell"), c.Name, Excerpt(content.mark)),
			Remedies: []Answer{Choose("na", None, "reads them as text")}})
	}
	if content.zeros > 0 && c.Kind == Number {
		const text = "%s of column %s begin with a needless zero and are read as numbers"
		t.noteOnce(Note{Text: fmt.Sprintf(text, Plural(content.zeros, "cell"), c.Name),
			Remedies: []Answer{Choose("column", t.word(c.Index)+":"+classKind, "reads it as a category")}})
	}
	if c.Role != Input {
		return
	}
	switch {
	case c.Kind == Text:
		c.Role, c.Note = Ignored, "every row has a different text"
	case content.missing == t.Rows():
		c.Role, c.Note = Ignored, "no row has a value"
	case c.Log && levels:
		d.fail(t.ErrorIn(c, fmt.Sprintf("the input is a %v, which has no logarithm", c.Kind)))
	case c.Kind == Category && (content.words != nil && content.words.many ||
		len(c.Levels) > t.plan.choices.LevelLimit()):
		d.fail(t.tooMany(c, content.words))
	}
}

// noteOnce adds a note unless there is one with the same text.
func (t *Table) noteOnce(n Note) {
	if !slices.ContainsFunc(t.notes, func(other Note) bool { return other.Text == n.Text }) {
		t.notes = append(t.notes, n)
	}
}

// Notes returns notes on the reading of the file: decisions that the file does not prove.
func (t *Table) Notes() []Note { return t.notes }

// classifyColumn determines the kind of a column from its cells, and the names of its inputs.
func (t *Table) classifyColumn(c *Column) {
	content := &t.columns[c.Index]
	r := &t.plan.readings[c.Index]
	w := content.words
	c.Missing = content.missing
	_, pair := booleanPair(w.list())
	switch {
	case r.value == dateValue:
		c.Kind, c.Unit = Date, inSeconds
		if r.perDay {
			c.Unit = inDays
		}
	case r.value == clockValue || r.value == durationValue:
		c.Kind, c.Unit = Number, "s"
	case r.value == unitValue:
		c.Kind, c.Unit = Number, r.unit
	case r.isName:
		c.Kind = Text
	case r.text:
		c.Kind = Category
	case w == nil || t.Rows()-content.missing-w.cells > 0 || t.areAmbiguousNumbers(w):
		c.Kind = Number
	case pair:
		c.Kind = Boolean
	case w.unique():
		c.Kind = Text
	default:
		c.Kind = Category
	}
	if c.Kind == Boolean || c.Kind == Category {
		c.Levels = nil
		if w != nil {
			c.Levels = LevelsOf(c.Kind, w.texts, w.counts)
		}
	}
	c.Inputs = c.inputs()
}

// areAmbiguousNumbers reports whether all texts of a column will be numbers once the question
// about the notation is answered.
func (t *Table) areAmbiguousNumbers(w *words) bool {
	other := func(text string) bool { return ShapeOf(text)&t.plan.unsure == 0 }
	return t.plan.unsure != 0 && len(w.texts) > 0 && !slices.ContainsFunc(w.texts, other)
}

// tooMany returns the error for a category with too many levels.
func (t *Table) tooMany(c *Column, w *words) error {
	if w != nil && w.many {
		return t.ErrorIn(c, fmt.Sprintf("the category has more than %d levels, the maximum",
			MaxLevels), t.ignoring(c.Index))
	}
	n := len(c.Levels)
	return t.ErrorIn(c,
		fmt.Sprintf("the category has %d levels, more than %d", n, t.plan.choices.LevelLimit()),
		Choose("levels", strconv.Itoa(n), "allows them"), t.ignoring(c.Index))
}

// ignoring returns the remedy that ignores a column.
func (t *Table) ignoring(column int) Answer {
	return Choose("ignore", t.word(column), "ignores it")
}

// targeting returns the remedy that selects a column as a target with a suffix.
func (t *Table) targeting(column int, suffix, label string) Answer {
	return Answer{Target: t.word(column) + suffix, Label: label}
}

// word returns the identifier of a column on a command line: its name if this is a single
// unambiguous word, otherwise its index.
func (t *Table) word(column int) string {
	names := t.allNames()
	name, number := names[column], strconv.Itoa(column)
	plain := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_.-", r)
	}
	if _, err := strconv.Atoi(name); err == nil ||
		strings.ContainsFunc(name, func(r rune) bool { return !plain(r) }) || strings.HasPrefix(name, "-") {
		return number
	}
	if k := slices.Index(names, name); k != column || slices.Contains(names[column+1:], name) {
		return number
	}
	return name
}

// ErrorIn returns an error about a column.
func (t *Table) ErrorIn(c *Column, problem string, remedies ...Answer) error {
	return &Error{File: t.Name, Column: c.Index + 1, Name: c.Name, Problem: problem, Remedies: remedies}
}

// checkNotation asks about the meaning of an ambiguous separator.
func (d *Use) checkNotation(t *Table) {
	for k, shape := range unsureShapes {
		at := t.unsure[k]
		if t.plan.unsure != shape || at == nil {
			continue
		}
		d.ask(t, &d.Columns[at.column], NotationQuestion(shape, at.text), t.lines.at(at.row))
	}
}

// classify determines whether the single target has classes, or asks.
func (t *Table) classify(d *Use, c *Column, suffix string) {
	labels := c.Kind == Boolean || c.Kind == Category || c.Kind == Text
	switch {
	case (suffix == NumberSuffix || suffix == CountSuffix) && labels && c.Kind != Boolean:
		d.fail(t.ErrorIn(c, "the cells are not numbers",
			t.targeting(c.Index, ClassSuffix, "treats them as classes")))
	case suffix == NumberSuffix || suffix == CountSuffix:
		d.Numbers = true
		d.Counts = suffix == CountSuffix
	case suffix == ClassSuffix || labels:
		d.Labelled = true
	case c.Kind == Number && t.columns[c.Index].words == nil:
		t.classifyNumbers(d, c)
	}
}

// classifyNumbers classifies a numeric target.
func (t *Table) classifyNumbers(d *Use, c *Column) {
	values := t.values(c.Index, fewValues)
	n := t.Rows() - c.Missing
	if len(values) == 2 {
		signs := values[1] == 1 && (values[0] == 0 || values[0] == -1)
		d.Labelled = signs || n > 2
		if d.Labelled {
			d.Pair = TwoClassesNote(c.Name, values[0], values[1])
		}
		if d.Labelled && !signs {
			d.Pair.Remedies = []Answer{t.targeting(c.Index, NumberSuffix, "treats them as numbers")}
		}
		return
	}
	if len(values) < 2 || len(values) > fewValues || n < fewRows*len(values) ||
		!slices.ContainsFunc(values, isWhole) {
		return
	}
	var names []string
	for _, v := range values {
		if !isWhole(v) {
			return
		}
		names = append(names, fmt.Sprint(v))
	}
	readings := "classes or numbers"
	if values[0] >= 0 {
		readings = "classes, numbers or counts"
	}
	q := &Question{
		Text: fmt.Sprintf("the target has %d different whole numbers (%s), which may be %s",
			len(values), ShortList(names), readings),
		Answers: []Answer{t.targeting(c.Index, ClassSuffix, "classes"),
			t.targeting(c.Index, NumberSuffix, "numbers")},
	}
	if values[0] >= 0 {
		q.Answers = append(q.Answers, t.targeting(c.Index, CountSuffix, "counts"))
	}
	d.ask(t, c, q, 0)
}

// TwoClassesNote returns the note for a target with exactly two values, which are treated as classes.
func TwoClassesNote(name string, a, b float64) Note {
	return Note{
		Text: fmt.Sprintf("target %s has only the values %v and %v: treated as two classes, %v and %v",
			name, a, b, a, b),
	}
}

func isWhole(v float64) bool { return v == math.Trunc(v) }

// values returns the distinct numbers of a column in ascending order. It stops after most+1
// numbers.
func (t *Table) values(column, most int) (list []float64) {
	for i := range t.Rows() {
		v := t.at(i, column)
		if math.IsNaN(v) {
			continue
		}
		k, found := slices.BinarySearch(list, v)
		if found {
			continue
		}
		list = slices.Insert(list, k, v)
		if len(list) > most {
			return list
		}
	}
	return list
}

// checkRoles records an error for a table without inputs, or with several targets if one of them
// has class names.
func (d *Use) checkRoles(t *Table) {
	switch {
	case len(d.Inputs) == 0 && len(d.Targets) == t.Width:
		d.fail(&Error{File: t.Name, Problem: "every column is a target; at least one input is needed"})
	case len(d.Inputs) == 0:
		d.fail(&Error{File: t.Name, Problem: "no column is an input; at least one is needed"})
	}
	if len(d.Targets) < 2 {
		return
	}
	for _, c := range d.Targets {
		if kind := d.Columns[c].Kind; kind == Category || kind == Text {
			d.fail(t.ErrorIn(&d.Columns[c],
				fmt.Sprintf("a target with class names must be the only target; there are %d",
					len(d.Targets))))
		}
	}
}

// checkCells records errors for text among numbers and for missing inputs. If rows with missing
// inputs are dropped, it counts them instead.
func (t *Table) checkCells(d *Use) {
	numbers := slices.DeleteFunc(slices.Clone(d.Inputs), func(c int) bool {
		return d.Columns[c].Kind != Number
	})
	if err := t.onlyNumbers(numbers); err != nil {
		d.fail(t.withRemedy(err, ""))
	}
	t.checkInvalid(d, d.Inputs)
	switch t.plan.choices.Missing {
	case MissingDrop:
		d.Dropped = t.Rows() - len(t.Complete(d.Inputs))
		if d.Dropped > 0 && d.N() < 2 {
			d.fail(&Error{
				File: t.Name,
				Problem: fmt.Sprintf("of %d rows, %d have all inputs; at least 2 are needed",
					t.Rows(), d.N()),
			})
		}
	case MissingMean:
	default:
		if err := t.FirstMissing(d.Inputs); err != nil {
			d.fail(err)
		}
	}
	t.checkInvalid(d, d.Targets)
	if d.Labelled {
		return
	}
	numbers = slices.DeleteFunc(slices.Clone(d.Targets), func(c int) bool {
		return d.Columns[c].Kind != Number
	})
	if err := t.onlyNumbers(numbers); err != nil {
		d.fail(t.withRemedy(err, ClassSuffix))
	}
}

// checkInvalid records the error of the first cell that does not fit its column.
func (t *Table) checkInvalid(d *Use, columns []int) {
	for _, c := range columns {
		if trouble := t.columns[c].invalid; trouble != nil {
			d.fail(trouble)
		}
	}
}

// withRemedies returns an error with remedies.
func (t *Table) withRemedies(trouble *Error, remedies ...Answer) *Error {
	out := *trouble
	out.Remedies = remedies
	return &out
}

// withRemedy adds remedies to the error for text among numbers.
func (t *Table) withRemedy(trouble *Error, suffix string) error {
	if !strings.HasSuffix(trouble.Problem, problems[notNumber]) {
		return trouble
	}
	column := trouble.Column - 1
	if suffix != "" {
		return t.withRemedies(trouble, t.targeting(column, suffix, "reads the column as classes"))
	}
	return t.withRemedies(trouble, Choose("categorical", t.word(column), "reads the column as a category"),
		t.ignoring(column))
}
