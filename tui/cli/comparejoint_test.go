package cli

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dgplab/session/probe"
	"dgplab/session/rundir"
)

// trainRuns trains small models on a table with a target and classes, and returns the identifiers of their
// runs by name.
func trainRuns(t *testing.T, runs map[string]string) map[string]string {
	t.Helper()
	isolate(t)
	t.Chdir(t.TempDir())
	text := "width,load,kind\n"
	for i := range 60 {
		x := float64(i) / 10
		text += fmt.Sprintf("%g,%.4f,%s\n", x, math.Sin(2*x)+0.1*math.Cos(31*x), []string{"a", "b"}[i/30])
	}
	if err := os.WriteFile("table.csv", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	ids := make(map[string]string)
	for name, args := range runs {
		before, err := rundir.List()
		if err != nil {
			t.Fatal(err)
		}
		mustRun(t, append([]string{"train", "--dataset", "table.csv"}, strings.Fields(args)...)...)
		after, err := rundir.List()
		if err != nil || len(after) != len(before)+1 {
			t.Fatalf("%d runs after %d, %v", len(after), len(before), err)
		}
		for _, info := range after {
			known := false
			for _, old := range before {
				known = known || old.ID == info.ID
			}
			if !known {
				ids[name] = info.ID
			}
		}
	}
	return ids
}

// compare --joint reports the distance of the joint predictions of two runs, in text and in JSON, and the
// reason why other runs have none.
func TestCompareJoint(t *testing.T) {
	const load = "--ignore kind --target load --family "
	ids := trainRuns(t, map[string]string{
		"rbf":    load + "gp",
		"again":  load + "gp --seed 1",
		"matern": load + "gp --set kernel=matern52",
		"deep":   load + "mean-field --set layers=2 --set width=1 --set inducing=6 --steps 30",
		"other":  load + "gp --split interpolation:1 --set kernel=matern32",
		"kind":   "--ignore load --target kind --family linear",
		"kinds":  "--ignore load --target kind --family svgp --steps 10 --set inducing=6",
	})
	joint := func(args ...string) outcome {
		all := []string{"compare", "--joint"}
		for _, arg := range args {
			if ids[arg] != "" {
				arg = ids[arg]
			}
			all = append(all, arg)
		}
		return dgplab(t, all...)
	}
	distance := func(a, b string) *probe.JointDistance {
		o := joint(a, b, "--json")
		var got struct{ Joint *probe.JointDistance }
		if err := json.Unmarshal([]byte(o.out), &got); err != nil || got.Joint == nil {
			t.Fatalf("%v: %v", o, err)
		}
		return got.Joint
	}
	exact := distance("rbf", "matern")
	drawn := distance("rbf", "deep")
	same := distance("rbf", "again")
	if !(exact.KL > 1e-3 && exact.KL < drawn.KL && drawn.Covariance > exact.Covariance) ||
		exact.Draws != 0 || drawn.Draws != 256 || exact.Points != 6 {
		t.Errorf("Matern %+v, deep %+v", exact, drawn)
	}
	// Both runs of the same method converge to the same model.
	if !(math.Abs(same.KL) < 1e-4 && same.Covariance < 1e-2) {
		t.Errorf("another seed: %+v", same)
	}
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"rbf", "matern"}, 0, "at 6 test points: KL(A||B) "},
		{[]string{"rbf", "matern"}, 0, "B). A is kernel=rbf, B is kernel=matern52."},
		{[]string{"matern", "rbf"}, 0, "B). A is kernel=matern52, B is kernel=rbf."},
		{[]string{"rbf", "deep"}, 0,
			"estimated from 256 draws. A is gp steps=1000, B is mean-field steps=30."},
		{[]string{"rbf", "again"}, 0, "B). A is " + ids["rbf"] + ", B is " + ids["again"] + "."},
		{[]string{"rbf"}, statusUsage, "--joint compares two runs, not 1 (see dgplab compare --help)"},
		{[]string{"rbf", "matern", "deep"}, statusUsage, "--joint compares two runs, not 3"},
		{[]string{"rbf", "other"}, statusFailed, "the runs have different test points or functions"},
		{[]string{"kind", "kinds"}, statusFailed,
			"joint predictions of " + ids["kind"] + ": joint predictions need real targets"},
	} {
		o := joint(c.args...)
		// Lines are wrapped, also within identifiers.
		text := strings.Join(strings.Fields(o.out+o.err), "")
		want := strings.ReplaceAll(c.want, " ", "")
		if o.status != c.status || !strings.Contains(text, want) || (o.out == "") != (c.status != 0) {
			t.Errorf("%v: want %q:\n%v", c.args, c.want, o)
		}
	}
	if err := os.Remove(filepath.Join(os.Getenv("DGPLAB_RUNS"), ids["matern"], "checkpoint")); err != nil {
		t.Fatal(err)
	}
	o := joint("rbf", "matern")
	want := "joint predictions of " + ids["matern"] + ": " + ids["matern"] + " has no checkpoint"
	if o.status != statusFailed || !strings.Contains(o.err, want) {
		t.Errorf("want %q:\n%v", want, o)
	}
}
