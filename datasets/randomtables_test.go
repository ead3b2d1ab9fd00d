package datasets

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"
)

// tables generates random CSV files: columns of all kinds, in many notations, with and without faults.
type tables struct {
	*rand.Rand
	theme          string // the feature that most files have
	header         bool
	delimiter, end string
	decimal, group string // signs of numbers
	columns        []tableColumn
	tame           int // number of first rows in plain notation
}

// tableColumn is a column: its name, its cells, its cells in plain notation, and the share of missing
// cells.
type tableColumn struct {
	name    string
	cell    func(row int) string
	plain   func(row int) string
	missing float64
}

// has reports whether a file has a feature. Most files of a theme of this name have it.
func (r *tables) has(feature string, share float64) bool {
	if feature == r.theme {
		share = 0.7
	}
	return r.Float64() < share
}

// of returns a random element of a list.
func of[T any](r *tables, list ...T) T { return list[r.IntN(len(list))] }

// themes are the themes of random files.
var themes = []string{"numbers", "commas", "thousands", "categories", "booleans", "dates", "times", "texts",
	"gaps", "blanks", "quotes", "no header", "encodings", "faults", "typos", "choices", "targets", "classes",
	"counts", "signs", "logs", "index", "wide", "long", "mixed"}

// newTable draws the columns and the notation of a file.
func newTable(rng *rand.Rand, theme string) *tables {
	r := &tables{Rand: rng, theme: theme, header: true, delimiter: ",", end: "\n", decimal: "."}
	r.header = !r.has("no header", 0.15)
	if r.has("commas", 0.2) {
		r.decimal = ","
	}
	if r.has("thousands", 0.1) {
		r.group = of(r, ",", ".", " ", "'", "\u00a0", "\u202f", "\u2009")
	}
	switch {
	case r.has("blanks", 0.1):
		r.delimiter = of(r, " ", "  ", " \t")
	case r.decimal == "," || r.group == ",":
		r.delimiter = of(r, ";", ";", "\t", "|")
	default:
		r.delimiter = of(r, ",", ",", ",", ", ", ";", "\t", "|")
	}
	if r.has("encodings", 0.1) {
		r.end = "\r\n"
	}
	if r.theme == "long" {
		r.tame = 4000
	}
	count := 2 + r.IntN(5)
	if r.has("wide", 0) {
		count = 10 + r.IntN(8)
	}
	for k := range count {
		r.columns = append(r.columns, r.column(k == count-1))
	}
	for k := range r.columns { // some names are missing, repeated or in need of quotation marks
		switch r.IntN(30) {
		case 0:
			r.columns[k].name = ""
		case 1:
			r.columns[k].name = r.columns[0].name
		}
	}
	return r
}

// column draws a column. A target is more often a number, and less often has gaps.
func (r *tables) column(target bool) tableColumn {
	c := tableColumn{name: of(r, "a", "b", "size", "mass (kg)", "Preis €", "größe", "x y", "when", "colour",
		"kind", "7", "p,q", "flag", "a_b.c", "Name") + of(r, "", "", "1", "2")}
	scale := of(r, 1.0, 10, 1e3, 1e5, 1e7)
	shift := of(r, 0, 0, 1, 3.5) * scale
	if r.theme == "logs" {
		shift = 4 * scale
	}
	digits := r.IntN(5)
	c.plain = func(int) string { return strconv.Itoa(r.IntN(90) + 1) }
	c.cell = func(int) string { return r.number(scale*r.NormFloat64()+shift, digits) }
	if target && !slices.Contains([]string{"mixed", "booleans", "signs"}, r.theme) && r.IntN(3) > 0 {
		c.missing = of(r, 0, 0, 0, 0, 0.1)
		r.targetCells(&c)
		return c
	}
	c.missing = of(r, 0, 0, 0, 0, 0, 0, 0.02, 0.02, 0.3, 0.99)
	if r.has("gaps", 0) {
		c.missing = 0.1
	}
	switch {
	case r.has("dates", 0.08):
		r.dateCells(&c, r.has("times", 0.1))
	case r.has("times", 0.05):
		r.dateCells(&c, true)
	case r.has("categories", 0.1):
		levels := r.levels(1 + r.IntN(of(r, 3, 6, 60)))
		c.plain = func(row int) string { return levels[row%min(2, len(levels))] }
		c.cell = func(int) string { return of(r, levels...) }
	case r.has("booleans", 0.08):
		pair := of(r, "no yes", "False true", "N Y", "f T", "nein ja", "non oui", "no sí", "no ja", "no si",
			"no no", "x yes", "0 1", "1 2", "-1 1")
		words := strings.Fields(pair)
		c.plain = func(row int) string { return words[row%2] }
		c.cell = func(int) string {
			return of(r, words[0], words[1], words[1], strings.ToUpper(words[0]))
		}
	case r.has("texts", 0.08):
		first := of(r, "u", "né ", "A-", "é")
		c.cell = func(row int) string { return first + strconv.Itoa(row+1) }
		c.plain = c.cell
	case r.has("index", 0.06):
		c.name = of(r, "", "id", "House_ID", "row", "Unnamed: 0", "nr", "some id", "rapid")
		start := r.IntN(3)
		step := of(r, 1, 1, 1, -1, 3)
		c.cell = func(row int) string { return strconv.Itoa(start + step*row) }
		c.plain = c.cell
	case r.has("counts", 0.1):
		most := of(r, 1, 2, 3, 12, 20, 25)
		c.cell = func(int) string { return strconv.Itoa(r.IntN(most + 1)) }
	case r.has("signs", 0.03):
		words := of(r, []string{"0", "1"}, []string{"-1", "1"}, []string{"-1.0", "+1", "1"})
		c.cell = func(int) string { return of(r, words...) }
	case r.has("numbers", 0.1):
		c.cell = func(int) string {
			v := r.NormFloat64() * math.Pow(10, float64(r.IntN(30)-15))
			form := of(r, byte('e'), byte('E'), byte('g'), byte('f'))
			text := strconv.FormatFloat(v, form, r.IntN(22), 64)
			return of(r, "", "", "+", "0") + strings.Replace(text, ".", r.decimal, 1)
		}
	case r.has("typos", 0.03):
		c.cell = func(row int) string {
			if r.IntN(12) == 0 {
				return of(r, "1.2.3", "12a", "inf", "-Inf", "1e999", "1,2,3", "0x1f", "1_000", "e5", "1e",
					"--5", "7 8", "1'23", "O", "5-", "é", "\x00", "1.234,5", "1,234.5", "+", "0,5", "0.5")
			}
			return strconv.Itoa(row % 7)
		}
	case r.IntN(20) == 0:
		c.cell = func(int) string { return "7" }
	}
	return c
}

// targetCells sets the cells of a target.
func (r *tables) targetCells(c *tableColumn) {
	switch {
	case r.has("classes", 0.15):
		levels := r.levels(2 + r.IntN(of(r, 2, 4, 70)))
		c.plain = func(row int) string { return levels[row%2] }
		c.cell = func(int) string { return of(r, levels...) }
	case r.has("counts", 0.15):
		first := of(r, 0, 0, 0, 1, -1, 5)
		most := of(r, 2, 2, 3, 5, 19, 22)
		c.plain = func(int) string { return strconv.Itoa(first + r.IntN(most)) }
		c.cell = c.plain
	}
}

// levels returns the names of levels, some of which are numbers.
func (r *tables) levels(n int) (list []string) {
	first := of(r, "", "", "l", "l", "größe ", "x;", "\"q")
	if strings.TrimSpace(r.delimiter) == "" {
		first = of(r, "", "l", "größe ")
	}
	for k := range n {
		list = append(list, first+of(r, "a", "b", "C", "red", "10", "2.0", "-1", "Z z")+strconv.Itoa(k))
	}
	return list
}

// dateCells sets dates of one form.
func (r *tables) dateCells(c *tableColumn, clock bool) {
	layout := of(r, "2006-01-02", "2006/1/2", "2006-01", "2.1.2006", "02/01/2006", "01/02/2006", "2-1-2006",
		"2 Jan 2006", "02-Jan-2006", "January 2, 2006", "Mon, 2 Jan 2006", "20060102", "02.01.06")
	if clock {
		layout += of(r, " 15:04", "T15:04:05", " 15:04:05.000", " 3:04", " 15:04:05Z07:00", " 15:04-0700")
	}
	zone := time.FixedZone("", of(r, 0, 0, 3600, -5400))
	first := time.Date(of(r, 2021, 2000, 1969, 1900), 1, 1, 0, 0, 0, 0, zone)
	span := of(r, 12, 300, 9000)
	c.cell = func(int) string {
		day := first.AddDate(0, 0, r.IntN(span))
		return day.Add(time.Duration(r.IntN(86_400_000)) * time.Millisecond).Format(layout)
	}
	c.plain = func(row int) string { return first.AddDate(0, row%12, row%12).Format(layout) }
}

// number writes a number in the notation of the file.
func (r *tables) number(v float64, digits int) string {
	text := strconv.FormatFloat(v, 'f', digits, 64)
	whole, fraction, _ := strings.Cut(text, ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	if r.group != "" && r.group != r.decimal {
		for at := len(whole) - 3; at > 0; at -= 3 {
			whole = whole[:at] + r.group + whole[at:]
		}
	}
	if fraction != "" {
		fraction = r.decimal + fraction
	}
	return sign + whole + fraction
}

// missingCells are cells without a value.
var missingCells = []string{"", "", "NA", "n/a", "NaN", "null", "?", "-", "--", "None", "#N/A", "<NA>", "nil",
	"n.a.", "k.A.", "#NA", "none", "."}

// text writes rows with the given columns, from row first on.
func (r *tables) text(columns []int, header bool, first, rows int) string {
	var b strings.Builder
	write := func(cell func(k int) string) {
		for k := range columns {
			if k > 0 {
				b.WriteString(r.delimiter)
			}
			b.WriteString(r.quoted(cell(columns[k])))
		}
		if r.tame == 0 && r.has("encodings", 0.01) {
			b.WriteString(" ")
		}
		b.WriteString(r.end)
	}
	if r.has("faults", 0.05) {
		b.WriteString(of(r, "# a comment, with commas; and \"quotes\n", "\n", " \n", "#\n\n"))
	}
	if header {
		write(func(k int) string { return r.columns[k].name })
	}
	for row := range rows {
		write(func(k int) string {
			c := &r.columns[k]
			switch {
			case first+row < r.tame:
				return c.plain(first + row)
			case r.Float64() < c.missing:
				return of(r, missingCells...)
			}
			return c.cell(first + row)
		})
		if r.has("encodings", 0.01) {
			b.WriteString(of(r, "\n", "# half way\n", "  \n", "\r\n"))
		}
	}
	return b.String()
}

// quoted returns a cell with quotation marks if it needs them, and sometimes if it does not.
func (r *tables) quoted(cell string) string {
	blank := strings.Trim(r.delimiter, " \t") == "" && (cell == "" || strings.Contains(cell, " "))
	mark := strings.Contains(cell, "\"") || strings.Contains(cell, strings.TrimSpace(r.delimiter)) &&
		strings.TrimSpace(r.delimiter) != ""
	if blank || mark || r.has("quotes", 0.02) {
		return `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
	}
	if r.has("encodings", 0.01) && r.delimiter != "\t" {
		return " " + cell
	}
	return cell
}

// all returns the indices of the columns.
func (r *tables) all() (list []int) {
	for k := range r.columns {
		list = append(list, k)
	}
	return list
}

// file returns the text of a whole file, possibly damaged, and its encoding.
func (r *tables) file() string {
	rows := of(r, 2, 3, 5, 8, 12, 20, 30, 45, 70)
	if r.tame > 0 {
		rows = r.tame + r.IntN(20)
	}
	text := r.text(r.all(), r.header, 0, rows)
	if r.has("faults", 0.03) {
		at := r.IntN(len(text))
		switch r.IntN(7) {
		case 0:
			text = text[:at]
		case 1:
			text = text[:at] + "\"" + text[at:]
		case 2:
			text = text[:at] + r.delimiter + text[at:]
		case 3:
			text = text[:at] + "\n" + text[at:]
		case 4:
			text = text[:at] + "\x00" + text[at:]
		case 5:
			text = strings.TrimSuffix(text, r.end)
		case 6:
			text = of(r, "", "\n", "#\n", "\xff\xfe", "\x1f\x8b", text[:strings.Index(text, r.end)])
		}
	}
	if !r.has("encodings", 0.1) {
		return text
	}
	switch r.IntN(4) {
	case 0:
		return "\xef\xbb\xbf" + text
	case 1:
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		fmt.Fprint(w, text)
		w.Close()
		return packed.String()[:packed.Len()-of(r, 0, 0, 0, 3)]
	}
	western := []byte{}
	for _, c := range text {
		if c == '€' {
			c = 0x80
		}
		western = append(western, byte(c))
	}
	return string(western)
}

// word identifies a column, sometimes a wrong one.
func (r *tables) word(k int) string {
	name := r.columns[k].name
	switch r.IntN(20) {
	case 0:
		return of(r, name+"x", "x"+name, strings.ToUpper(name), "nothing", strconv.Itoa(len(r.columns)))
	case 1, 2, 3:
		return strconv.Itoa(k)
	case 4, 5:
		return strconv.Itoa(k - len(r.columns))
	}
	if !r.header || name == "" {
		return "x" + strconv.Itoa(k+1)
	}
	return name
}

// items draws settings of the columns.
func (r *tables) items() (items []string) {
	if r.theme == "long" {
		return []string{"missing=mean"}
	}
	for k := range r.columns {
		if r.has("choices", 0.04) && r.IntN(3) == 0 {
			items = append(items, of(r, "ignore", "ignore", "categorical")+"="+r.word(k))
		}
		if r.has("logs", 0.03) && r.IntN(2) == 0 {
			items = append(items, "log="+r.word(of(r, k, len(r.columns)-1)))
		}
	}
	if r.has("choices", 0.1) {
		items = append(items, of(r, "decimal=point", "decimal=comma", "thousands=point", "thousands=comma",
			"thousands=blank", "thousands=apostrophe", "thousands=none", "dates=dmy", "dates=mdy", "levels=3",
			"levels=60", "levels=1", "missing=no", "size", "column=1"))
	}
	if r.has("gaps", 0.5) {
		items = append(items, of(r, "missing=mean", "missing=drop", "missing=error"))
	}
	return items
}

// targets draws the targets.
func (r *tables) targets() (words []string) {
	if r.theme == "long" {
		return nil
	}
	if r.theme == "signs" && r.IntN(2) == 0 {
		return []string{"-1", "0"}
	}
	if !r.has("targets", 0.3) {
		if r.has("classes", 0.03) || r.has("counts", 0.03) {
			return []string{"-1" + of(r, ":class", ":number", ":count")}
		}
		return nil
	}
	for range of(r, 1, 1, 1, 2, 2, 3) {
		suffix := of(r, "", "", "", "", ":class", ":number", ":count")
		words = append(words, r.word(r.IntN(len(r.columns)))+suffix)
	}
	return words
}

// fresh returns the text of new rows, with some of the columns in another order or notation.
func (r *tables) fresh(ds *Dataset) string {
	other := *r
	other.tame = 0
	columns := slices.DeleteFunc(r.all(), func(k int) bool {
		return k < len(ds.Columns.Columns) && ds.Columns.Columns[k].Role > 0 && r.IntN(3) == 0
	})
	header := r.header
	switch r.IntN(9) {
	case 0:
		header = !header
	case 1, 2:
		r.Shuffle(len(columns), func(i, j int) { columns[i], columns[j] = columns[j], columns[i] })
	case 3:
		other.delimiter = of(r, ",", ";", "\t")
	case 4:
		columns = slices.Delete(columns, 0, 1)
	case 5:
		other.columns = slices.Clone(r.columns)
		c := &other.columns[r.IntN(len(r.columns))]
		*c = r.column(false)
	case 6:
		other.columns = slices.Clone(r.columns)
		other.columns[r.IntN(len(r.columns))].cell = func(int) string {
			return of(r, "1", "-2", "8e307", "-9e307")
		}
	}
	if len(columns) == 0 {
		columns = []int{0}
	}
	return other.text(columns, header, 100, r.IntN(12))
}
