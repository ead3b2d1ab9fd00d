package rundir

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"dgplab/models/family"
	"dgplab/models/view"
)

// Point is a report line: the measurements at one step. Values that were not measured are NaN.
type Point struct {
	Step int
	// Seconds is the training time, excluding pauses.
	Seconds   float64
	Objective float64
	// Readings holds the terms of the objective and the gauges that the family declares.
	Readings []Reading
	// ValLogLik is the mean validation log-likelihood in original units.
	ValLogLik float64
	// Rescues is the number of jitter rescues since the start.
	Rescues int
	// Phase is the training phase of the step; see family.Report.
	Phase string
}

// Reading is a named number of a report line.
type Reading struct {
	Key   string
	Value float64
}

// Reading returns the value of the reading with the given key, or NaN if there is none.
func (p Point) Reading(key string) float64 { return readingOf(p.Readings, key) }

func readingOf(list []Reading, key string) float64 {
	for _, r := range list {
		if r.Key == key {
			return r.Value
		}
	}
	return math.NaN()
}

// AppendJSON appends the point as a JSON object without a newline, as in metrics.jsonl. If event is
// not empty, it becomes the first field.
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
	return view.AppendFloat(dst, value)
}

// MarshalJSON returns the encoding of AppendJSON without an event.
func (p Point) MarshalJSON() ([]byte, error) { return p.AppendJSON(nil, ""), nil }

// UnmarshalJSON decodes the output of MarshalJSON. All other numeric fields become readings. Null
// or missing values are NaN, and missing rescues are 0. The text is valid JSON, as encoding/json has checked.
func (p *Point) UnmarshalJSON(text []byte) error {
	*p = noPoint
	step := -1.0
	rescues := 0.0
	var wrong error
	visitMembers(text, func(key, value []byte) {
		name := string(key)
		if name == "phase" {
			_ = json.Unmarshal(value, &p.Phase) // Other values than strings are ignored.
			return
		}
		x, number := numberOf(value)
		var known *float64
		switch name {
		case "step":
			known = &step
		case "seconds":
			known = &p.Seconds
		case "objective":
			known = &p.Objective
		case "val_log_lik":
			known = &p.ValLogLik
		case "rescues":
			known = &rescues
		}
		switch {
		case number && known != nil:
			*known = x
		case number:
			p.Readings = append(p.Readings, Reading{name, x})
		case known != nil:
			wrong = fmt.Errorf("%s is %s, want a number", name, value)
		}
	})
	if !isStep(step) {
		return errNoStep
	}
	p.Step = int(step)
	if !math.IsNaN(rescues) {
		p.Rescues = int(rescues)
	}
	return wrong
}

// numberOf returns a JSON number as a float64, or NaN for null. It returns false for other values.
func numberOf(value []byte) (float64, bool) {
	value = bytes.TrimSpace(value)
	if string(value) == "null" {
		return math.NaN(), true
	}
	x, err := strconv.ParseFloat(string(value), 64)
	return x, err == nil
}

// maxStep is the maximum step of a report line. A float64 represents all integers up to this number.
const maxStep = 1 << 53

// isStep reports whether x is an integer from 0 to maxStep.
func isStep(x float64) bool { return x >= 0 && x <= maxStep && x == math.Trunc(x) }

// noPoint is a point without measurements.
var noPoint = Point{Seconds: nan, Objective: nan, ValLogLik: nan}

// Named is a reading with its display name.
type Named struct {
	Name  string
	Value float64
}

// Named returns the readings of the point that occur in list, with their display names.
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
