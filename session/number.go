package session

import (
	"encoding/json"
	"math"
	"strconv"
)

// Number is a float64 that JSON can carry: NaN and infinities are written as
// null, and null is read as NaN. All other values survive exactly.
type Number float64

// MarshalJSON writes the shortest text that reads back as the same number.
func (n Number) MarshalJSON() ([]byte, error) { return appendNumber(nil, float64(n)), nil }

// UnmarshalJSON reads a number or null.
func (n *Number) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*n = Number(math.NaN())
		return nil
	}
	return json.Unmarshal(text, (*float64)(n))
}

func appendNumber(dst []byte, x float64) []byte { return appendDigits(dst, x, -1) }

// appendDigits appends x with a number of significant digits, -1 for as many as
// it takes to read back the same.
func appendDigits(dst []byte, x float64, digits int) []byte {
	if notFinite(x) {
		return append(dst, "null"...)
	}
	return strconv.AppendFloat(dst, x, 'g', digits, 64)
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
	for _, field := range []struct {
		name  string
		value float64
	}{
		{"seconds", p.Seconds},
		{"objective", p.Objective},
		{"expected_log_lik", p.ExpectedLogLik},
		{"kl", p.KL},
		{"val_log_lik", p.ValLogLik},
		{"gradient_norm", p.GradientNorm},
	} {
		dst = append(dst, `,"`...)
		dst = append(dst, field.name...)
		dst = append(dst, `":`...)
		dst = appendNumber(dst, field.value)
	}
	dst = append(dst, `,"rescues":`...)
	dst = strconv.AppendInt(dst, int64(p.Rescues), 10)
	return append(dst, '}')
}

// MarshalJSON writes what AppendJSON writes without an event.
func (p Point) MarshalJSON() ([]byte, error) { return p.AppendJSON(nil, ""), nil }

// UnmarshalJSON reads what MarshalJSON wrote. Unknown fields are skipped; a
// value that is null or absent is NaN, and absent rescues are 0.
func (p *Point) UnmarshalJSON(text []byte) error {
	nan := Number(math.NaN())
	line := struct {
		Step           *int   `json:"step"`
		Seconds        Number `json:"seconds"`
		Objective      Number `json:"objective"`
		ExpectedLogLik Number `json:"expected_log_lik"`
		KL             Number `json:"kl"`
		ValLogLik      Number `json:"val_log_lik"`
		GradientNorm   Number `json:"gradient_norm"`
		Rescues        int    `json:"rescues"`
	}{nil, nan, nan, nan, nan, nan, nan, 0}
	if err := json.Unmarshal(text, &line); err != nil {
		return err
	}
	if line.Step == nil || *line.Step < 0 {
		return errNoStep
	}
	*p = Point{
		Step:           *line.Step,
		Seconds:        float64(line.Seconds),
		Objective:      float64(line.Objective),
		ExpectedLogLik: float64(line.ExpectedLogLik),
		KL:             float64(line.KL),
		ValLogLik:      float64(line.ValLogLik),
		GradientNorm:   float64(line.GradientNorm),
		Rescues:        line.Rescues,
	}
	return nil
}
