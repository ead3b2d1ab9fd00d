package kit

import (
	"slices"
	"strings"
	"testing"
)

func TestRebind(t *testing.T) {
	table := []Binding{
		Bind(Look, "stop", "s", "stop", "Stop.", "s"),
		Bind(Look, "x_axis", "x", "axis", "Axis.", "x"),
		Bind(Look, "smoother", "+", "", "Smooth.", "+", "="),
		Interrupt,
	}
	for _, c := range []struct {
		name  string
		own   map[Action][]string
		keys  map[Action]string // separated by blanks
		wrong string
	}{
		{"nothing", nil, map[Action]string{"stop": "s", "x_axis": "x", "smoother": "+ ="}, ""},
		{"another key", map[Action][]string{"stop": {"S", "up"}},
			map[Action]string{"stop": "S up", "x_axis": "x"}, ""},
		{"no key", map[Action][]string{"stop": {}}, map[Action]string{"stop": "", "x_axis": "x"}, ""},
		{"taken from another", map[Action][]string{"stop": {"x", "="}},
			map[Action]string{"stop": "x =", "x_axis": "", "smoother": "+"}, ""},
		{"swapped", map[Action][]string{"stop": {"x"}, "x_axis": {"s"}},
			map[Action]string{"stop": "x", "x_axis": "s"}, ""},
		{"given twice", map[Action][]string{"stop": {"z"}, "x_axis": {"z", "y"}},
			map[Action]string{"stop": "z",
				"x_axis": "y"}, `x_axis = "z": already bound to stop`},
		{"ctrl+c", map[Action][]string{"stop": {"ctrl+c"}, ActInterrupt: {}}, map[Action]string{"stop": "",
			ActInterrupt: "ctrl+c"}, `stop = "ctrl+c": this key is reserved for interrupt`},
	} {
		got, wrong := Rebind(table, c.own)
		for _, b := range got {
			if want, ok := c.keys[b.Action]; ok && strings.Join(b.Keys(), " ") != want {
				t.Errorf("%s: %s has the keys %q, want %q", c.name, b.Action, b.Keys(), want)
			}
		}
		if (c.wrong != "" || len(wrong) > 0) && (len(wrong) != 1 || wrong[0].Error() != c.wrong) {
			t.Errorf("%s: wrong is %v, want %q", c.name, wrong, c.wrong)
		}
	}
	if !slices.Equal(table[0].Keys(), []string{"s"}) {
		t.Error("the table itself was changed")
	}
}

func TestLabelsFollowTheKeys(t *testing.T) {
	got, _ := Rebind([]Binding{Bind(Look, "pause", "space", "pause", "Pause.", " ")}, map[Action][]string{
		"pause": {"up", " ", "p"},
	})
	if label := got[0].Help(); label.Key != "<up>, space, p" || label.Desc != "pause" {
		t.Errorf("label %+v", label)
	}
}

// Assigning another key to one action of a pair splits the pair.
func TestPairsComeApart(t *testing.T) {
	pair := []Binding{Bind(Look, "before", "<left>", "", "Before.", "left"),
		Bind(Look, "after", "<left><right>", "layer", "After.", "right")}
	got, _ := Rebind(pair, map[Action][]string{"before": {"h"}})
	if label := got[1].Help().Key; label != "<right>" {
		t.Errorf("the label of the other action is %q", label)
	}
}

func TestKeysByName(t *testing.T) {
	for name, want := range map[string]string{
		"x": "x", "space": " ", "alt+x": "alt+x", "ctrl+x": "ctrl+x", "f5": "f5", "pgdown": "pgdown",
		"shift+tab": "shift+tab", "ä": "ä",
	} {
		if got, err := ParseKey(name); err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", name, got, err, want)
		}
	}
	for _, name := range []string{"", "return", "ctrl+", "xy", "runes"} {
		if got, err := ParseKey(name); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q is the key %q, %v", name, got, err)
		}
	}
}
