package table

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// reading is the way in which the cells of a column are read.
type reading struct {
	skip    bool // do not read the cells
	text    bool // all cells are texts, the levels of a category
	isName  bool // the texts name the rows
	divides bool // the column divides the rows; see Divider
	role    Role // KnownNoise, Weight, or Input for others
	strings bool // the cells are strings of a file with types: only empty ones are missing, none is a number
	forced  bool // the user chose the kind of the values
	value   valueKind
	dates   DateLayout
	perDay  bool   // dates count days
	unit    string // of the values
}

// valueKind is what the texts of a column mean.
type valueKind int8

const (
	noValue       valueKind = iota // they are no numbers
	numberValue                    // 1,5
	unitValue                      // 12 %, € 1.200, 5 kg
	clockValue                     // 07:45
	durationValue                  // 1h30m
	dateValue                      // 2021-04-03
)

// names of the values, in messages.
var valueNames = [...]string{
	numberValue: "a number", unitValue: "a number with the unit ", clockValue: "a time of day",
	durationValue: "a duration", dateValue: "a date",
}

// String describes the values of a reading: "a date".
func (r *reading) String() string {
	if r.value == unitValue {
		return valueNames[unitValue] + r.unit
	}
	return valueNames[r.value]
}

// parse returns the number that a text means in a reading, in the notation of the table.
func (r *reading) parse(text string, n Notation) (v float64, ok bool) {
	switch r.value {
	case numberValue:
		v, _, ok, _ = n.Parse(text)
		return v, ok && !math.IsInf(v, 0)
	case unitValue:
		number, unit, ok := splitUnit(text)
		if !ok || unit != r.unit {
			return 0, false
		}
		v, _, ok, _ = n.Parse(number)
		return v, ok
	case clockValue:
		return readClock(text)
	case durationValue:
		return readDuration(text)
	case dateValue:
		v, ok = r.dates.Parse(text, new(DatesSeen))
		if r.perDay {
			v /= secondsOfDay
		}
		return v, ok
	}
	return 0, false
}

// splitUnit splits a number and its unit: a percent sign, a currency, or a word after a blank. Blanks between
// the number and a percent sign or a currency are optional.
func splitUnit(text string) (number, unit string, ok bool) {
	for _, sign := range currencies {
		if rest, found := strings.CutPrefix(text, sign); found {
			number, unit = rest, sign
		} else if rest, found := strings.CutSuffix(text, sign); found {
			number, unit = rest, sign
		}
	}
	if unit == "" {
		at := strings.LastIndexByte(text, ' ')
		if at < 0 || !isUnit(text[at+1:]) {
			return "", "", false
		}
		number, unit = text[:at], text[at+1:]
	}
	number = strings.TrimSpace(number)
	_, ok = scan(number)
	return number, unit, ok
}

// currencies are the signs that are units before or after a number.
var currencies = []string{"%", "‰", "€", "$", "£", "¥", "₹", "EUR", "USD", "GBP", "CHF", "JPY"}

// isUnit reports whether a word can be the unit of a number: up to twelve characters that begin with a letter
// or a degree sign.
func isUnit(word string) bool {
	const longest = 12
	runes := []rune(word)
	if len(runes) == 0 || len(runes) > longest {
		return false
	}
	return unicode.IsLetter(runes[0]) || runes[0] == '°'
}

// readDuration parses 1h30m, 90min, 2d 4h or 36:15:00 as seconds. Single units such as 5m are no durations,
// because they may be lengths.
func readDuration(text string) (seconds float64, ok bool) {
	if text == "" || !isDigit(text[0]) {
		return 0, false
	}
	units := 0
	for k := 1; k < len(text); k++ {
		if !isDigit(text[k]) && isDigit(text[k-1]) {
			units++
		}
	}
	if units < 2 && !strings.Contains(text, "h") && !strings.Contains(text, "min") {
		return 0, false
	}
	parts := strings.Split(text, ":")
	if len(parts) == 3 {
		hours, errH := strconv.ParseUint(parts[0], 10, 32)
		rest, ok := readClock("0:" + parts[1] + ":" + parts[2])
		return float64(3600*hours) + rest, errH == nil && ok
	}
	compact := strings.ReplaceAll(text, " ", "")
	compact = strings.ReplaceAll(compact, "min", "m")
	days := 0.0
	if before, after, found := strings.Cut(compact, "d"); found {
		d, err := strconv.ParseFloat(before, 64)
		if err != nil {
			return 0, false
		}
		days = secondsOfDay * d
		compact = after
		if compact == "" {
			return days, true
		}
	}
	d, err := time.ParseDuration(compact)
	return days + d.Seconds(), err == nil
}

// problem is a reason why a string is not a valid number.
type problem int

const (
	noProblem problem = iota
	notNumber
	decimalComma
	outOfRange
	infinite
)

// problems are the messages, which are printed after the text.
var problems = [...]string{
	notNumber: " is not a number", decimalComma: " is not a number; write the decimal comma as a point",
	outOfRange: " is out of the range of a number", infinite: " is not a finite number",
}

// of returns the message for a string, or "" for noProblem.
func (p problem) of(text string) string {
	if p == noProblem {
		return ""
	}
	return Excerpt(text) + problems[p]
}

// plan holds the rules for reading the cells of a table.
type plan struct {
	choices Choices
	// strict accepts only numbers with a decimal point, without detection or questions, and only
	// empty cells, NA and NaN as missing values. It is set for the data sets of the catalogue.
	strict   bool
	notation Notation
	// unsure is the ambiguous shape while the notation is an open question.
	unsure   Shape
	readings []reading // by column
	encoding string
}

// newPlan returns the plan before the cells are known.
func newPlan(opt ReadOptions, t *Table) (*plan, error) {
	p := &plan{choices: opt.Choices, strict: opt.Strict, readings: make([]reading, t.Width)}
	p.notation = PlainNotation
	if opt.Strict {
		return p, nil
	}
	p.notation, _ = DecideNotation(0, 0, opt.Choices)
	for _, choice := range opt.Choices.kinds() {
		k, err := t.column(choice.column, "column")
		if err != nil {
			return nil, err
		}
		r := &p.readings[k]
		switch choice.kind {
		case ignoreKind:
			r.skip = true
		case classKind:
			r.text = true
		case textKind:
			r.text, r.isName = true, true
		case numberKind:
			r.forced, r.value = true, numberValue
		case timeKind:
			r.forced, r.value = true, clockValue
		case dateKind:
			r.forced, r.value = true, dateValue
		}
	}
	if err := p.markKnown(t); err != nil {
		return nil, err
	}
	if opt.Divider.Column == "" {
		return p, nil
	}
	k, err := t.column(opt.Divider.Column, "column")
	if err != nil {
		return nil, err
	}
	r := &p.readings[k]
	if r.role != Input {
		return nil, &Error{File: t.Name, Column: k + 1, Name: t.nameOf(k),
			Problem: fmt.Sprintf("a column that divides the rows cannot hold the %v", r.role)}
	}
	r.divides = true
	r.skip = false
	if !opt.Divider.Numbers {
		*r = reading{divides: true, text: true, strings: r.strings}
	}
	return p, nil
}

// isMissing reports whether a trimmed cell of a column is missing.
func (p *plan) isMissing(r *reading, text string) bool {
	switch {
	case text == "":
		return true
	case p.strict:
		return strings.EqualFold(text, "NA") || strings.EqualFold(text, "NaN")
	case slices.Contains(p.choices.NA, text):
		return true
	}
	return !r.strings && !slices.Contains(p.choices.NA, None) && IsMissing(text)
}

// number parses a number whose notation may not be known yet: the separator in 1.234 is read as a decimal
// sign. shown is its shape.
func (p *plan) number(text string) (v float64, shown Shape, wrong problem) {
	if !mayBeNumber(text[0]) {
		return math.NaN(), 0, notNumber
	}
	v, err := parseFloat(text)
	ok := err == nil
	if !p.strict && !errors.Is(err, strconv.ErrRange) {
		var t scanned
		t, ok = scan(text)
		shown = t.shape
		if err != nil && ok {
			v, ok, err = t.value(text)
		} else if err == nil {
			ok = true
		}
	}
	switch {
	case errors.Is(err, strconv.ErrRange):
		return math.NaN(), 0, outOfRange
	case !ok && p.strict && isNumber(strings.Replace(text, ",", ".", 1)):
		return math.NaN(), 0, decimalComma
	case !ok:
		return math.NaN(), 0, notNumber
	case math.IsNaN(v) || math.IsInf(v, 0):
		return math.NaN(), 0, infinite
	}
	return v, shown, noProblem
}

// mayBeNumber reports whether a number, including infinity and NaN, can begin with c.
func mayBeNumber(c byte) bool {
	return c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.' || c == ',' || c == 'i' ||
		c == 'I' || c == 'n' || c == 'N'
}
