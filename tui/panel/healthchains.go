package panel

import (
	"dgplab/tui/kit"
	"dgplab/tui/picture"
	"dgplab/viz/number"
)

// chainLines says how well the chains of a run have sampled, and what the sampler says of
// itself; nothing for a run without chains.
func chainLines(th *kit.Theme, r Run, w int) (lines []string) {
	if r.Snapshot == nil || r.Snapshot.Diagnostics == nil || r.Snapshot.Diagnostics.Chains == nil {
		return nil
	}
	s := r.Snapshot.Diagnostics.Chains.Summary()
	look := th.Text
	if s.Unmixed > 0 {
		look = th.Warn
	}
	for _, row := range kit.Wrap("chains: "+clean(th, picture.MixingText(s)), w) {
		lines = append(lines, look.Render(row))
	}
	var parts []string
	for _, g := range r.Snapshot.Objective.Gauges {
		parts = append(parts, th.Text.Render(g.Name+" "+number.Short(r.Snapshot.Last.Reading(g.Key))))
	}
	for _, n := range s.Normality {
		parts = append(parts, th.Dim.Render("normality: "+picture.NormalityText(n)))
	}
	return append(lines, kit.JoinFitting(w, "  ", parts...))
}
