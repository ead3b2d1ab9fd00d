package board

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"dgplab/session"
	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz/canvas"
)

// chainLines describes the chains of a run in words: the number of draws, the tests of normality, and the
// readings of the sampler that have no light. It returns nil for a run without chains.
func chainLines(th *kit.Theme, r *Run, w int) []string {
	if r.Snapshot.Diagnostics.Chains == nil {
		return nil
	}
	s := r.Snapshot.Diagnostics.Chains.Summary()
	parts := []string{report.Plural(s.Chains, "chain", "chains") + " with " +
		report.Plural(s.Draws, "draw", "draws") + " each"}
	if s.Tested > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d quantities beyond a limit", s.Unmixed, s.Tested))
	}
	for _, n := range s.Normality {
		parts = append(parts, "normality: "+report.NormalityText(n))
	}
	for _, g := range r.Snapshot.ObjectiveIs.Gauges {
		if v := lastGauge(r.Snapshot, g.Key); v == v && !slices.Contains(lightGauges, g.Key) {
			parts = append(parts, g.Name+" "+canvas.Number(v))
		}
	}
	return kit.Paragraph(th.Dim, cleanText(th, strings.Join(parts, "; ")), w)
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
