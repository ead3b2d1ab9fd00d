package picture

import (
	"fmt"

	"dgplab/models/view"
)

// MixingText summarises the mixing of chains in a line.
func MixingText(s *view.ChainsSummary) string {
	text := fmt.Sprintf("%d with %d draws each", s.Chains, s.Draws)
	if s.Tested == 0 {
		return text
	}
	return fmt.Sprintf("%s; R-hat up to %.3f (%s), effective sizes from %d (bulk) and %d (tail) on; %d of "+
		"%d beyond R-hat %g or size %d",
		text, float64(s.Rhat), s.Worst, int(s.ESSBulk), int(s.ESSTail), s.Unmixed, s.Tested,
		view.MaxRhat, view.MinESS)
}

// NormalityText summarises the tests of normality of a kind of quantities.
func NormalityText(n view.Normality) string {
	kind := string(n.Kind)
	if n.Tested != 1 {
		kind += "s"
	}
	return fmt.Sprintf("%d of %d %s rejected", n.Rejected, n.Tested, kind)
}
