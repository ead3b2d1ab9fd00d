package datasets

import (
	"math"

	"dgplab/datasets/columns"
)

// piece is what some rows in a row of a table hold.
type piece struct {
	grid  []float64 // the rows, one behind the other
	rows  int
	lines lineNumbers // from 1 in the piece
	count int         // of its lines
	texts []textCell  // in the order of the cells
	dicts []dict      // by column
	found findings
	// failed is what is wrong behind these rows, its line from 1 in the piece.
	failed *CSVError
}

// textCell is a cell that is a text: the number of its text, from 1, in the dictionary of the
// column.
type textCell struct{ row, column, id int32 }

// dict are the different texts of a column.
type dict struct {
	ids   map[string]int32
	texts []string
	// problem is what is wrong with the first one as a number.
	problem string
}

// id returns the number of a text, adding it.
func (d *dict) add(text string) int32 {
	if d.ids == nil {
		d.ids = map[string]int32{}
	}
	d.texts = append(d.texts, text)
	d.ids[text] = int32(len(d.texts))
	return int32(len(d.texts))
}

// add appends the rows of a piece, which starts behind so many lines. The error is what is
// wrong with the piece, or that the table becomes too large.
func (t *table) add(p *piece, before int) error {
	first, fit := t.rows(), p.rows
	if most := int(t.limits[numberLimit] / int64(t.width)); first+fit > most {
		fit = most - first
	}
	t.grid.append(p.grid[:fit*t.width])
	t.lines.append(&p.lines, fit, before)
	t.found.add(&p.found, first)
	if err := t.addTexts(p, first, fit, before); err != nil {
		return err
	}
	if fit < p.rows {
		return &CSVError{
			File:    t.name,
			Line:    before + p.lines.at(fit),
			Problem: t.limits.exceeded(numberLimit, "the table is too large: more than %s numbers"),
		}
	}
	if p.failed != nil {
		failed := *p.failed
		failed.File = t.name
		if failed.Line > 0 {
			failed.Line += before
		}
		return &failed
	}
	return nil
}

// addTexts appends the texts of the first rows of a piece.
func (t *table) addTexts(p *piece, first, rows, before int) error {
	ids := make([][]int32, t.width) // of the table, by column and number in the piece
	for _, cell := range p.texts {
		if int(cell.row) >= rows {
			return nil
		}
		c := int(cell.column)
		w, known := t.words[c], ids[c]
		if known == nil {
			known = make([]int32, len(p.dicts[c].texts)+1)
			ids[c] = known
			if w == nil {
				w = t.wordsOf(c, &CSVError{
					File:    t.name,
					Line:    before + p.lines.at(int(cell.row)),
					Column:  c + 1,
					Name:    t.nameOf(c),
					Problem: p.dicts[c].problem,
				})
			}
		}
		w.cells++
		if w.many {
			continue
		}
		if known[cell.id] == 0 {
			known[cell.id] = w.intern(printableText(p.dicts[c].texts[cell.id-1]))
			if len(w.texts) > columns.MaxLevels+1 && !t.plan.choices.First() {
				w.many, w.rows = true, nil
				continue
			}
		}
		w.put(first+int(cell.row), known[cell.id])
		t.count++
		if k, problem := t.tooMuchText(w); problem != "" {
			return &CSVError{
				File:    t.name,
				Line:    before + p.lines.at(int(cell.row)),
				Column:  c + 1,
				Name:    t.nameOf(c),
				Problem: t.limits.exceeded(k, problem),
			}
		}
	}
	return nil
}

// tooMuchText returns the limit that the texts of the table exceed with those of a column, and
// what to say then.
func (t *table) tooMuchText(w *words) (k limit, problem string) {
	switch {
	case int64(t.count) > t.limits[wordLimit]:
		return wordLimit, "more than %s cells of the table are no numbers"
	case w.bytes > t.limits[textLimit]:
		return textLimit, "the column has more than %s bytes of different text"
	}
	return 0, ""
}

// add takes over what was found in rows that begin with one.
func (f *findings) add(o *findings, first int) {
	f.shown |= o.shown
	for c, tally := range o.tallies {
		f.tallies[c].missing += tally.missing
		f.tallies[c].dates += tally.dates
		f.tallies[c].seen.Add(tally.seen)
	}
	for k, at := range o.unsure {
		if f.unsure[k] == nil && at != nil {
			f.unsure[k] = &place{at.row + first, at.column, at.text}
		}
	}
}

// reset empties the piece, for a table of so many columns.
func (p *piece) reset(width int) {
	*p = piece{
		grid:  p.grid[:0],
		texts: p.texts[:0],
		dicts: make([]dict, width),
		found: findings{tallies: make([]tally, width)},
	}
}

// number appends the number in the next cell of a row.
func (p *piece) number(v float64) { p.grid = append(p.grid, v) }

// text appends a text of a dictionary, which is no number.
func (p *piece) text(column int, id int32) {
	p.number(math.NaN())
	p.texts = append(p.texts, textCell{int32(p.rows), int32(column), id})
}
