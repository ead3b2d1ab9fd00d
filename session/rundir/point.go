package rundir

import (
	"encoding/json"
	"math"
	"strconv"
)

// Point is one report line: a step and what was measured there. A value that
// was not measured is NaN.
type Point struct {
	Step int `json:"step"`
	// Seconds is training time without pauses.
	Seconds        float64 `json:"seconds"`
	Objective      float64 `json:"objective"`
	ExpectedLogLik float64 `json:"expected_log_lik"`
	KL             float64 `json:"kl"`
	// ValLogLik is the mean validation log-likelihood in original units.
	ValLogLik float64 `json:"val_log_lik"`
	// GradientNorm is that of models.Report.
	GradientNorm float64 `json:"gradient_norm"`
	// Rescues counts the jitter rescues since the start.
	Rescues int `json:"rescues"`
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

// noPoint is a report line that was not written.
var noPoint = Point{Seconds: nan, Objective: nan, ExpectedLogLik: nan, KL: nan, ValLogLik: nan, GradientNorm: nan}
