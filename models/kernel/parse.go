package kernel

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// SyntaxError describes an error in an expression and its position.
type SyntaxError struct {
	Text string
	At   int // in bytes; len(Text) for the end
	Want string
}

func (e *SyntaxError) Error() string {
	if e.At >= len(e.Text) {
		return fmt.Sprintf("at the end of %q: %s", e.Text, e.Want)
	}
	return fmt.Sprintf("at character %d, %q: %s", 1+len([]rune(e.Text[:e.At])), rest(e.Text[e.At:]), e.Want)
}

// restLength is the maximum length of the excerpt in an error.
const restLength = 16

func rest(text string) string {
	runes := []rune(text)
	if len(runes) <= restLength {
		return text
	}
	return string(runes[:restLength-1]) + "…"
}

// Example is an example of an expression.
const Example = "rbf(0,1) + periodic(2)*linear(0)"

// Parse returns the kernel of an expression, or a *SyntaxError. The grammar is
//
//	sum       product { "+" product }
//	product   factor { "*" factor }
//	factor    "(" sum ")" | name [ "(" [ argument { "," argument } ] ")" ]
//	argument  column | parameter "=" number [ "!" ]
//
// A column is a number, counted from 0, a name, or a name in double quotes. A function without
// columns uses all columns. A parameter with a number starts at this value, and with "!" it keeps this
// value.
func Parse(text string) (Kernel, error) {
	p := &parser{text: text, count: make(map[string]int)}
	p.next()
	p.kernel.text = strings.TrimSpace(text)
	p.kernel.source = text
	p.kernel.root = p.sum()
	if p.err == nil && p.token != "" {
		p.fail("want + or * or the end")
	}
	if p.err != nil {
		return Kernel{}, p.err
	}
	p.kernel.root.number(new(int))
	return p.kernel, nil
}

// ParseEach is like Parse, for the kernels of the GPs of a layer: one expression for all, or one for each,
// separated by "&".
func ParseEach(text string) (Kernel, error) {
	parts := Split(text, '&')
	if len(parts) == 1 {
		return Parse(text)
	}
	k := Kernel{text: strings.TrimSpace(text)}
	at := 0
	for _, part := range parts {
		one, err := Parse(part)
		var syntax *SyntaxError
		if errors.As(err, &syntax) {
			return Kernel{}, &SyntaxError{Text: text, At: at + syntax.At, Want: syntax.Want}
		}
		one.source = text
		one.offset = at
		k.each = append(k.each, one)
		at += len(part) + len("&")
	}
	return k, nil
}

// Split splits a list of expressions at a separator, but not within quoted names.
func Split(text string, separator rune) []string {
	quoted := false
	var parts []string
	start := 0
	for at, r := range text {
		switch {
		case r == '"':
			quoted = !quoted
		case r == separator && !quoted:
			parts = append(parts, text[start:at])
			start = at + utf8.RuneLen(r)
		}
	}
	return append(parts, text[start:])
}

// number numbers the nodes, terms before their sum or product.
func (n *node) number(next *int) {
	for _, term := range n.terms {
		term.number(next)
	}
	n.index = *next
	*next++
}

// parser reads an expression token by token. After an error all tokens are empty.
type parser struct {
	text   string
	token  string // the current token; quoted names keep their quotes; "" at the end
	at     int    // its position
	after  int
	kernel Kernel
	count  map[string]int // functions so far, by name
	err    *SyntaxError
}

func (p *parser) fail(format string, values ...any) {
	if p.err == nil {
		p.err = &SyntaxError{Text: p.text, At: p.at, Want: fmt.Sprintf(format, values...)}
	}
	p.token, p.after = "", len(p.text)
}

// next reads the next token.
func (p *parser) next() {
	left := strings.TrimLeftFunc(p.text[p.after:], unicode.IsSpace)
	p.at = len(p.text) - len(left)
	if left == "" {
		p.token, p.after = "", p.at
		return
	}
	size := 1
	switch {
	case left[0] == '"':
		end := strings.IndexByte(left[1:], '"')
		if end < 0 {
			p.fail("the name has no closing quote")
			return
		}
		size = end + 2
	case !strings.ContainsRune("+*(),=", rune(left[0])):
		end := strings.IndexFunc(left, func(r rune) bool {
			return unicode.IsSpace(r) || strings.ContainsRune("+*(),=\"", r)
		})
		size = len(left)
		if end >= 0 {
			size = end
		}
		// The sign of an exponent belongs to the number.
		if number := exponent(left, size); number > size {
			size = number
		}
	}
	p.token, p.after = left[:size], p.at+size
}

// exponent returns the length of the number at the start of text. This is size, unless the first
// size bytes are a number up to its "e" and a positive exponent follows, as in 1e+3.
func exponent(text string, size int) int {
	if size == len(text) || text[size] != '+' || !strings.ContainsAny(text[size-1:size], "eE") {
		return size
	}
	if _, err := strconv.ParseFloat(text[:size-1], 64); err != nil {
		return size
	}
	for size++; size < len(text) && '0' <= text[size] && text[size] <= '9'; {
		size++
	}
	return size
}

// accept reports whether the current token is the given one, and if so skips it.
func (p *parser) accept(token string) bool {
	if p.token != token {
		return false
	}
	p.next()
	return true
}

func (p *parser) sum() *node { return p.join("+", false, p.product) }

func (p *parser) product() *node { return p.join("*", true, p.factor) }

// join reads one or more terms with the operator between them. Terms of the same kind are merged.
func (p *parser) join(operator string, product bool, term func() *node) *node {
	out := &node{product: product}
	for {
		n := term()
		if p.err != nil {
			return nil
		}
		if n.leaf == nil && n.product == product {
			out.terms = append(out.terms, n.terms...)
		} else {
			out.terms = append(out.terms, n)
		}
		if !p.accept(operator) {
			break
		}
	}
	if len(out.terms) == 1 {
		return out.terms[0]
	}
	return out
}

func (p *parser) factor() *node {
	if p.accept("(") {
		n := p.sum()
		if p.err == nil && !p.accept(")") {
			p.fail("want )")
		}
		return n
	}
	at := slices.IndexFunc(functions, func(f Function) bool { return f.Describe().Name == p.token })
	if at < 0 {
		p.fail("want a kernel: %s", strings.Join(Names(), ", "))
		return nil
	}
	l := &leaf{Function: functions[at], Description: functions[at].Describe(), name: p.token,
		starts: make(map[string]float64), held: make(map[string]bool), index: len(p.kernel.leaves)}
	p.count[l.name]++
	if n := p.count[l.name]; n > 1 {
		l.name += strconv.Itoa(n)
	}
	p.kernel.leaves = append(p.kernel.leaves, l)
	p.next()
	if p.accept("(") && !p.accept(")") {
		p.arguments(l)
	}
	return &node{leaf: l}
}

// arguments reads the arguments of a function and the closing bracket.
func (p *parser) arguments(l *leaf) {
	for {
		name, at := p.token, p.at
		if name == "" || len(name) == 1 && strings.Contains("+*(),=", name) {
			p.fail("want a column, or a parameter and its start, as in variance=1, or variance=1! to hold it")
			return
		}
		p.next()
		if p.accept("=") {
			p.start(l, name, at)
		} else {
			p.column(l, name, at)
		}
		switch {
		case p.err != nil || p.accept(")"):
			return
		case !p.accept(","):
			p.fail("want , or )")
			return
		}
	}
}

// column adds a column to a function.
func (p *parser) column(l *leaf, name string, at int) {
	if !l.Columns {
		p.err = &SyntaxError{Text: p.text, At: at, Want: l.Name + " takes no columns"}
		return
	}
	l.columns = append(l.columns, column{strings.Trim(name, `"`), at})
}

// start sets the start of a parameter to the current token.
func (p *parser) start(l *leaf, name string, at int) {
	var names []string
	for _, parameter := range l.Parameters() {
		names = append(names, parameter.Name)
		if parameter.Name != name {
			continue
		}
		// The mark is not a token of its own, because names of columns may contain it.
		number, held := strings.CutSuffix(p.token, "!")
		value, err := strconv.ParseFloat(number, 64)
		switch {
		case err != nil || value-value != 0:
			p.fail("want a number, followed by ! to hold the parameter there")
		case !parameter.Real && !(value > minStart && value < maxStart):
			p.fail("want a number above %g and below %g", minStart, maxStart)
		}
		p.next()
		if !held {
			held = p.accept("!")
		}
		l.starts[name] = value
		if held {
			l.held[name] = true
		}
		return
	}
	p.err = &SyntaxError{Text: p.text, At: at,
		Want: l.Name + " has no parameter of this name; parameters: " + strings.Join(names, ", ")}
}

// Bounds of the starting values of positive parameters.
const (
	minStart = 1e-5
	maxStart = 1e8
)
