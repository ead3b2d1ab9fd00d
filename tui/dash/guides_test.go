package dash

import (
	"testing"

	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

// h explains every panel in one paragraph that fits on a screen of 80x24.
func TestGuides(t *testing.T) {
	d, _ := newDesk(nil, 80, 24)
	inside := kit.Area(0, 0, 80, 24).Inner()
	seen := map[string]string{}
	for _, p := range d.dash.AllPanels() {
		if n := len(kit.Wrap(p.Guide, inside.W)); len(p.Guide) < 150 || n > inside.H {
			t.Errorf("the guide of %s has %d bytes and %d lines", p.Name, len(p.Guide), n)
		}
		if other := seen[p.Guide]; other != "" && p.Name != "Curves" { // Curves repeats it.
			t.Errorf("%s and %s have the same guide", other, p.Name)
		}
		seen[p.Guide] = p.Name
	}
	d, _ = newDesk(kittest.Training(someConfig, 1240), 80, 24)
	for range d.dash.Panels(0) {
		d.Keys("h")
		if got := d.Explained[1]; got != d.dash.Focused().Guide {
			t.Errorf("%s is explained by %q", d.dash.Focused().Name, got)
		}
		d.Keys("tab")
	}
}
