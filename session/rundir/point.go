package rundir

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"

	"dgplab/models/family"
	"dgplab/models/number"
)

// Point is one report line: a step and what was measured there. A value that
// was not measured is NaN.
type Point struct {
	Step int
	// Seconds is training time without pauses.
	Seconds   float64
	Objective float64
	// Readings are the parts of the objective and the gauges of the method that the
	// family declares, under their keys.
	Readings []Reading
	// ValLogLik is the mean validation log-likelihood in original units.
	ValLogLik float64
	// Rescues counts the jitter rescues since the start.
	Rescues int
	// Phase says what the step was part of; see family.Report.
	Phase string
}

// Reading is one number of a report line.
type Reading struct {
	Key   string
	Value float64
}

// Reading returns the reading of that key, NaN if there is none.
func (p Point) Reading(key string) float64 { return readingOf(p.Readings, key) }

func readingOf(list []Reading, key string) float64 {
	for _, r := range list {
		if r.Key == key {
			return r.Value
		}
	}
	return math.NaN()
}

// AppendJSON appends the point as one JSON object without a newline, as it
// stands in metrics.jsonl. With an event, that is the first field.
func (p Point) AppendJSON(dst []byte, event string) []byte {
	dst = append(dst, '{')
	if event != "" {
		dst = append(dst, `"event":`...)
		dst = strconv.AppendQuote(dst, event)
		dst = append(dst, ',')
	}
	dst = append(dst, `"step":`...)
	dst = strconv.AppendInt(dst, int64(p.Step), 10)
	dst = appendField(dst, "seconds", p.Seconds)
	dst = appendField(dst, "objective", p.Objective)
	dst = appendReadings(dst, p.Readings)
	dst = appendField(dst, "val_log_lik", p.ValLogLik)
	dst = append(dst, `,"rescues":`...)
	dst = strconv.AppendInt(dst, int64(p.Rescues), 10)
	if p.Phase != "" {
		dst = append(dst, `,"phase":`...)
		dst = strconv.AppendQuote(dst, p.Phase)
	}
	return append(dst, '}')
}

func appendReadings(dst []byte, list []Reading) []byte {
	for _, r := range list {
		dst = appendField(dst, r.Key, r.Value)
	}
	return dst
}

func appendField(dst []byte, name string, value float64) []byte {
	dst = append(dst, ',')
	dst = strconv.AppendQuote(dst, name)
	dst = append(dst, ':')
	return number.Append(dst, value)
}

// MarshalJSON writes what AppendJSON writes without an event.
func (p Point) MarshalJSON() ([]byte, error) { return p.AppendJSON(nil, ""), nil }

// UnmarshalJSON reads what MarshalJSON wrote. Every other field that holds a number
// is a reading. A value that is null or absent is NaN, and absent rescues are 0.
func (p *Point) UnmarshalJSON(text []byte) error {
	fields, err := fieldsOf(text)
	if err != nil {
		return err
	}
	take := func(name string, absent float64) float64 {
		value, ok := fields[name]
		delete(fields, name)
		if !ok {
			return absent
		}
		x, number := numberOf(value)
		if !number {
			err = fmt.Errorf("%s is %v, want a number", name, value)
		}
		return x
	}
	step := take("step", -1)
	rescues := take("rescues", 0)
	if math.IsNaN(rescues) {
		rescues = 0
	}
	if !isStep(step) {
		return errNoStep
	}
	*p = Point{
		Step: int(step), Seconds: take("seconds", nan), Objective: take("objective", nan),
		ValLogLik: take("val_log_lik", nan), Rescues: int(rescues),
	}
	p.Phase, _ = fields["phase"].(string)
	p.Readings = readings(fields, text)
	return err
}

// mostSteps bounds the steps of report lines: JSON numbers hold whole numbers up to it.
const mostSteps = 1 << 53

// isStep reports whether a number is a step: whole, not negative and at most mostSteps.
func isStep(x float64) bool { return x >= 0 && x <= mostSteps && x == math.Trunc(x) }

// fieldsOf returns the fields of a JSON object.
func fieldsOf(text []byte) (map[string]any, error) {
	var value any // decoded much faster than a map of a type of ours
	if err := json.Unmarshal(text, &value); err != nil {
		return nil, err
	}
	fields, ok := value.(map[string]any)
	if !ok {
		return nil, errNoStep
	}
	return fields, nil
}

// numberOf returns the number of a field, NaN for null; false for what is neither.
func numberOf(value any) (float64, bool) {
	if value == nil {
		return math.NaN(), true
	}
	x, ok := value.(float64)
	if !ok {
		return math.NaN(), false
	}
	return x, true
}

// readings returns the numbers among the fields of a line, in its order.
func readings(fields map[string]any, line []byte) []Reading {
	list := make([]Reading, 0, len(fields))
	for key, value := range fields {
		if x, ok := numberOf(value); ok {
			list = append(list, Reading{key, x})
		}
	}
	at := func(r Reading) int { return bytes.Index(line, strconv.AppendQuote(nil, r.Key)) }
	slices.SortFunc(list, func(a, b Reading) int { return cmp.Compare(at(a), at(b)) })
	return list
}

// noPoint is a report line that was not written.
var noPoint = Point{Seconds: nan, Objective: nan, ValLogLik: nan}

// Named is a reading with the name that people read.
type Named struct {
	Name  string
	Value float64
}

// Named returns the given readings of the point that it has.
func (p Point) Named(list []family.Reading) []Named { return named(p.Readings, list) }

func named(have []Reading, list []family.Reading) []Named {
	var out []Named
	for _, want := range list {
		for _, r := range have {
			if r.Key == want.Key {
				out = append(out, Named{want.Name, r.Value})
			}
		}
	}
	return out
}
