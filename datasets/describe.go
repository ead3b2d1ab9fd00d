package datasets

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"dgplab/datasets/columns"
)

// NumberSuffix after the name of a target marks its values as numbers.
const NumberSuffix = ":number"

const (
	// fewValues is the maximum number of distinct integers that can be classes of a target.
	fewValues = 20
	// fewRows is the minimum average number of rows per distinct value of such a target.
	fewRows = 2
)

// described is the description of a table: its columns, and the first error that prevents its use
// as a data set.
type described struct {
	columns.Table
	inputs, targets []int // column indices
	// labelled reports whether the single target has classes.
	labelled bool
	// logTargets reports whether the model predicts the logarithms of the targets.
	logTargets bool
	// numbers reports whether the user marked the targets as numbers.
	numbers bool
	// pair is the note for a target with exactly two values that are taken as classes.
	pair    columns.Note
	trouble error
}

// describe describes the columns of the table. For targets see ReadCSV. It returns an error if a
// column does not exist.
func (t *table) describe(targets []string) (*described, error) {
	d := &described{Table: columns.Table{Rows: t.rows(), Delimiter: string(t.delimiter)}}
	d.Columns = make([]columns.Column, 0, t.width)
	for c, name := range t.names(consecutive(t.width)) {
		d.Columns = append(d.Columns, columns.Column{Name: name, Index: c})
	}
	words, suffix := cutSuffixes(targets)
	if err := t.roles(d, words); err != nil {
		return nil, err
	}
	d.checkNotation(t) // Questions about the notation of numbers take precedence over other errors.
	for c := range d.Columns {
		t.kind(d, &d.Columns[c])
	}
	if len(d.targets) == 1 {
		t.classify(d, &d.Columns[d.targets[0]], suffix)
	}
	for c := range d.Columns {
		if d.Columns[c].Role == columns.Input {
			d.inputs = append(d.inputs, c)
			d.D += len(d.Columns[c].Inputs)
		} else {
			d.Columns[c].Inputs = nil
		}
	}
	d.P = len(d.targets)
	d.checkRoles(t)
	t.checkCells(d)
	return d, nil
}

// fail records the first error that prevents the use of the table.
func (d *described) fail(err error) {
	if d.trouble == nil {
		d.trouble = err
	}
}

// ask records an open question about a column.
func (d *described) ask(t *table, c *columns.Column, q *columns.Question, line int) {
	c.Question = q
	d.fail(&CSVError{
		File:     t.name,
		Line:     line,
		Column:   c.Index + 1,
		Name:     c.Name,
		Problem:  q.Text,
		Question: q,
	})
}

// cutSuffixes removes ClassSuffix and NumberSuffix from words and returns the last suffix found.
func cutSuffixes(words []string) (out []string, suffix string) {
	for _, word := range words {
		word = strings.TrimSpace(word)
		for _, s := range []string{ClassSuffix, NumberSuffix} {
			if name, found := strings.CutSuffix(word, s); found {
				word, suffix = name, s
				break
			}
		}
		out = append(out, word)
	}
	return out, suffix
}

// roles assigns the roles of the columns: targets, ignored columns and inputs, and marks the
// columns to replace by their logarithm.
func (t *table) roles(d *described, words []string) (err error) {
	choices := t.plan.choices
	for _, word := range choices.Ignore {
		c, err := t.column(word, "column")
		if err != nil {
			return err
		}
		d.Columns[c].Role = columns.Ignored
	}
	if len(words) == 0 {
		d.targets = []int{t.lastUsed(d)}
	} else {
		d.targets, err = t.targets(words)
		if err != nil {
			return err
		}
	}
	for _, c := range d.targets {
		if d.Columns[c].Role == columns.Ignored && len(words) > 0 {
			return &CSVError{File: t.name, Column: c + 1, Name: t.nameOf(c), Problem: "the target is ignored"}
		}
		d.Columns[c].Role = columns.Target
	}
	for _, word := range choices.Log {
		c, err := t.column(word, "column")
		if err != nil {
			return err
		}
		d.Columns[c].Log = true
	}
	logs := 0
	for _, c := range d.targets {
		if d.Columns[c].Log {
			logs++
		}
	}
	d.logTargets = logs > 0
	if d.logTargets && logs < len(d.targets) {
		return &CSVError{File: t.name, Problem: "take the logarithm of all targets or of none"}
	}
	return nil
}

// lastUsed returns the last column that is not ignored.
func (t *table) lastUsed(d *described) int {
	for c := t.width - 1; c > 0; c-- {
		if d.Columns[c].Role != columns.Ignored {
			return c
		}
	}
	return 0
}

// kind determines the kind of a column. Columns without information are ignored.
func (t *table) kind(d *described, c *columns.Column) {
	cells, mode := t.cells(c.Index), t.plan.modes[c.Index]
	c.Unread = mode.skip
	if t.areAmbiguousNumbers(cells) {
		cells.Texts, cells.Counts = nil, nil
	}
	c.Classify(cells, mode.text)
	if mode.dates.Ambiguous() && c.Kind == columns.Date && c.Role != columns.Ignored {
		d.ask(t, c, columns.DateQuestion(), 0)
	}
	if c.Role != columns.Input {
		return
	}
	switch {
	case c.Kind == columns.Text:
		c.Role, c.Note = columns.Ignored, "every row has a different text"
	case cells.Missing == t.rows():
		c.Role, c.Note = columns.Ignored, "no row has a value"
	case c.Log && (c.Kind == columns.Boolean || c.Kind == columns.Category):
		d.fail(t.about(c, fmt.Sprintf("the input is a %v, which has no logarithm", c.Kind)))
	case c.Kind == columns.Category && (cells.Many || len(c.Levels) > t.plan.choices.LevelLimit()):
		d.fail(t.tooMany(c, cells))
	}
}

// areAmbiguousNumbers reports whether all strings of a column become numbers once the question
// about the notation is answered.
func (t *table) areAmbiguousNumbers(cells *columns.Cells) bool {
	other := func(text string) bool { return columns.ShapeOf(text)&t.plan.unsure == 0 }
	return t.plan.unsure != 0 && len(cells.Texts) > 0 && !slices.ContainsFunc(cells.Texts, other)
}

// tooMany returns the error for a category with too many levels.
func (t *table) tooMany(c *columns.Column, cells *columns.Cells) error {
	if cells.Many {
		return t.about(c, fmt.Sprintf("the category has more than %d levels, the maximum",
			columns.MaxLevels), t.ignoring(c.Index))
	}
	n := len(c.Levels)
	return t.about(c, fmt.Sprintf("the category has %d levels, more than %d", n, t.plan.choices.LevelLimit()),
		columns.Choose("levels", strconv.Itoa(n), "allows them"), t.ignoring(c.Index))
}

// ignoring returns the remedy that ignores a column.
func (t *table) ignoring(column int) columns.Answer {
	return columns.Choose("ignore", t.word(column), "ignores it")
}

// targeting returns the remedy that selects a column as a target with a suffix.
func (t *table) targeting(column int, suffix, label string) columns.Answer {
	return columns.Answer{Target: t.word(column) + suffix, Label: label}
}

// word returns a column's identifier on a command line: its name if that is a single unambiguous
// word, otherwise its index.
func (t *table) word(column int) string {
	names := t.names(consecutive(t.width))
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

// about returns an error about a column.
func (t *table) about(c *columns.Column, problem string, remedies ...columns.Answer) error {
	return &CSVError{File: t.name, Column: c.Index + 1, Name: c.Name, Problem: problem, Remedies: remedies}
}

// checkNotation asks for the meaning of cells with an ambiguous separator.
func (d *described) checkNotation(t *table) {
	for k, shape := range unsureShapes {
		at := t.found.unsure[k]
		if t.plan.unsure != shape || at == nil {
			continue
		}
		d.ask(t, &d.Columns[at.column], columns.NotationQuestion(shape, at.text), t.lines.at(at.row))
	}
}

// classify determines whether the single target has classes, or asks.
func (t *table) classify(d *described, c *columns.Column, suffix string) {
	labels := c.Kind == columns.Boolean || c.Kind == columns.Category || c.Kind == columns.Text
	switch {
	case suffix == NumberSuffix && labels && c.Kind != columns.Boolean:
		d.fail(t.about(c, "the cells are not numbers",
			t.targeting(c.Index, ClassSuffix, "treats them as classes")))
	case suffix == NumberSuffix:
		d.numbers = true
	case suffix == ClassSuffix || labels:
		d.labelled = true
	case c.Kind == columns.Number && t.words[c.Index] == nil:
		t.classifyNumbers(d, c)
	}
}

// classifyNumbers classifies a numeric target.
func (t *table) classifyNumbers(d *described, c *columns.Column) {
	values := t.values(c.Index, fewValues)
	n := t.rows() - c.Missing
	if len(values) == 2 {
		signs := values[1] == 1 && (values[0] == 0 || values[0] == -1)
		d.labelled = signs || n > 2
		if d.labelled {
			d.pair = twoClasses(c.Name, values[0], values[1])
		}
		if d.labelled && !signs {
			d.pair.Remedies = []columns.Answer{t.targeting(c.Index, NumberSuffix, "treats them as numbers")}
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
	d.ask(t, c, &columns.Question{
		Text: fmt.Sprintf("the target has %d different whole numbers (%s), which may be classes or "+
			"numbers", len(values), shortList(names)),
		Answers: []columns.Answer{t.targeting(c.Index, ClassSuffix, "classes"),
			t.targeting(c.Index, NumberSuffix, "numbers")},
	}, 0)
}

// twoClasses returns the note for a target with exactly two values, which are treated as classes.
func twoClasses(name string, a, b float64) columns.Note {
	return columns.Note{
		Text: fmt.Sprintf("target %s has only the values %v and %v: treated as two classes, %v and %v",
			name, a, b, a, b),
	}
}

func isWhole(v float64) bool { return v == math.Trunc(v) }

// values returns the distinct numbers of a column in ascending order. It stops after most+1
// numbers.
func (t *table) values(column, most int) (list []float64) {
	for i := range t.rows() {
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

// checkRoles records an error for a table without inputs, or with several targets of which one has
// class names.
func (d *described) checkRoles(t *table) {
	switch {
	case len(d.inputs) == 0 && len(d.targets) == t.width:
		d.fail(&CSVError{File: t.name, Problem: "every column is a target; at least one input is needed"})
	case len(d.inputs) == 0:
		d.fail(&CSVError{File: t.name, Problem: "no column is an input; at least one is needed"})
	}
	if len(d.targets) < 2 {
		return
	}
	for _, c := range d.targets {
		if kind := d.Columns[c].Kind; kind == columns.Category || kind == columns.Text {
			d.fail(t.about(&d.Columns[c],
				fmt.Sprintf("a target with class names must be the only target; there are %d",
					len(d.targets))))
		}
	}
}

// checkCells records errors for text among numbers and for missing inputs. If rows with missing
// inputs are dropped, it counts them instead.
func (t *table) checkCells(d *described) {
	numbers := slices.DeleteFunc(slices.Clone(d.inputs), func(c int) bool {
		return d.Columns[c].Kind != columns.Number
	})
	if err := t.onlyNumbers(numbers); err != nil {
		d.fail(t.withRemedy(err, ""))
	}
	switch t.plan.choices.Missing {
	case columns.MissingDrop:
		d.Dropped = t.rows() - len(t.complete(d.inputs))
		if d.Dropped > 0 && d.N() < 2 {
			d.fail(&CSVError{
				File: t.name,
				Problem: fmt.Sprintf("of %d rows, %d have all inputs; at least 2 are needed",
					t.rows(), d.N()),
			})
		}
	case columns.MissingMean:
	default:
		if err := t.firstMissing(d.inputs); err != nil {
			d.fail(err)
		}
	}
	if d.labelled {
		return
	}
	numbers = slices.DeleteFunc(slices.Clone(d.targets), func(c int) bool {
		return d.Columns[c].Kind != columns.Number
	})
	if err := t.onlyNumbers(numbers); err != nil {
		d.fail(t.withRemedy(err, ClassSuffix))
	}
}

// withRemedy adds remedies to the error for text among numbers.
func (t *table) withRemedy(trouble *CSVError, suffix string) error {
	if !strings.HasSuffix(trouble.Problem, problems[notNumber]) {
		return trouble
	}
	column, out := trouble.Column-1, *trouble
	if suffix != "" {
		out.Remedies = []columns.Answer{t.targeting(column, suffix, "reads the column as classes")}
	} else {
		out.Remedies = []columns.Answer{columns.Choose("categorical",
			t.word(column), "reads the column as a category"), t.ignoring(column)}
	}
	return &out
}
