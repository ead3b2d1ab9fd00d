package config

import (
	"slices"
	"testing"

	"dgplab/models"
	"dgplab/session/rundir"
)

// InformativeDifferences omits values implied by the family and includes values set by the user, even if they
// equal a default.
func TestInformativeDifferences(t *testing.T) {
	run := func(family string, set models.Values) rundir.Info {
		spec, err := models.Lookup(family)
		if err != nil {
			t.Fatal(err)
		}
		values, err := models.Resolve(allHyperparameters(spec), set)
		if err != nil {
			t.Fatal(err)
		}
		c := rundir.Config{Dataset: "steps", Family: family, Set: set}
		return rundir.Info{ConfigFile: rundir.ConfigFile{Config: c, Values: values}}
	}
	for _, c := range []struct {
		a, b models.Values
		want []string
	}{
		{nil, nil, []string{"family"}},
		{models.Values{"noise_variance": "0.10"}, nil, []string{"family"}},
		{models.Values{"noise_variance": "0.2"}, nil, []string{"family", "noise_variance"}},
		{nil, models.Values{"inducing": "64"}, []string{"family", "inducing"}},
	} {
		var fields []string
		for _, d := range InformativeDifferences([]rundir.Info{run("gprn", c.a), run("svgp", c.b)}) {
			fields = append(fields, d.Field)
		}
		if !slices.Equal(fields, c.want) {
			t.Errorf("%v and %v differ in %q", c.a, c.b, fields)
		}
	}
	if list := Differences([]rundir.Info{run("bnn-vi", nil), run("svgp", nil)}); len(list) < 5 {
		t.Errorf("the families differ in %v", list)
	}
}
