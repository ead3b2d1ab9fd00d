package board

import (
	"slices"
	"strings"
	"testing"

	"dgplab/tui/kit/kittest"
)

// numbered returns a choice of n values whose initial value is first.
func numbered(n, first int) *Choice {
	return &Choice{name: "layer", position: new(position), arrows: anyArrow,
		Count: func(*Board) int { return n }, first: func(*Board) int { return first }}
}

// Each arrow key moves the choices that have it, in their direction.
func TestArrowSteps(t *testing.T) {
	for _, c := range []struct {
		arrows                arrows
		left, right, up, down int
	}{
		{noArrows, 0, 0, 0, 0}, {leftRight, -1, 1, 0, 0}, {upDown, 0, 0, -1, 1}, {downUp, 0, 0, 1, -1},
		{anyArrow, -1, 1, -1, 1},
	} {
		got := []int{c.arrows.step(-1, 0), c.arrows.step(1, 0), c.arrows.step(0, -1), c.arrows.step(0, 1)}
		if want := []int{c.left, c.right, c.up, c.down}; !slices.Equal(got, want) {
			t.Errorf("arrows %d: steps %v, want %v", c.arrows, got, want)
		}
	}
}

// A choice wraps around, or stops at its ends. A key reaches every value of both kinds.
func TestTurningAChoice(t *testing.T) {
	b := New(kittest.PlainTheme())
	p := b.named("Table")
	for _, stops := range []bool{false, true} {
		c := numbered(3, 1)
		c.stops = stops
		var values []int
		for _, by := range []int{0, 1, 1, 1, -9, -1} {
			b.Turn(p, c, by)
			values = append(values, b.Value(c))
		}
		want := []int{1, 2, 0, 1, 1, 0}
		if stops {
			want = []int{1, 2, 2, 2, 0, 0}
		}
		if !slices.Equal(values, want) {
			t.Errorf("a choice that stops: %v has the values %v, want %v", stops, values, want)
		}
		values = nil
		for range 4 {
			b.Turn(b.Next(p, c))
			values = append(values, b.Value(c))
		}
		if want := []int{1, 2, 0, 1}; !slices.Equal(values, want) {
			t.Errorf("a choice that stops: %v is turned by a key to %v, want %v", stops, values, want)
		}
	}
	for n, want := range []string{"there is no layer to choose", "there is only one layer",
		"Table: layer 2 of 2"} {
		if got, _ := b.Turn(p, numbered(n, 0), 1); got != want {
			t.Errorf("%d values: %q, want %q", n, got, want)
		}
	}
}

// A choice of several values has a note, unless the panel shows its value.
func TestNotesOfChoices(t *testing.T) {
	b := New(kittest.PlainTheme())
	for _, c := range []struct {
		n     int
		shown visibility
		want  string
	}{{0, inNotes, ""}, {1, inNotes, ""}, {2, inNotes, "layer 2 of 2"}, {2, inPicture, ""},
		{2, nowhere, ""}} {
		one := numbered(c.n, 1)
		one.shown = c.shown
		if got := b.noteOf(one); got != c.want {
			t.Errorf("%d values, shown %d: %q, want %q", c.n, c.shown, got, c.want)
		}
	}
	c := numbered(3, 0)
	if list := b.each(c); len(list) != 3 || list[2].Value(c) != 2 || b.Value(c) != 0 {
		t.Errorf("%d boards", len(list))
	}
	if got := b.with(c, 7).Value(c); got != 2 {
		t.Errorf("a value beyond the last is %d", got)
	}
}

// The wheel changes the marked choice, or else the first one.
func TestWheelChoice(t *testing.T) {
	a, b := numbered(2, 0), numbered(3, 0)
	p := &Panel{Choices: []*Choice{a, b}}
	if p.WheelChoice() != a || new(Panel).WheelChoice() != nil {
		t.Error("the wheel does not change the first choice")
	}
	if b.wheel = true; p.WheelChoice() != b {
		t.Error("the wheel does not change the marked choice")
	}
}

// The fields in a short label distinguish its run from all others, with as few fields as possible.
func TestDistinguishingFields(t *testing.T) {
	texts := [][]string{
		{"star", "star", "star", "svgp"}, {"a", "b", "b", "a"}, {"1", "1", "2", "1"}, {"x", "x", "x", "y"},
	}
	for i, want := range [][]bool{
		{true, true, false, false}, {true, true, true, false}, {true, false, true, false},
		{true, false, false, false},
	} {
		if got := distinguishing(texts, i); !slices.Equal(got, want) {
			t.Errorf("run %d: %v, want %v", i, got, want)
		}
	}
	for i := range 2 { // Two runs are equal.
		if got := distinguishing([][]string{{"a", "a", "b"}}, i); got != nil {
			t.Errorf("run %d of equal runs: %v", i, got)
		}
	}
}

// A legend has room for 40 cells of names.
func TestRoomForNames(t *testing.T) {
	long := "twenty cells exactly"
	if !fitLegend([]string{long, long}) || fitLegend([]string{long, long, "x"}) {
		t.Error("the room is not 40 cells")
	}
	if !repeated([]string{"a", "b", "a"}, 0) || !repeated([]string{"a", "b", "a"}, 2) ||
		repeated([]string{"a", "b", "a"}, 1) {
		t.Error("a repeated label is not found")
	}
	for id, want := range map[string]string{
		"20261121-094607-boston-star-3150b4": "3150b4",
		"plain":                              "plain",
	} {
		if got := shortID(id); got != want {
			t.Errorf("%s is shortened to %s", id, got)
		}
	}
}

// The values of a choice have names, which differ, also in runs that have all views or classes.
func TestLabelsOfChoices(t *testing.T) {
	found := map[string][]string{}
	for set, runs := range moreSets() {
		b := newStage(runs...).Board
		for page := range b.Pages {
			for _, p := range b.Panels(page) {
				for _, c := range p.Choices {
					if c.label == nil {
						continue
					}
					var labels []string
					for i := range c.Count(b) {
						label := strings.TrimSpace(c.label(b, i))
						if label == "" || slices.Contains(labels, label) {
							t.Errorf("%s, %s of runs with %s: value %d is named %q after %q",
								p.Name, c.name, set, i+1, label, labels)
						}
						labels = append(labels, label)
					}
					found[set+", "+p.Name+", "+c.name] = labels
				}
			}
		}
	}
	for choice, want := range map[string][]string{
		"view, Maps, quantity":      {"mean", "standard deviation"},
		"view, Network, covariance": {"cov E[WKW']+noise", "cov E[WKW']"},
		"view, Fit, input":          {"position", "velocity"},
		"view, Fit, target":         {"value", "cost"},
		"view, Plane, quantity":     {"mean of value", "standard deviation of value"},
		"splits, Scores, score":     {"test log-likelihood", "test RMSE", "test CRPS"},
		"splits, Distances, distance": {"KL(A||B), nats",
			"1-Wasserstein distance, units of the target"},
		"three classes, Predictions, target": {"pet"},
		"classes, Differences, comparison":   {"mean-field"},
		"splits, Differences, comparison":    {"standard:0 mean-field"},
	} {
		if got := found[choice]; !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", choice, got, want)
		}
	}
}

// A key of a shared choice moves through the values of the panel that has the most.
func TestSharedChoice(t *testing.T) {
	views := kittest.AllViews()
	views.Amortization.Layers = views.Amortization.Layers[:1]
	views.Quadrature.Layers = views.Quadrature.Layers[:1]
	d := newStage(kittest.ViewRun(views, 1240))
	for _, want := range []int{1, 2, 0} {
		if d.do(ActNextLayer); d.chosen("Layers", 0) != want {
			t.Errorf("L shows layer %d, want %d (%q)", d.chosen("Layers", 0)+1, want+1, d.said)
		}
	}
	views.Plane.Fields = views.Plane.Fields[:1]
	d = newStage(kittest.ViewRun(views, 1240))
	if d.do(ActPlaneField); d.said != "there is only one quantity" {
		t.Errorf("o with one quantity says %q", d.said)
	}
}

// The message about a choice has the name, if there is one, and the number of the new value.
func TestChoiceMessages(t *testing.T) {
	for _, c := range []struct {
		panel  string
		choice int
		want   string
	}{
		{"Layers", 0, "Layers: layer 2 of 3"},
		{"Plane", 0, "Plane: standard deviation of value (quantity 2 of 2)"},
		{"Fit", 1, "Fit: velocity (input 2 of 2)"}, {"Fit", 2, "Fit: cost (target 2 of 2)"},
		{"Prior", 0, "Prior: depth 2 of 3"},
	} {
		s := newStage(kittest.ViewRun(kittest.AllViews(), 1240)).see(c.panel)
		if got, turned := s.Turn(s.panel, s.panel.Choices[c.choice], 1); got != c.want || !turned {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
