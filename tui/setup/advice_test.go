package setup

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"dgplab/models"
	"dgplab/tui/kit"
)

// w shows only the families that suit the data, with reasons, until w, esc or other data. Meanwhile a sets up
// a sweep of the best of each question.
func TestWhichFamily(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, e := planned(t, 120, 40)
		press := func(keys ...string) {
			for _, key := range keys {
				a.Perform(a.Keys(key))
			}
		}
		families := func() (names []string) {
			for _, i := range a.setup.family.matches() {
				names = append(names, a.setup.family.all[i].Name)
			}
			return names
		}
		e.Advised = []models.Advice{
			{Question: "speed", Family: "star", Reason: "it is quick", Source: "a page"},
			{Question: "reference", Family: "star", Reason: "others compare with it", Source: "a paper"},
			{Question: "reference", Family: "mean-field", Reason: "it is a part of the other",
				Source: "a paper"},
		}
		all := families()
		press("w")
		view := a.View()
		for _, want := range []string{"for speed", "for reference", "w all families", "a compare",
			"For reference: it is a part of"} {
			if !strings.Contains(view, want) {
				t.Errorf("no %q in\n%s", want, view)
			}
		}
		if got, want := families(), []string{"star", "mean-field"}; !slices.Equal(got, want) {
			t.Errorf("the families are %q, want %q", got, want)
		}
		if chosen := a.setup.familyName(); chosen != "mean-field" {
			t.Errorf("%s is selected, want mean-field as before", chosen)
		}
		press("up")
		if chosen := a.setup.familyName(); chosen != "star" {
			t.Errorf("%s is above mean-field, want star", chosen)
		}
		press("a")
		want := kit.Fill{Config: a.setup.config(), Families: []string{"star", "mean-field"}}
		if len(a.Visits) != 1 || !reflect.DeepEqual(a.Visits[0].Payload, want) {
			t.Errorf("went %+v, want a sweep of %q", a.Visits, want.Families)
		}
		for _, key := range []string{"w", "esc"} {
			press(key)
			if got := families(); !slices.Equal(got, all) {
				t.Errorf("after %s the families are %q, want %q", key, got, all)
			}
			press("w")
		}
		a.setup.section = sectionData
		press("up")
		if got := families(); !slices.Equal(got, all) {
			t.Errorf("for other data the families are %q, want %q", got, all)
		}
	})
}
