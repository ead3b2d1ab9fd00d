package query

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"dgplab/session/metric"
)

// Parse parses a query. Its errors are of type *Error.
func Parse(text string) (Query, error) {
	p := parser{text: []rune(text)}
	var q Query
	var terms []condition
	or := 0 // position of the last "or"
	for {
		p.skipBlanks()
		at := p.at
		switch {
		case p.ended() && len(terms) > 0:
			q.alternatives = append(q.alternatives, terms)
			return q, nil
		case p.ended() && len(q.alternatives) > 0:
			return Query{}, fail(or, "missing term after or")
		case p.ended():
			return q, nil
		case p.or():
			if len(terms) == 0 {
				return Query{}, fail(at, "missing term before or")
			}
			q.alternatives = append(q.alternatives, terms)
			terms, or = nil, at
			continue
		}
		holds, err := p.term()
		if err != nil {
			return Query{}, err
		}
		terms = append(terms, holds)
	}
}

// or skips the word "or" in any letter case, and reports whether it came next.
func (p *parser) or() bool {
	after := parser{text: p.text, at: p.at + len("or")}
	if after.at > len(p.text) || !after.blank() || fold(string(p.text[p.at:after.at])) != "or" {
		return false
	}
	p.at = after.at
	return true
}

// parser parses a query from left to right.
type parser struct {
	text []rune
	at   int // index of the next character
}

func (p *parser) ended() bool { return p.at >= len(p.text) }

// next reports whether the next character is in set.
func (p *parser) next(set string) bool { return !p.ended() && strings.ContainsRune(set, p.text[p.at]) }

func (p *parser) blank() bool { return p.ended() || unicode.IsSpace(p.text[p.at]) }

func (p *parser) skipBlanks() {
	for !p.ended() && p.blank() {
		p.at++
	}
}

// fail returns an error at the character with index at.
func fail(at int, format string, args ...any) error {
	return &Error{Column: at + 1, Message: fmt.Sprintf(format, args...)}
}

// term parses a term and its negations.
func (p *parser) term() (condition, error) {
	negated := false
	for p.next("-!") {
		negated = !negated
		p.at++
		if p.blank() {
			return nil, fail(p.at-1, "missing term after %c", p.text[p.at-1])
		}
	}
	holds, err := p.atom()
	if err != nil || !negated {
		return holds, err
	}
	return not(holds), nil
}

func (p *parser) atom() (condition, error) {
	start := p.at
	if p.next(`"`) {
		text, err := p.quoted()
		return anyWordField(literal(text)), err
	}
	for !p.blank() && !p.next(`"`) && p.operator() == "" {
		p.at++
	}
	word := string(p.text[start:p.at])
	op := p.operator()
	switch {
	case p.next(`"`):
		return nil,
			fail(p.at, `quotation mark inside a word; quote the whole word and write \" for a literal one`)
	case op == "":
		return anyWordField(pattern(word)), nil
	case word == "":
		return nil, fail(start, "missing field before %s", op)
	default:
		return p.comparison(start, word, op)
	}
}

// operators lists the comparison operators. Longer ones come before their prefixes.
var operators = []string{"!=", "<=", ">=", ":", "=", "<", ">"}

// operator returns the operator at the current position, or "".
func (p *parser) operator() string {
	rest := string(p.text[p.at:min(p.at+2, len(p.text))])
	for _, op := range operators {
		if strings.HasPrefix(rest, op) {
			return op
		}
	}
	return ""
}

// comparison parses the rest of a comparison with the field name that begins at start.
func (p *parser) comparison(start int, name, op string) (condition, error) {
	column, ok := metric.FindColumn(name)
	f := field{column}
	if !ok {
		return nil, &Error{Column: start + 1, Message: fmt.Sprintf("unknown field %q", name), Unknown: name}
	}
	p.at += len(op)
	at := p.at
	v, err := p.value()
	if err != nil {
		return nil, err
	}
	if v.text == "" && !v.quoted {
		return nil, fail(start, "missing value after %s%s", f.Key, op)
	}
	holds, problem := f.compareAny(op, v)
	if problem != "" {
		return nil, fail(at, "%s%s%s: %s", f.Key, op, v, problem)
	}
	return holds, nil
}

// operand is the right-hand side of a comparison.
type operand struct {
	text   string
	quoted bool
}

// String returns the operand as it would be written in a query.
func (v operand) String() string {
	if v.quoted || strings.ContainsFunc(v.text, unicode.IsControl) {
		return strconv.Quote(v.text)
	}
	return v.text
}

// value parses an operand, which may be empty.
func (p *parser) value() (operand, error) {
	if p.next(`"`) {
		text, err := p.quoted()
		return operand{text, true}, err
	}
	start := p.at
	for !p.blank() {
		if p.next(`"`) {
			return operand{}, fail(p.at, "quotation mark inside a value; quote the whole value")
		}
		p.at++
	}
	return operand{string(p.text[start:p.at]), false}, nil
}

// quoted parses a quoted string.
func (p *parser) quoted() (string, error) {
	start := p.at
	var text strings.Builder
	for p.at++; !p.ended(); p.at++ {
		r := p.text[p.at]
		switch {
		case r == '"':
			p.at++
			if !p.blank() {
				return "", fail(p.at, "missing blank after the closing quotation mark")
			}
			return text.String(), nil
		case r == '\\' && p.at+1 < len(p.text) && strings.ContainsRune(`"\`, p.text[p.at+1]):
			p.at++
			text.WriteRune(p.text[p.at])
		default:
			text.WriteRune(r)
		}
	}
	return "", fail(start, "unclosed quotation mark")
}
