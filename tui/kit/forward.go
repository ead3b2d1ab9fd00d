package kit

import (
	"dgplab/session/metric"
	"dgplab/tui/report"
)

// The dashboard still uses these names of package report.
var (
	Grouped    = report.Grouped
	Padded     = report.Padded
	StepText   = report.StepText
	Plural     = report.Plural
	Number     = report.Number
	Score      = report.Score
	Share      = report.Share
	Value      = report.Value
	Readings   = report.Readings
	Scores     = report.Scores
	Mean       = report.Mean
	Duration   = report.Duration
	Seconds    = report.Seconds
	Parameters = report.Parameters
	Bytes      = report.Bytes
	StopReason = report.StopReason
	ScoredText = report.ScoredText
	SharedText = report.SharedText
	Evaluation = report.Evaluation
	WithError  = report.WithError
	Metric     = report.Format
	Dataset    = metric.DatasetName
)
