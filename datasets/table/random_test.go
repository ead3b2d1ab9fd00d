package table

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"dgplab/viz/golden"
)

// random draws texts from pieces.
type random struct{ *rand.Rand }

// of returns a random word of a text.
func (r random) of(words string) string { return r.from(strings.Fields(words)) }

// from returns a random element of a list.
func (r random) from(list []string) string { return list[r.IntN(len(list))] }

// join joins up to most random elements of a list.
func (r random) join(most int, list []string) string {
	var text strings.Builder
	for range r.IntN(most + 1) {
		text.WriteString(r.from(list))
	}
	return text.String()
}

// TestRandomTexts compares the reading of random texts, numbers, dates, settings and names with recorded
// results.
func TestRandomTexts(t *testing.T) {
	var sums golden.Sums
	for i, group := range []struct {
		name  string
		count int
		write func(t *testing.T, w io.Writer, r random)
	}{
		{"cells", 1500, writeCells},
		{"strict tables", 400, writeStrict},
		{"rows", 400, writeRows},
		{"numbers", 4000, writeNumber},
		{"dates", 4000, writeDate},
		{"settings", 2000, writeChoices},
		{"limits", 1000, writeLimits},
		{"names", 2000, writeNames},
		{"columns", 1000, writeColumns},
	} {
		r := random{rand.New(rand.NewPCG(uint64(i), 21))}
		for range group.count {
			group.write(t, sums.Group(group.name), r)
		}
	}
	w := sums.Group("notations")
	for shown := range Shape(1 << 7) {
		for _, items := range []string{"", "decimal=point", "decimal=comma", "thousands=point",
			"thousands=comma", "thousands=blank", "thousands=none", "decimal=comma thousands=none"} {
			choices, err := ParseChoices(strings.Fields(items))
			if err != nil {
				t.Fatal(err)
			}
			for _, delimiter := range ",; \t" {
				n, unsure := DecideNotation(shown, delimiter, choices)
				fmt.Fprintln(w, n, n.String(), unsure)
			}
		}
	}
	sums.Check(t, "texts")
}

// randomText returns rows of cells. Most rows have the same number of cells, and a few texts have
// misplaced signs.
func (r random) randomText(cells []string) (text string, delimiter rune) {
	delimiters := []rune{',', ';', '\t', '|', Whitespace}
	delimiter = delimiters[r.IntN(len(delimiters))]
	end := r.from([]string{"\n", "\n", "\r\n"})
	width := 1 + r.IntN(4)
	var b strings.Builder
	for range r.IntN(7) {
		count := width
		switch r.IntN(12) {
		case 0:
			b.WriteString(r.from([]string{"\n", "# \"note, 1\n", "  \n", "#\n", " # 1\n"}))
		case 1:
			if r.IntN(4) == 0 {
				count += r.IntN(3) - 1
			}
		}
		for k := range count {
			if k > 0 {
				b.WriteRune(delimiter)
			}
			b.WriteString(r.from(cells))
		}
		b.WriteString(end)
	}
	text = b.String()
	if r.IntN(6) == 0 && text != "" {
		at := r.IntN(len(text))
		text = text[:at] + r.from([]string{"\"", "\n", ",", " ", "#", "\r", "é"}) + text[at+r.IntN(2):]
	}
	return strings.TrimSuffix(text, r.from([]string{"", "", end})), delimiter
}

// plainCells and oddCells are the cells of random texts.
var (
	plainCells = strings.Fields("1 2 -3.5 4e2 0 17 .5 6. 1.25 123456789012345678901")
	oddCells   = slices.Concat(plainCells, strings.Fields(`NA x 1,5 1.234 1,234 "3" "" "q""r" ? inf nan 1e999
		2021-03-04 yes no a"b 1'234 0x1p-2 1_0 "x;y" 9007199254740993 1e-23 ß`),
		[]string{"", "\"a b\"", "\"a,\n b\"", " 7", "8 ", "\u00a05", "1 234", "\x01"})
)

// writeTable writes a table or the error of reading it.
func writeTable(w io.Writer, t *Table, err error) {
	if err != nil {
		fmt.Fprintln(w, err)
		return
	}
	fmt.Fprintf(w, "%q %q\n", t.header, t.delimiter)
	for i := range t.Rows() {
		fmt.Fprint(w, t.Line(i), t.Row(i))
		for c := range t.Width {
			fmt.Fprintf(w, " %q", t.Label(i, c))
		}
	}
	fmt.Fprintln(w)
}

// packedText returns a compressed text.
func packedText(text string) string {
	var b strings.Builder
	w := gzip.NewWriter(&b)
	io.WriteString(w, text)
	w.Close()
	return b.String()
}

// writeCells reads a random text in chunks of any size, with and without low limits, and fails after
// some bytes.
func writeCells(t *testing.T, w io.Writer, r random) {
	cells := oddCells
	if r.IntN(3) == 0 {
		cells = plainCells
	}
	text, delimiter := r.randomText(cells)
	opt := ReadOptions{Labels: r.IntN(5) > 0, Strict: r.IntN(4) == 0, NoHeader: r.IntN(5) == 0}
	if r.IntN(3) == 0 {
		opt.Delimiter = delimiter
	}
	opt.chunk = []int{0, 1, 7, 20, 60}[r.IntN(5)]
	t.Setenv(limitsVariable, "")
	if r.IntN(3) == 0 {
		t.Setenv(limitsVariable, r.of(`line=12 line=20 cell=3 cell=5 columns=2 columns=3 numbers=4 numbers=7
			words=1 words=3 text=4 text=9 line=15,cell=4,columns=3`))
	}
	switch r.IntN(20) {
	case 0:
		text = packedText(text)
	case 1:
		text = packedText(text)
		text = []string{text[:len(text)-1-r.IntN(8)], text[:r.IntN(10)]}[r.IntN(2)] // a part of the frame
	case 2:
		text = r.from([]string{"\xef\xbb\xbf", "\xff\xfe", "\xe9"}) + text
	}
	read, err := Read(t.Context(), "f.csv", strings.NewReader(text), opt)
	writeTable(w, read, err)
	if r.IntN(4) > 0 || text == "" {
		return
	}
	broken := errors.New("the disk is broken")
	cut := io.MultiReader(strings.NewReader(text[:r.IntN(len(text))]), iotest.ErrReader(broken))
	if _, err := Read(t.Context(), "f.csv", cut, opt); err == nil {
		t.Errorf("no error for a broken disk in %q", text)
	}
}

// writeStrict joins tables of the catalogue, removes rows with unknown cells and picks columns.
func writeStrict(t *testing.T, w io.Writer, r random) {
	cells := append([]string{"?", "NA", "", "b", "1,5"}[r.IntN(5):], plainCells...)
	var parts []*Table
	for k := range 1 + r.IntN(3) {
		text, delimiter := r.randomText(cells)
		opt := ReadOptions{Strict: true, Delimiter: delimiter}
		opt.NoHeader = r.IntN(4) > 0
		opt.Labels = r.IntN(4) > 0
		read, err := Read(t.Context(), fmt.Sprint("part ", k), strings.NewReader(text), opt)
		if err != nil {
			fmt.Fprintln(w, err)
			continue
		}
		if len(parts) == 0 || parts[0].Width == read.Width || r.IntN(4) == 0 {
			parts = append(parts, read)
		}
	}
	if len(parts) == 0 {
		return
	}
	all, err := Concatenate(parts...)
	writeTable(w, all, err)
	if err != nil {
		return
	}
	columns := r.Perm(all.Width)[:1+r.IntN(all.Width)]
	fmt.Fprintln(w, all.FirstMissing(columns), all.Complete(columns))
	known, err := all.WithoutUnknown(columns)
	writeTable(w, known, err)
	columns = append(columns, r.IntN(all.Width+1))
	m, err := all.Pick(columns)
	if err != nil {
		fmt.Fprintln(w, err)
		return
	}
	fmt.Fprintln(w, columns, m.RawMatrix().Data)
}

// writeRows reads rows for a data set of the catalogue.
func writeRows(t *testing.T, w io.Writer, r random) {
	names := strings.Fields("alpha beta gamma delta epsilon")[:2+r.IntN(3)]
	count := 1 + r.IntN(len(names)-1)
	layout := OrderedLayout(names[:count], names[count:])
	if r.IntN(3) == 0 {
		layout = layout.WithTargets([]int{r.IntN(len(names) - count)})
	}
	cells := append([]string{"x", "", "NA", "1,5", "inf"}[r.IntN(5):], plainCells...)
	text, delimiter := r.randomText(cells)
	if r.IntN(2) == 0 {
		var header []string
		for _, k := range r.Perm(len(names))[:1+r.IntN(len(names))] {
			header = append(header, names[k]+r.from([]string{"", "", "", "", "", "", "", "s", "?"}))
		}
		text = strings.Join(header, string(delimiter)) + "\n" + text
	}
	t.Setenv(limitsVariable, r.from([]string{"", "", "", "line=20", "cell=3", "columns=2"}))
	rows, err := NewRowReader(layout, "new.csv", strings.NewReader(text))
	if err != nil {
		fmt.Fprintln(w, err)
		return
	}
	fmt.Fprintln(w, rows.DropsMissing())
	for {
		cells, err := rows.Next()
		fmt.Fprintf(w, "%d %q %v\n", rows.Line(), cells, err)
		if err != nil {
			return
		}
		for _, place := range append(rows.Inputs, rows.Targets...) {
			if place.At == Absent {
				continue
			}
			v, level, problem := rows.Read(place.Column, cells[place.At])
			fmt.Fprintln(w, place.Column.Name, place.At, v, level, problem)
		}
	}
}

// writeNumber reads a text that resembles a number in all notations.
func writeNumber(_ *testing.T, w io.Writer, r random) {
	pieces := strings.Fields(`0 1 12 123 234 567 000 1234 . . , , ' - + e E e5 E-3 e+22 e-30 x 99999999999
		17`)
	pieces = append(pieces, " ", "\u00a0", "\u202f", "\u2009", "\u2008")
	text := r.join(6, pieces)
	if r.IntN(2) == 0 { // groups of three digits
		text = r.of("1 12 123 1234 0 - -1 +12")
		separator := r.from([]string{".", ",", " ", "'", "\u00a0", "\u202f"})
		for range r.IntN(4) {
			text += separator + r.of("123 234 567 000 12 1234")
		}
		text += r.from([]string{"", "", ".5", ",5", ",123", ".123", "e3", "x"})
	}
	fmt.Fprint(w, ShapeOf(text), isNumber(text), isHeader([]string{text, "b"}, false), IsMissing(text))
	for _, n := range []Notation{PlainNotation, {Decimal: ','}, {Decimal: '.', Group: ','},
		{Decimal: ',', Group: '.'}, {Decimal: '.', Strict: true}, {Decimal: ',', Group: '.', Strict: true}} {
		v, shown, ok, err := n.Parse(text)
		fmt.Fprint(w, " ", v, shown, ok, err)
		s, ok := scanNumber([]byte(text), n.Decimal)
		fmt.Fprint(w, s, ok)
		p := plan{notation: n, modes: make([]mode, 1), strict: n.Group == 0 && n.Strict}
		f := findings{tallies: make([]tally, 1)}
		v, wrong := p.cell(&f, 0, 0, text)
		fmt.Fprintln(w, v, wrong.of(text), f.shown)
	}
	for _, unsure := range unsureShapes {
		if ShapeOf(text) == unsure {
			fmt.Fprintln(w, NotationQuestion(unsure, text))
		}
	}
}

// writeDate reads texts that resemble dates of one form.
func writeDate(_ *testing.T, w io.Writer, r random) {
	cells := Cells{}
	sign := r.of("- - / / . . , :")
	form := r.IntN(5)
	for range 1 + r.IntN(3) {
		a := r.of("1 2 12 13 29 30 31 32 0 04 010")
		b := r.of("1 2 02 4 11 12 13 00 30 100")
		year := r.of("2021 2020 1900 2000 1969 0 99 0001 12345")
		text := a + sign + b + sign + year
		switch form {
		case 0:
			text = year + sign + b + sign + a
		case 1:
			text = year + sign + b
		case 2:
			month := r.of("Jan Feb April Sept Dec May x")
			text = r.from([]string{"D M Y", "M D, Y", "M D Y", "D-M-Y", "Mon, D M Y"})
			text = strings.NewReplacer("Mon", "Mon", "D", a, "M", month, "Y", year).Replace(text)
		}
		if r.IntN(2) == 0 {
			text += r.from([]string{" ", "T", "  ", ""}) + r.of("0 1 12 23 24 011") + ":"
			text += r.of("00 07 59 60 5")
			text += r.from([]string{"", "", ":00", ":59.5", ":60", ":61", ":5", ":x0", "."})
			zones := strings.Fields("Z +02 -0130 +01:30 +1500 +1460 -1 +02:00:00")
			text += r.from(append(zones, "", "", " +0100"))
		}
		if r.IntN(12) == 0 {
			text += r.from([]string{"-", "/", ".", "-1", "x"})
		}
		if r.IntN(20) == 0 {
			at := r.IntN(len(text))
			text = text[:at] + r.from([]string{"", "x", "-", " ", "1"}) + text[at+1:]
		}
		cells.Texts = append(cells.Texts, text)
	}
	for _, said := range []string{"", DayFirst, MonthFirst} {
		layout := cells.Layout(said)
		var seen DatesSeen
		fmt.Fprint(w, layout, layout.IsDate(), layout.Ambiguous())
		for _, text := range cells.Texts {
			seconds, ok := layout.Parse(text, &seen)
			fmt.Fprint(w, " ", seconds, ok)
		}
		fmt.Fprintln(w, seen, layout.Resolve(seen, ""))
	}
}

// writeChoices sets options one after the other, some of them to invalid values.
func writeChoices(_ *testing.T, w io.Writer, r random) {
	var c Choices
	for range r.IntN(5) {
		item := r.of("ignore categorical log missing decimal thousands dates levels colour ") +
			r.from([]string{"=", "=", "=", "=", " = ", ""}) +
			r.from(append(strings.Fields(`a 1 2 60 4096 4097 drop mean error point comma blank apostrophe
				none dmy mdy`), "", " b=c "))
		copied := c.Clone()
		err := c.SetItem(item)
		fmt.Fprintln(w, err, c.Items(), copied.Items(), c.IsZero(), c.LevelLimit())
	}
	answer := Choose(r.of("ignore log levels"), r.of("a b=c 3"), "does so")
	if r.IntN(2) == 0 {
		answer.Target = r.of("a b:class")
	}
	note := Note{Text: "a problem", Remedies: []Answer{answer, {Target: "x"}}[:r.IntN(3)]}
	e := &Error{File: "f", Problem: "wrong", Remedies: note.Remedies}
	e.Line = r.IntN(2)
	e.Column = r.IntN(3)
	e.Name = r.from([]string{"", "n"})
	if r.IntN(3) == 0 {
		e.Question = &Question{"which", []Answer{answer, answer, answer}[:1+r.IntN(3)]}
	}
	fmt.Fprintln(w, note, e, e.WithoutFlags(), Texts([]Note{note}))
}

// writeLimits parses limits, some of them invalid.
func writeLimits(_ *testing.T, w io.Writer, r random) {
	const names = "line cell columns ratio numbers words text "
	text := r.join(9, strings.Fields(names+"= = = , , 1 1 64 3 0 K M G - x 99999999"))
	if r.IntN(2) == 0 {
		text = r.of(names) + "=" + r.of("1 12 1024 2048 1048576 5 8388608G") +
			r.from([]string{"", "", "K", "M", "G", "T", " "})
	}
	l, err := parseLimits(text)
	fmt.Fprintln(w, l, err)
	for k, n := range l {
		fmt.Fprintln(w, formatSize(n), l.exceeded(limit(k), "more than %s"))
	}
}

// writeNames compares, corrects, shortens and prints names.
func writeNames(_ *testing.T, w io.Writer, r random) {
	pieces := []string{"a", "b", "ab", "ö", "size", "mass", "A", "1", "2.0", "10", "-1", " ", "_id", " id",
		"no", "row", "\t", "\n", "\x00", "\u200b", "#", "N", "NA", "n.", "a."}
	list := make([]string, r.IntN(16))
	for i := range list {
		list[i] = r.join(3, pieces)
	}
	typed := r.join(3, pieces)
	if len(list) > 1 {
		typed += list[0]
		fmt.Fprintln(w, editDistance(list[0], list[1]), CompareLabels(list[0], list[1]))
	}
	fmt.Fprintf(w, "%q %q %q %q\n", DidYouMean(typed, list, "--"), DidYouMeanOr(typed, list, "none"),
		printableText(typed), Excerpt(strings.Repeat(typed, 1+r.IntN(9))))
	fmt.Fprintf(w, "%q %q %q %q %q\n", headerNames(list), ShortList(list), orList(list), unique(list),
		shortened(list, " and "))
	fmt.Fprintln(w, Plural(r.IntN(3), r.of("row category cell")), IsMissing(typed), isIdentifier(typed),
		isHeader(list, true), isHeader(list, false), LabelOf(typed, 1.5, r.IntN(2) == 0))
}

// writeColumns classifies columns and encodes their levels.
func writeColumns(_ *testing.T, w io.Writer, r random) {
	words := strings.Fields(r.from([]string{"no Yes YES", "a b c 10 9", "x", "true False", "1 2",
		"ja nein no", "N n y Y", "red"}))
	cells := Cells{Missing: r.IntN(2)}
	if r.IntN(4) == 0 {
		cells.Numbers = r.IntN(3)
	}
	if r.IntN(4) == 0 {
		cells.Dates = r.IntN(3)
		cells.Seen.Clock = r.IntN(2) == 0
	}
	for _, k := range r.Perm(len(words))[:r.IntN(len(words)+1)] {
		cells.Texts = append(cells.Texts, words[k])
		cells.Counts = append(cells.Counts, 1+r.IntN(2))
	}
	c := Column{Name: "a", Log: r.IntN(3) == 0, Role: Role(r.IntN(3))}
	c.Classify(&cells, r.IntN(5) == 0)
	d := Description{Columns: []Column{c, {Kind: Date, Unit: inDays, Inputs: []string{"b"}}}}
	inputs, targets := d.Units()
	fmt.Fprintf(w, "%+v %v %v %d %q %q\n", c, c.Seconds(), SecondsOf(c.Unit), c.Width(), inputs, targets)
	for level := -1; level < len(c.Levels); level++ {
		dst := make([]float64, max(c.Width(), len(c.Levels)))
		c.Put(dst, level, math.Exp2(float64(r.IntN(4))))
		fmt.Fprintln(w, dst, c.Level(r.of("no Yes a yes x NEIN 10")))
		EncodeLevel(dst, level, len(dst))
		fmt.Fprintln(w, dst)
	}
}
