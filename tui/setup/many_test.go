package setup

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/config"
	"dgplab/session/rundir"
	"dgplab/tui/kit/kittest"
)

// manyEngine is an engine with 25 families in five groups, each with 40 settings and a preset.
type manyEngine struct{ *kittest.Engine }

func (manyEngine) Families() []models.Spec {
	groups := []string{"structured deep GPs", "sparse and exact GPs", "amortized",
		"samplers", "Bayesian networks"}
	var settings []models.Hyperparameter
	values := map[string]string{}
	for i := range 40 - len(config.Hyperparameters()) {
		section := []family.Section{family.ModelSection, family.KernelSection, family.InferenceSection}[i/10]
		h := models.Hyperparameter{Name: fmt.Sprintf("%s_%d", section, i%10), Section: section,
			First: i%10 < 3, Kind: family.Int, Default: "5", Max: 100,
			Help: "a whole number with a description of some length"}
		settings = append(settings, h)
		values[h.Name] = fmt.Sprint(5 + i%2)
	}
	for name, value := range map[string]string{"steps": "20000", "early_stopping": "off",
		"validation": "0", "validation_every": "10",
		"validation_samples": "5", "validation_points": "0", "test_samples": "100"} {
		values[name] = value
	}
	var specs []models.Spec
	for i := range 25 {
		specs = append(specs, models.Spec{
			Name: fmt.Sprintf("family-%d", i), Title: fmt.Sprintf("Family number %d", i),
			Summary: "one of many", Group: groups[i%5],
			Hyperparameters: slices.Clone(settings),
			Presets: []family.Preset{{Name: "paper2020", Title: "the paper's", Source: "a paper",
				Values: values}},
		})
	}
	return specs
}

// manyFamilies returns a set-up screen of manyEngine with a part in focus.
func manyFamilies(s section, w, h int) *harness {
	d := newHarness(manyEngine{kittest.NewEngine()},
		rundir.Config{Dataset: "steps", Family: "family-7"}, w, h)
	d.setup.section = s
	return d
}

// Many families and settings scroll. Their headings stay, and the selected one is visible.
func TestManyFamiliesAndSettings(t *testing.T) {
	for _, c := range []struct {
		section section
		field   string
		keys    []string
		want    []string
	}{
		{sectionFamily, "", nil, []string{"Family ── 12 of 25", "│ amortized",
			"› family-7   Family number 7"}},
		{sectionFamily, "", []string{"/", "s", "a", "m", "p", " ", "1"},
			[]string{"/ samp 1▏", "│ samplers", "› family-13  Family number 13", "  family-18"}},
		{sectionForm, "", nil, []string{"Settings ── 1 of 18", "›  split               [default]",
			"+ 7 more: model_3, model_4"}},
		{sectionForm, "preset", []string{"right", "down", "down", "8"},
			[]string{"•preset              paper2020                                   1 changed",
				"› •model_1             8▏                                        paper2020 6"}},
	} {
		d := manyFamilies(c.section, 80, 24)
		if c.field != "" {
			d.setup.form.GoTo(c.field)
		}
		d.Keys(c.keys...)
		what := sectionNames[c.section] + " after " + strings.Join(c.keys, " ")
		kittest.CheckShows(t, what, d.View(), c.want...)
		kittest.CheckSizes(t, what, d.ViewAt)
	}
}

func TestFamilySearch(t *testing.T) {
	d := manyFamilies(sectionFamily, 120, 40)
	if view := d.View(); !strings.Contains(view, "│ amortized") || !strings.Contains(view, "› family-7 ") {
		t.Fatalf("no headings, or the family is not visible:\n%s", view)
	}
	// Letters are typed during the search, and are keys again afterwards.
	d.Keys("/", "q", "a")
	if view := d.View(); !strings.Contains(view, "no matching family") || len(d.Visits) > 0 {
		t.Errorf("screen:\n%s", view)
	}
	d.Keys("backspace", "backspace", "S", "A", "M", "P", " ", "1")
	if got := d.setup.config().Family; got != "family-13" {
		t.Errorf("%s is chosen", got)
	}
	d.Keys("down", "enter")
	if got := d.setup.config().Family; got != "family-18" || len(d.Starts) > 0 || d.setup.family.finding {
		t.Errorf("%s is selected, starts %v", got, d.Starts)
	}
	d.Keys("/", "x", "esc")
	if got := d.setup.config().Family; got != "family-18" || d.Backs > 0 {
		t.Errorf("%s is selected, went back %d times", got, d.Backs)
	}
	d.Keys("up")
	if got := d.setup.config().Family; got != "family-13" {
		t.Errorf("%s is chosen", got)
	}
}

// A run uses the values of the selected preset. A family without this preset drops it.
func TestPresets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, _ := planned(t, 120, 40)
		a.on("layers")
		a.Keys("4")
		a.on("preset")
		a.Keys("right")
		if view := a.View(); !strings.Contains(view, "paper2020") || !strings.Contains(view, "1 changed") ||
			!strings.Contains(view, "paper2020 3") {
			t.Errorf("screen:\n%s", view)
		}
		c := a.setup.config()
		if c.Preset != "paper2020" || c.Set["layers"] != "4" || c.Set["rate"] != "0.01" || len(c.Set) != 2 {
			t.Errorf("%+v", c)
		}
		// Fill in the same configuration again.
		again := newHarness(kittest.NewEngine(), c, 120, 40)
		if got := again.setup.config(); fmt.Sprint(got) != fmt.Sprint(c) {
			t.Errorf("%+v became %+v", c, got)
		}
		a.Keys("ctrl+r")
		if got := a.setup.config().Set; got["layers"] != "3" {
			t.Errorf("%v", got)
		}
		a.setup.section = sectionFamily
		a.Keys("down")
		if c := a.setup.config(); c.Family != "star" || c.Preset != "" || len(c.Set) != 0 {
			t.Errorf("%+v", c)
		}
	})
}
