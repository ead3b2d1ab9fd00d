package table

import (
	"strconv"
	"strings"
	"time"
)

// dateForm is the form of the dates of a column.
type dateForm int8

const (
	noDate   dateForm = iota
	iso               // 2021-04-03, 2021/04/03, 2021-04
	dotted            // 3.4.2021, day first
	numeric           // 03/04/2021, 03-04-2021, in unknown order
	dayFirst          // the same with the day first
	monthFirst
	named // 3 Apr 2021, Apr 3, 2021, 03-Apr-2021
)

// DateLayout is the layout of the dates of a column. With the zero value, the cells are not dates.
type DateLayout struct{ form dateForm }

// DatesSeen summarises dates.
type DatesSeen struct {
	// Clock reports whether a date has a time of day, and Short whether a year has two digits.
	Clock, Short bool
}

// Ambiguous reports whether the order of day and month is unknown.
func (l DateLayout) Ambiguous() bool { return l.form == numeric }

// Parse parses a date in the layout, records its properties in seen and returns the seconds since
// the beginning of 1970, UTC.
func (l DateLayout) Parse(text string, seen *DatesSeen) (seconds float64, ok bool) {
	d, ok := readDate(text)
	if !ok {
		return 0, false
	}
	seconds, ok = d.in(l.form)
	seen.Clock = seen.Clock || ok && d.clock
	seen.Short = seen.Short || ok && d.short
	return seconds, ok
}

// date is a parsed date: its form, its fields as written and, if it has a time, the seconds of the
// day in UTC.
type date struct {
	form                dateForm
	year, first, second int // month and day, or in the written order if numeric
	seconds             float64
	clock               bool
	short               bool // the year has two digits
}

// readDate parses a date with an optional time of day.
func readDate(text string) (d date, ok bool) {
	if len(text) < 6 || len(text) > 48 {
		return d, false
	}
	day, rest := text, ""
	if text[0] >= '0' && text[0] <= '9' {
		if i := strings.IndexAny(text, "T "); i > 0 && i+1 < len(text) && isDigit(text[i+1]) &&
			strings.Contains(text[i:], ":") {
			day, rest = text[:i], text[i+1:]
		}
	}
	if rest == "" {
		if i := strings.LastIndexByte(text, ' '); i > 0 && strings.Contains(text[i:], ":") {
			day, rest = text[:i], text[i+1:]
		}
	}
	d, ok = readDay(strings.TrimSpace(day))
	if !ok {
		return d, false
	}
	if rest != "" {
		d.clock = true
		d.seconds, ok = readClock(rest)
	}
	return d, ok
}

// readDay parses the day of a date.
func readDay(text string) (d date, ok bool) {
	a, sign, rest, ok := leadingNumber(text)
	if !ok {
		return namedDay(text)
	}
	digits := len(text) - len(rest) - 1
	b, again, rest, ok := leadingNumber(rest)
	if !ok {
		return namedDay(text)
	}
	if digits == 4 && rest == "" && again == 0 && sign == '-' && b >= 1 && b <= 12 { // 2021-04
		d = date{form: iso, year: a, first: b, second: 1}
		return d, d.valid()
	}
	c, end, _, ok := leadingNumber(rest)
	if !ok || end != 0 || again != sign {
		return d, false
	}
	years := len(rest)
	// Numbers of versions, such as 1.2.10, are no dates.
	padded := len(text) == len("03.04.21")
	if years == 2 && digits <= 2 && (sign == '/' || sign == '.' && padded) {
		c = fullYear(c)
		d.short = true
		years = 4
	}
	switch {
	case digits == 4 && years <= 2 && (sign == '-' || sign == '/'):
		d = date{form: iso, year: a, first: b, second: c}
	case digits > 2 || years != 4:
		return d, false
	case sign == '.':
		d = date{form: dotted, year: c, first: b, second: a, short: d.short}
	default:
		d = date{form: numeric, year: c, first: a, second: b, short: d.short}
	}
	return d, d.valid()
}

// fullYear returns the year of two digits, from 1969 to 2068, as POSIX reads it: The Open Group Base
// Specifications, issue 7, strptime, conversion %y.
func fullYear(digits int) int {
	if digits >= 69 {
		return 1900 + digits
	}
	return 2000 + digits
}

// leadingNumber returns the number at the beginning of a string, the character that follows it (0
// at the end) and the rest of the string.
func leadingNumber(text string) (n int, sign byte, rest string, ok bool) {
	i := 0
	for i < len(text) && isDigit(text[i]) && i < 5 {
		n = 10*n + int(text[i]-'0')
		i++
	}
	switch {
	case i == 0 || i == 5:
		return 0, 0, "", false
	case i == len(text):
		return n, 0, "", true
	}
	return n, text[i], text[i+1:], text[i] == '-' || text[i] == '/' || text[i] == '.'
}

// namedLayouts lists layouts of package time with the name of the month.
var namedLayouts = []string{"2 Jan 2006", "2-Jan-2006", "Jan 2, 2006", "Jan 2 2006", "2 January 2006",
	"January 2, 2006", "Mon, 2 Jan 2006"}

func namedDay(text string) (date, bool) {
	for _, layout := range namedLayouts {
		if t, err := time.Parse(layout, text); err == nil && t.Year() > 0 {
			return date{form: named, year: t.Year(), first: int(t.Month()), second: t.Day()}, true
		}
	}
	return date{}, false
}

// valid reports whether the day exists. A numeric date must exist in at least one order of day and
// month.
func (d date) valid() bool {
	if d.form == numeric {
		return isDay(d.year, d.first, d.second) || isDay(d.year, d.second, d.first)
	}
	return isDay(d.year, d.first, d.second)
}

func isDay(year, month, day int) bool {
	return year > 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month)
}

// daysOf returns the number of days of a month.
func daysOf(year, month int) int {
	switch {
	case month == 2 && year%4 == 0 && (year%100 != 0 || year%400 == 0):
		return 29
	case month == 2:
		return 28
	case month == 4 || month == 6 || month == 9 || month == 11:
		return 30
	}
	return 31
}

// readClock parses 15:04, 15:04:05 or 15:04:05.678, optionally with Z or an offset from UTC, as
// seconds of the day in UTC.
func readClock(text string) (seconds float64, ok bool) {
	text, offset, ok := cutZone(text)
	if !ok || len(text) < 4 {
		return 0, false
	}
	parts := strings.Split(text, ":")
	if len(parts) < 2 || len(parts) > 3 || len(parts[0]) > 2 || len(parts[1]) != 2 {
		return 0, false
	}
	hour, errH := strconv.ParseUint(parts[0], 10, 8)
	minute, errM := strconv.ParseUint(parts[1], 10, 8)
	if errH != nil || errM != nil || hour > 23 || minute > 59 {
		return 0, false
	}
	if len(parts) == 3 {
		whole, _, _ := strings.Cut(parts[2], ".")
		s, err := strconv.ParseFloat(parts[2], 64)
		if err != nil || len(whole) != 2 || !isDigit(whole[0]) || !isDigit(whole[1]) || s >= 61 {
			return 0, false
		}
		seconds = s
	}
	return seconds + float64(60*minute+3600*hour) - offset, true
}

// cutZone removes the zone from a time of day and returns its offset from UTC in seconds.
func cutZone(text string) (clock string, offset float64, ok bool) {
	if clock, ok := strings.CutSuffix(text, "Z"); ok {
		return clock, 0, true
	}
	i := strings.LastIndexAny(text, "+-")
	if i < 0 {
		return text, 0, true
	}
	digits := strings.Replace(text[i+1:], ":", "", 1)
	if len(digits) == 2 {
		digits += "00"
	}
	n, err := strconv.ParseUint(digits, 10, 16)
	if err != nil || len(digits) != 4 || n/100 > 14 || n%100 > 59 {
		return "", 0, false
	}
	offset = float64(3600*(n/100) + 60*(n%100))
	if text[i] == '-' {
		offset = -offset
	}
	return strings.TrimSpace(text[:i]), offset, true
}

// in returns the date in a layout as seconds since the beginning of 1970. A date such as 2021-04-03 has one
// reading and belongs to every layout.
func (d date) in(form dateForm) (seconds float64, ok bool) {
	month, day := d.first, d.second
	if d.form == numeric && (form == dayFirst || form == numeric) &&
		(form == dayFirst || isDay(d.year, d.second, d.first)) {
		month, day = d.second, d.first
	}
	same := d.form == form || d.form == iso || d.form == numeric && (form == dayFirst || form == monthFirst)
	if !same || !isDay(d.year, month, day) {
		return 0, false
	}
	return secondsOfDay*float64(daysSince1970(d.year, month, day)) + d.seconds, true
}

// daysSince1970 counts days of the Gregorian calendar, in eras of 400 years that begin with March:
// Hinnant, "chrono-Compatible Low-Level Date Algorithms", 2013,
// howardhinnant.github.io/date_algorithms.html, days_from_civil.
func daysSince1970(year, month, day int) int {
	if month <= 2 {
		year, month = year-1, month+12
	}
	era := year / 400
	ofEra := year - 400*era
	ofYear := (153*(month-3)+2)/5 + day - 1
	return 146097*era + 365*ofEra + ofEra/4 - ofEra/100 + ofYear - 719468
}

// DateQuestion returns the question about the order of day and month.
func DateQuestion() *Question {
	return &Question{
		Text: "dates such as 03/04/2021 may begin with the day or with the month",
		Answers: []Answer{{Label: "day first", Item: "dates=" + DayFirst},
			{Label: "month first", Item: "dates=" + MonthFirst}},
	}
}
