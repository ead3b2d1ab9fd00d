package chart

import (
	"math"
	"time"
)

const (
	day  = 24 * time.Hour
	year = 365*day + 6*time.Hour
	// mostTime is the largest distance from 1970, in seconds, at which an axis shows dates.
	mostTime = 2e11
)

// Dates describes an axis of time since the beginning of 1970. Name replaces the name of the axis
// if its ticks are dates. The zero value is an axis that is not time.
type Dates struct {
	Name string
	// Unit is the length of a unit of the axis in seconds.
	Unit float64
}

// Known reports whether the axis is time.
func (d Dates) Known() bool { return d.Unit > 0 }

// dateStep is a distance between dates: a duration or a number of months.
type dateStep struct {
	time   time.Duration
	months int
	layout string // the format of labels
}

// dateSteps are the distances between ticks, up to half a year.
var dateSteps = []dateStep{
	{time.Second, 0, "15:04:05"}, {5 * time.Second, 0, "15:04:05"}, {15 * time.Second, 0, "15:04:05"},
	{time.Minute, 0, "01-02 15:04"}, {5 * time.Minute, 0, "01-02 15:04"},
	{15 * time.Minute, 0, "01-02 15:04"},
	{time.Hour, 0, "01-02 15:04"}, {3 * time.Hour, 0, "01-02 15:04"}, {6 * time.Hour, 0, "01-02 15:04"},
	{12 * time.Hour, 0, "01-02 15:04"},
	{day, 0, time.DateOnly}, {2 * day, 0, time.DateOnly}, {7 * day, 0, time.DateOnly},
	{14 * day, 0, time.DateOnly},
	{0, 1, "2006-01"}, {0, 3, "2006-01"}, {0, 6, "2006-01"},
}

// length returns the approximate length of a step.
func (s dateStep) length() time.Duration { return s.time + time.Duration(s.months)*(year/12) }

// gap is the room between two labels, in cells.
const gap = 3

// stepOf returns the smallest step whose labels fit on an axis of w cells. The axis covers
// the given number of seconds.
func stepOf(seconds float64, w int) dateStep {
	has := func(s dateStep, length float64) bool {
		return seconds/length*float64(len(s.layout)+gap) <= float64(w)*(1+1e-9)
	}
	for _, s := range dateSteps {
		if has(s, s.length().Seconds()) {
			return s
		}
	}
	years := dateStep{layout: "2006"}
	n := niceStep(math.Max(seconds/year.Seconds()*float64(len(years.layout)+gap)/float64(max(w, 1)), 1))
	years.months = 12 * int(n)
	return years
}

// dateTicks returns ticks at round dates for an axis of w cells with the given seconds per unit; 0
// is the beginning of 1970. It returns ticks at round numbers if the axis is too far from 1970 or
// shorter than a second.
func dateTicks(lo, hi, unit float64, w int) []Tick {
	span := (hi - lo) * unit
	if !(span >= 1) || math.Abs(lo*unit) > mostTime || math.Abs(hi*unit) > mostTime {
		return someTicks(lo, hi, max(w/10, 1))
	}
	step := stepOf(span, w)
	at := step.first(time.Unix(int64(math.Floor(lo*unit)), 0).UTC())
	var out []Tick
	for range maxTicks {
		v := float64(at.Unix()) / unit
		if v > hi {
			break
		}
		if v >= lo {
			out = append(out, Tick{v, at.Format(step.layout)})
		}
		at = at.Add(step.time).AddDate(0, step.months, 0)
	}
	return out
}

// first returns the last date of the step that is not after t.
func (s dateStep) first(t time.Time) time.Time {
	if s.months == 0 {
		return t.Truncate(s.time)
	}
	months := 12*t.Year() + int(t.Month()) - 1
	return time.Date(0, time.Month(months-months%s.months+1), 1, 0, 0, 0, 0, time.UTC)
}
