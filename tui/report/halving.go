package report

import (
	"fmt"
	"strings"

	"dgplab/session/metric"
	"dgplab/session/sweep"
)

// Halving describes the rungs of successive halving.
func Halving(g sweep.Grid) string {
	return fmt.Sprintf("one in %d settings continues after each rung; rungs of %s", g.Halving, g.RungsText())
}

// Decision describes how many settings a decision of successive halving kept, and the best of them.
func Decision(d sweep.Decision) string {
	text := fmt.Sprintf("%d of %s kept", d.Kept, Plural(len(d.Ranking), "setting", "settings"))
	if d.Kept == 0 {
		return text
	}
	best := d.Ranking[0]
	return fmt.Sprintf("%s, best %s (val LL %s)", text, strings.TrimPrefix(best.Setting, d.Dataset+" "),
		Format(metric.Get("val.best"), float64(best.ValLogLik)))
}
