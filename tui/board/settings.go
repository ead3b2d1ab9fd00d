package board

import "dgplab/session/metric"

// Settings holds the settings of the user that are kept across restarts of the program.
type Settings struct {
	curveSettings
	Sort        tableSort `json:"sort"`
	Predictions tableSort `json:"predictions"`
}

// FirstSettings holds the default settings.
var FirstSettings = Settings{curveSettings: firstSettings}

// Settings returns the settings of the user.
func (b *Board) Settings() Settings {
	return Settings{b.curves.curveSettings, b.table.sort, b.tested.sort}
}

// Use changes the settings. Values that no longer exist get their defaults.
func (b *Board) Use(s Settings) {
	if s.X < 0 || s.X.base() >= numXAxes {
		s.X = firstSettings.X
	}
	if s.Y < 0 || int(s.Y) >= len(yNames) {
		s.Y = firstSettings.Y
	}
	if s.Range < 0 || int(s.Range) >= len(rangeNames) {
		s.Range = firstSettings.Range
	}
	if s.Smoothing < 0 || s.Smoothing >= len(strengths) {
		s.Smoothing = firstSettings.Smoothing
	}
	if m, ok := metric.Find(s.Sort.Column); ok { // It may have been renamed.
		s.Sort.Column = m.Key
	}
	b.curves.curveSettings, b.table.sort, b.tested.sort = s.curveSettings, s.Sort, s.Predictions
}

// ResetCurves restores the default view of the curves.
func (b *Board) ResetCurves() {
	b.curves.curveSettings, b.curves.window, b.curves.cursor = firstSettings, window{}, curveCursor{}
}
