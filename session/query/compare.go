package query

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"dgplab/models/family"
	"dgplab/session/metric"
)

// field is a column as queries compare and sort it.
type field struct{ metric.Column }

// compareAny is compare for an operand that may be a comma-separated list. A run matches if it has any of the
// values, or with != if it has none of them. The whole list also counts as a value, because some
// hyperparameters are lists.
func (f field) compareAny(op string, v operand) (holds condition, problem string) {
	values := strings.Split(v.text, ",")
	switch {
	case v.quoted || len(values) == 1:
		return f.compare(op, v)
	case slices.Contains(values, ""):
		return nil, "missing value in the list"
	case op == "!=":
		holds, problem = f.compareAny("=", v)
		if problem == "" {
			holds = not(holds)
		}
		return holds, problem
	case op != ":" && op != "=":
		return nil, "a list has no order; use :, = or !="
	}
	var list []condition
	for _, value := range values {
		holds, problem := f.compare(op, operand{text: value})
		if problem != "" {
			return nil, problem
		}
		list = append(list, holds)
	}
	if whole, problem := f.compare(op, v); problem == "" {
		list = append(list, whole)
	}
	return func(run metric.Run) bool {
		return slices.ContainsFunc(list, func(holds condition) bool { return holds(run) })
	}, ""
}

// compare returns the condition "field op operand", or a description of the problem.
func (f field) compare(op string, v operand) (holds condition, problem string) {
	if op == "!=" {
		holds, problem = f.compare("=", v)
		if problem == "" {
			holds = not(holds)
		}
		return holds, problem
	}
	if op == ":" && v.text == "*" && !v.quoted || op == "=" && v.text == "" {
		if v.text == "" {
			return not(f.Has), ""
		}
		return f.Has, ""
	}
	switch {
	case f.Hyperparameter != nil:
		return f.compareSetting(op, v)
	case f.Format == metric.Text:
		return f.compareText(op, v)
	case f.Format == metric.Date:
		return f.compareDate(op, v.text)
	case f.Format == metric.Time:
		return f.compareNumber(op, v.text, parseSeconds, "want a duration such as 90s, 10m or 1h30m")
	}
	return f.compareNumber(op, v.text, parseNumber, "want a number")
}

func not(holds condition) condition {
	return func(run metric.Run) bool { return !holds(run) }
}

// ordered maps an operator to its test of the sign of a comparison.
var ordered = map[string]func(sign int) bool{
	":":  func(sign int) bool { return sign == 0 },
	"=":  func(sign int) bool { return sign == 0 },
	"<":  func(sign int) bool { return sign < 0 },
	"<=": func(sign int) bool { return sign <= 0 },
	">":  func(sign int) bool { return sign > 0 },
	">=": func(sign int) bool { return sign >= 0 },
}

// compareNumber compares numbers read by parse. NaN stands for a missing number.
func (f field) compareNumber(
	op, text string, parse func(string) (float64, bool), want string,
) (condition, string) {
	x, ok := parse(text)
	if !ok {
		return nil, want
	}
	says := ordered[op]
	return func(run metric.Run) bool {
		y, ok := f.Of(run)
		return ok && !math.IsNaN(y) && says(cmp.Compare(y, x))
	}, ""
}

// compareDate compares times with a time span: earlier times are less, later times are greater.
func (f field) compareDate(op, text string) (condition, string) {
	from, until, ok := parseDate(text)
	if !ok {
		return nil, "want a date such as 2026-11-21, 2026-11-21T14:05, today or yesterday"
	}
	says := ordered[op]
	lo := metric.UnixSeconds(from)
	hi := metric.UnixSeconds(until)
	return func(run metric.Run) bool {
		t, ok := f.Of(run)
		switch {
		case !ok:
			return false
		case t >= lo && t < hi:
			return says(0)
		}
		return says(cmp.Compare(t, lo))
	}, ""
}

// compareText tests whether a string contains or equals the operand.
func (f field) compareText(op string, v operand) (condition, string) {
	matches := v.matcher()
	switch op {
	case ":":
	case "=":
		whole := fold(v.text)
		matches = func(text string) bool { return text == whole }
	default:
		return nil, "text fields have no order; use :, = or !="
	}
	matches = folded(matches)
	return func(run metric.Run) bool { return f.Matches(run, matches) }, ""
}

// compareSetting compares hyperparameter values: as numbers if both are numbers, otherwise as
// canonical text.
func (f field) compareSetting(op string, v operand) (condition, string) {
	x, isNumber := parseNumber(v.text)
	whole := fold(f.Hyperparameter.Canonical(v.text))
	matches := func(text string) bool { return text == whole }
	switch {
	case op == "=":
	case op == ":":
		kind := f.Hyperparameter.Kind
		wordy := kind == family.IntList || !kind.Number() && kind != family.Bool
		if wordy || strings.ContainsAny(v.text, "*?") && !v.quoted {
			matches = v.matcher()
		}
	case !isNumber:
		return nil, "want a number"
	default:
		matches = func(string) bool { return false }
	}
	says := ordered[op]
	return func(run metric.Run) bool {
		text := f.Text(run)
		if text == "" {
			return false
		}
		if y, err := strconv.ParseFloat(text, 64); isNumber && err == nil {
			return says(cmp.Compare(y, x))
		}
		return matches(fold(f.Hyperparameter.Canonical(text)))
	}, ""
}

// wordFields lists the fields that bare words are matched against.
var wordFields = []metric.Column{
	metric.Get("id"), metric.Get("name"), metric.Get("dataset"), metric.Get("family"),
	metric.Get("sweep"), metric.Get("tag"), metric.Get("note"),
}

// anyWordField matches a bare word against all fields in wordFields.
func anyWordField(matches func(string) bool) condition {
	matches = folded(matches)
	return func(run metric.Run) bool {
		return slices.ContainsFunc(wordFields, func(c metric.Column) bool { return c.Matches(run, matches) })
	}
}

// fold maps strings that differ only in case to the same string.
func fold(text string) string { return strings.ToLower(text) }

func folded(matches func(string) bool) func(string) bool {
	return func(text string) bool { return matches(fold(text)) }
}

// matcher returns the predicate of the : operator for folded strings.
func (v operand) matcher() func(string) bool {
	if v.quoted {
		return literal(v.text)
	}
	return pattern(v.text)
}

// literal matches folded strings that contain text.
func literal(text string) func(string) bool {
	part := fold(text)
	return func(text string) bool { return strings.Contains(text, part) }
}

// pattern matches whole folded strings against a pattern with * or ?. Without these characters it is
// equivalent to literal.
func pattern(text string) func(string) bool {
	if !strings.ContainsAny(text, "*?") {
		return literal(text)
	}
	glob := []rune(fold(text))
	return func(text string) bool { return matchGlob(glob, []rune(text)) }
}

// matchGlob reports whether the whole text matches glob. On a mismatch only the last * needs
// backtracking, so the run time is at most the product of the lengths.
func matchGlob(glob, text []rune) bool {
	var g, t, taken int
	star := -1
	for t < len(text) {
		switch {
		case g < len(glob) && glob[g] == '*':
			star, taken = g, t
			g++
		case g < len(glob) && (glob[g] == '?' || glob[g] == text[t]):
			g++
			t++
		case star >= 0:
			taken++
			g, t = star+1, taken
		default:
			return false
		}
	}
	for g < len(glob) && glob[g] == '*' {
		g++
	}
	return g == len(glob)
}

// parseNumber parses a number other than NaN; the suffixes k and M are allowed.
func parseNumber(text string) (float64, bool) {
	factor := 1.0
	switch {
	case strings.HasSuffix(text, "k"):
		text, factor = strings.TrimSuffix(text, "k"), 1e3
	case strings.HasSuffix(text, "M"):
		text, factor = strings.TrimSuffix(text, "M"), 1e6
	}
	x, err := strconv.ParseFloat(text, 64)
	return factor * x, err == nil && !math.IsNaN(x)
}

// parseSeconds parses a duration. A plain number is in seconds.
func parseSeconds(text string) (float64, bool) {
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		return x, !math.IsNaN(x)
	}
	d, err := time.ParseDuration(text)
	return d.Seconds(), err == nil
}

// parseDate parses a date in local time and returns the time span it covers.
func parseDate(text string) (from, until time.Time, ok bool) {
	now := time.Now()
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.Local)
	switch text {
	case "today":
		return today, today.AddDate(0, 0, 1), true
	case "yesterday":
		return today.AddDate(0, 0, -1), today, true
	}
	for _, f := range []struct {
		layout              string
		years, months, days int
		span                time.Duration
	}{
		{layout: "2006", years: 1},
		{layout: "2006-01", months: 1},
		{layout: "2006-01-02", days: 1},
		{layout: "2006-01-02T15", span: time.Hour},
		{layout: "2006-01-02T15:04", span: time.Minute},
		{layout: "2006-01-02T15:04:05", span: time.Second},
	} {
		if t, err := time.ParseInLocation(f.layout, text, time.Local); err == nil {
			return t, t.AddDate(f.years, f.months, f.days).Add(f.span), true
		}
	}
	return from, until, false
}
