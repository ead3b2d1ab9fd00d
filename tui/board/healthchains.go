package board

import (
	"math"

	"dgplab/session"
	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz/canvas"
)

// chainLines describes the mixing of the chains of a run, with the gauges of the sampler. It returns nil for
// a run without chains.
func chainLines(th *kit.Theme, r *Run, w int) (lines []string) {
	if r.Snapshot == nil || r.Snapshot.Diagnostics == nil || r.Snapshot.Diagnostics.Chains == nil {
		return nil
	}
	s := r.Snapshot.Diagnostics.Chains.Summary()
	look := th.Text
	if s.Unmixed > 0 {
		look = th.Warn
	}
	for _, row := range kit.Wrap("chains: "+cleanText(th, report.MixingText(s)), w) {
		lines = append(lines, look.Render(row))
	}
	var parts []string
	for _, g := range r.Snapshot.ObjectiveIs.Gauges {
		if v := lastGauge(r.Snapshot, g.Key); v == v {
			parts = append(parts, th.Text.Render(g.Name+" "+canvas.Number(v)))
		}
	}
	for _, n := range s.Normality {
		parts = append(parts, th.Dim.Render("normality: "+report.NormalityText(n)))
	}
	return append(lines, kit.JoinFitting(w, "  ", parts...))
}

// lastGauge returns the last reading of a gauge. For a run read from its directory it is the reading in the
// summary or the last report line. It is NaN if there is none.
func lastGauge(s *session.Snapshot, key string) float64 {
	if v := s.Last.Reading(key); v == v {
		return v
	}
	if s.Chains != nil {
		if v, ok := s.Chains.Gauges[key]; ok {
			return float64(v)
		}
	}
	if n := len(s.Curve); n > 0 {
		return s.Curve[n-1].Reading(key)
	}
	return math.NaN()
}
