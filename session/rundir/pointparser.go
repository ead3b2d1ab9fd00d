package rundir

import (
	"encoding/json"
	"math"
	"strconv"
)

// pointParser parses report lines. For lines in the exact form that this program writes it is many times
// faster than encoding/json, which it uses for all other lines.
type pointParser struct {
	keys []string // keys of the previous line, which the next line usually shares
}

// parse returns the point of a line without its newline.
func (r *pointParser) parse(line []byte) (Point, error) {
	if p, ok := r.parseFast(line); ok {
		return p, nil
	}
	var p Point
	err := json.Unmarshal(line, &p)
	return p, err
}

// parseFast parses a line in the form of AppendJSON: no white space, keys and strings of printable
// ASCII, no repeated keys. It returns false for any other line, which may still be valid.
func (r *pointParser) parseFast(line []byte) (Point, bool) {
	p, step, count := noPoint, -1.0, 0
	if len(line) < 2 || line[0] != '{' {
		return p, false
	}
	p.Readings = make([]Reading, 0, len(r.keys))
	for rest := line[1:]; ; count++ {
		key, after, ok := parseString(rest)
		if !ok || len(after) < 2 || after[0] != ':' {
			return p, false
		}
		rest = after[1:]
		name := r.intern(count, key)
		for _, earlier := range r.keys[:count] {
			if earlier == name {
				return p, false
			}
		}
		if name == "phase" {
			var phase []byte
			phase, rest, ok = parseString(rest)
			p.Phase = string(phase)
		} else {
			var value float64
			value, rest, ok = parseNumber(rest)
			if ok {
				p.take(name, value, &step)
			}
		}
		if !ok || len(rest) == 0 {
			return p, false
		}
		if end := rest[0] == '}'; end || rest[0] != ',' {
			r.keys = r.keys[:count+1]
			return p, end && len(rest) == 1 && r.finish(&p, step)
		}
		rest = rest[1:]
	}
}

// take stores the value of a member.
func (p *Point) take(name string, value float64, step *float64) {
	switch name {
	case "step":
		*step = value
	case "seconds":
		p.Seconds = value
	case "objective":
		p.Objective = value
	case "val_log_lik":
		p.ValLogLik = value
	case "rescues":
		if !math.IsNaN(value) {
			p.Rescues = int(value)
		}
	default:
		p.Readings = append(p.Readings, Reading{name, value})
	}
}

// finish sets the step of the point and reports whether it is valid. It also returns false if the phase
// equals the key of a reading: the other parser orders readings by the positions of their keys in the line.
func (r *pointParser) finish(p *Point, step float64) bool {
	p.Step = int(step)
	for _, reading := range p.Readings {
		if reading.Key == p.Phase {
			return false
		}
	}
	return isStep(step)
}

// intern returns the key as a string, without an allocation if the previous line has the same key
// at this position.
func (r *pointParser) intern(at int, key []byte) string {
	if at < len(r.keys) && r.keys[at] == string(key) {
		return r.keys[at]
	}
	r.keys = append(r.keys[:at], string(key))
	return r.keys[at]
}

// parseString returns the string between quotation marks at the beginning of text, and the text after
// it. It returns false if there is none or if it has escapes or non-ASCII characters.
func parseString(text []byte) (content, after []byte, ok bool) {
	if len(text) == 0 || text[0] != '"' {
		return nil, nil, false
	}
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			return text[1:i], text[i+1:], true
		case c < ' ' || c > '~' || c == '\\':
			return nil, nil, false
		}
	}
	return nil, nil, false
}

// parseNumber returns the number at the beginning of text (NaN for null) and the text after it. It
// returns false if there is no valid JSON number.
func parseNumber(text []byte) (x float64, after []byte, ok bool) {
	n := 0
	for n < len(text) && text[n] != ',' && text[n] != '}' {
		n++
	}
	token := text[:n]
	if string(token) == "null" {
		return math.NaN(), text[n:], true
	}
	if !isNumber(token) {
		return 0, nil, false
	}
	x, err := strconv.ParseFloat(string(token), 64)
	return x, text[n:], err == nil
}

// isNumber reports whether text is a JSON number (RFC 8259, section 6).
func isNumber(text []byte) bool {
	digits := func() bool {
		n := 0
		for n < len(text) && text[n] >= '0' && text[n] <= '9' {
			n++
		}
		text = text[n:]
		return n > 0
	}
	if len(text) > 0 && text[0] == '-' {
		text = text[1:]
	}
	if len(text) > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9' || !digits() {
		return false
	}
	if len(text) > 0 && text[0] == '.' {
		text = text[1:]
		if !digits() {
			return false
		}
	}
	if len(text) > 0 && (text[0] == 'e' || text[0] == 'E') {
		text = text[1:]
		if len(text) > 0 && (text[0] == '+' || text[0] == '-') {
			text = text[1:]
		}
		if !digits() {
			return false
		}
	}
	return len(text) == 0
}
