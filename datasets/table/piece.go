package table

import (
	"math"
)

// piece holds the parsed cells of consecutive rows of a table.
type piece struct {
	grid  []float64 // consecutive rows
	rows  int
	lines lineNumbers // line numbers from 1 within the piece
	count int         // number of lines of the piece
	texts []textCell  // in the order of the cells
	dicts []dict      // by column
	found findings
	// failed is the error after these rows, with its line from 1 within the piece.
	failed *Error
}

// textCell is a text cell: its row, its column and the id of its text, from 1, in the dictionary of
// the column.
type textCell struct{ row, column, id int32 }

// dict holds the distinct strings of a column.
type dict struct {
	ids   map[string]int32
	texts []string
	// problem explains why the first text is not a number.
	problem string
}

// add adds a string and returns its id.
func (d *dict) add(text string) int32 {
	if d.ids == nil {
		d.ids = map[string]int32{}
	}
	d.texts = append(d.texts, text)
	d.ids[text] = int32(len(d.texts))
	return int32(len(d.texts))
}

// add appends the rows of a piece that starts after before lines. It returns the error of the
// piece, or an error if the table becomes too large.
func (t *Table) add(p *piece, before int) error {
	first, fit := t.Rows(), p.rows
	if most := int(t.limits[numberLimit] / int64(t.Width)); first+fit > most {
		fit = most - first
	}
	t.grid.append(p.grid[:fit*t.Width])
	t.lines.append(&p.lines, fit, before)
	t.found.add(&p.found, first)
	if err := t.addTexts(p, first, fit, before); err != nil {
		return err
	}
	if fit < p.rows {
		return &Error{
			File:    t.Name,
			Line:    before + p.lines.at(fit),
			Problem: t.limits.exceeded(numberLimit, "the table is too large: more than %s numbers"),
		}
	}
	if p.failed != nil {
		failed := *p.failed
		failed.File = t.Name
		if failed.Line > 0 {
			failed.Line += before
		}
		return &failed
	}
	return nil
}

// addTexts appends the text cells of the first rows of a piece.
func (t *Table) addTexts(p *piece, first, rows, before int) error {
	ids := make([][]int32, t.Width) // ids in the table, by column and id in the piece
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
				w = t.wordsIn(c, &Error{
					File:    t.Name,
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
			if len(w.texts) > MaxLevels+1 {
				w.many, w.rows = true, nil
				continue
			}
		}
		w.put(first+int(cell.row), known[cell.id])
		t.count++
		if k, problem := t.exceededTextLimit(w); problem != "" {
			return &Error{
				File:    t.Name,
				Line:    before + p.lines.at(int(cell.row)),
				Column:  c + 1,
				Name:    t.nameOf(c),
				Problem: t.limits.exceeded(k, problem),
			}
		}
	}
	return nil
}

// exceededTextLimit returns the limit on text that the table or a column exceeds, and a message.
// The message is "" if no limit is exceeded.
func (t *Table) exceededTextLimit(w *words) (k limit, problem string) {
	switch {
	case int64(t.count) > t.limits[wordLimit]:
		return wordLimit, "more than %s cells of the table are not numbers"
	case w.bytes > t.limits[textLimit]:
		return textLimit, "the column has more than %s bytes of distinct text"
	}
	return 0, ""
}

// add merges findings of rows that start at row first.
func (f *findings) add(o *findings, first int) {
	f.shown |= o.shown
	for c, tally := range o.tallies {
		f.tallies[c].missing += tally.missing
		f.tallies[c].dates += tally.dates
		f.tallies[c].seen.Add(tally.seen)
	}
	for k, at := range o.unsure {
		if f.unsure[k] == nil && at != nil {
			f.unsure[k] = &cellPosition{at.row + first, at.column, at.text}
		}
	}
}

// reset empties the piece, for a table with width columns.
func (p *piece) reset(width int) {
	*p = piece{
		grid:  p.grid[:0],
		texts: p.texts[:0],
		dicts: make([]dict, width),
		found: findings{tallies: make([]tally, width)},
	}
}

// number appends a number as the next cell of a row.
func (p *piece) number(v float64) { p.grid = append(p.grid, v) }

// text appends a string of a dictionary as the next cell of a row.
func (p *piece) text(column int, id int32) {
	p.number(math.NaN())
	p.texts = append(p.texts, textCell{int32(p.rows), int32(column), id})
}
