package session

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/session/rundir"
)

// soilFile writes a table with the concentrations of two metals, some of them missing.
func soilFile(t *testing.T) string {
	t.Helper()
	var text strings.Builder
	text.WriteString("x,Cd,Ni\n")
	for i := range 40 {
		cd := []string{"", "1.5", "2.5", "4"}[i%4]
		text.WriteString(strings.Join([]string{string(rune('0'+i/10)) + "." + string(rune('0'+i%10)), cd,
			[]string{"20", "30", "45"}[i%3]}, ",") + "\n")
	}
	path := filepath.Join(t.TempDir(), "soil.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func soilConfig(t *testing.T, family, split string) rundir.Config {
	t.Helper()
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	return rundir.Config{Dataset: soilFile(t), Targets: []string{"Cd", "Ni"}, Family: family, Split: split,
		Set: map[string]string{"steps": "3", "test_samples": "10"}}
}

// A family that needs all targets refuses data with missing ones. The error names the first missing target
// and the families that accept it.
func TestMissingTargetsAreRefused(t *testing.T) {
	c := soilConfig(t, "svgp", "")
	const want = "family svgp: it cannot be trained with missing targets, and 8 are missing (first: " +
		"Cd in row 1); supported by gprn, gprn-npv, aep, sep, bnn-vi, bnn-dropout, bnn-sgld, bnn-hmc, linear"
	if _, err := new(Inspector).Inspect(context.Background(), c); err == nil || err.Error() != want {
		t.Errorf("inspected: %v", err)
	}
}

// A split that names an unknown target is refused when the data have been loaded.
func TestSplitOfUnknownTarget(t *testing.T) {
	c := soilConfig(t, "gprn", "outputs:Zn:0")
	want := "data set " + c.Dataset + `, split outputs:Zn:0: no target "Zn"; the targets are Cd, Ni`
	if _, err := new(Inspector).Inspect(context.Background(), c); err == nil || err.Error() != want {
		t.Errorf("inspected: %v", err)
	}
	r, err := Start(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	if s := wait(t, r, rundir.StopFailed); s.Err.Error() != want {
		t.Errorf("trained: %v", s.Err)
	}
}

// Families that cannot use rows with held-out targets are trained on the other rows, with a note, and tested
// on the same points. Distances are measured to the inputs of observed targets.
func TestFamiliesOnHeldOutOutputs(t *testing.T) {
	var first *Snapshot
	var digest string
	for _, name := range []string{"gprn", "svgp", "gp"} {
		c := soilConfig(t, name, "outputs:0:3")
		text, err := os.ReadFile(c.Dataset)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(c.Dataset, []byte(strings.ReplaceAll(string(text), ",,", ",9,")),
			0o644); err != nil {
			t.Fatal(err)
		}
		run, err := Start(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		s := wait(t, run, rundir.StopSteps)
		file, err := rundir.ReadConfig(s.Dir)
		if err != nil {
			t.Fatal(err)
		}
		if name == "gprn" {
			first, digest = s, file.Data.TestSHA256
			if s.Data.N != 40 || s.Data.Uses != "" {
				t.Errorf("gprn is trained on %d rows, %q", s.Data.N, s.Data.Uses)
			}
		} else if d := s.Data; d.N >= 40-s.Test.N+1 || d.Uses != "the rows that have Cd" || d.P != 2 ||
			!slices.ContainsFunc(s.Warnings, func(w string) bool { return strings.Contains(w, d.Uses) }) {
			t.Errorf("%s is trained on %d rows of %d targets, %q: %q", name, d.N, d.P, d.Uses, s.Warnings)
		}
		p := s.Predictions
		if s.Split != "outputs:Cd:3" || digest == "" || digest != file.Data.TestSHA256 ||
			!slices.Equal(p.Rows, first.Predictions.Rows) ||
			s.Test.N != first.Test.N || s.Test.ForOutput("Cd") == nil ||
			p.Training != 40-s.Data.Test-map[string]int{"svgp": s.Data.Validation}[name] {
			t.Errorf("%s: split %s, %d points, %d training inputs", name, s.Split, s.Test.N, p.Training)
		}
		if name == "svgp" && (len(s.Diagnostics.Units) != 1 || s.Diagnostics.Units[0].Units[1].Name != "Ni") {
			t.Errorf("svgp has the units %+v", s.Diagnostics.Units)
		}
		if slices.Min(p.Distance) <= 0 {
			t.Errorf("%s: distances %v", name, p.Distance)
		}
	}
}

// Scores cover the observed and held-out targets, per output if there are several. They are in original units
// even if the model predicts logarithms.
func TestScoresOfHeldOutOutputs(t *testing.T) {
	for _, log := range []string{"off", "on"} {
		c := soilConfig(t, "gprn", "outputs:Cd:3")
		c.Set["log_targets"] = log
		run, err := Start(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		s := wait(t, run, rundir.StopSteps)
		p := s.Predictions
		if s.Test.N != p.N || p.P != 2 || len(s.Test.Outputs) != 1 || s.Test.ForOutput("Cd") == nil ||
			s.Test.ForOutput("Ni") != nil || s.Data.N != 40 {
			t.Fatalf("log %s: %+v", log, s.Test)
		}
		var squares, logLik, alone float64
		for i := range p.N {
			logLik += p.LogLik[i]
			alone += p.LogLikByTarget[2*i]
			if other := p.LogLikByTarget[2*i+1]; !math.IsNaN(other) {
				t.Errorf("log %s: the log-likelihood of a target that was not tested is %v", log, other)
			}
			if y := p.Target[2*i]; math.Abs(y-1.5) > 1e-12 && math.Abs(y-2.5) > 1e-12 &&
				math.Abs(y-4) > 1e-12 || !math.IsNaN(p.Target[2*i+1]) {
				t.Errorf("log %s: targets %v", log, p.Target[2*i:2*i+2])
			}
			squares += math.Pow(p.Target[2*i]-p.Mean[2*i], 2)
		}
		if rmse := math.Sqrt(squares / float64(p.N)); math.Abs(rmse-float64(*s.Test.RMSE)) > 1e-9 ||
			math.Abs(logLik/float64(p.N)-float64(s.Test.LogLik)) > 1e-9 {
			t.Errorf("log %s: RMSE %v, from the points %v; log-likelihood %v, from the points %v",
				log, *s.Test.RMSE, rmse, s.Test.LogLik, logLik/float64(p.N))
		}
		if one := s.Test.ForOutput("Cd"); math.Abs(float64(one.LogLik-s.Test.LogLik)) > 1e-9 ||
			math.Abs(alone/float64(p.N)-float64(one.LogLik)) > 1e-9 || *one.MAE != *s.Test.MAE {
			t.Errorf("log %s: the only output has %+v, all outputs %+v", log, one, s.Test)
		}
	}
}

// Runs are tested on the same targets regardless of their training data.
func TestDigestOfTestedTargets(t *testing.T) {
	several := soilConfig(t, "gprn", "outputs:Cd:3")
	alone := several.Clone()
	alone.Targets = []string{"Cd"}
	var sums []string
	for _, c := range []rundir.Config{several, alone} {
		ds, err := realEnvironment().load(context.Background(), c.Source())
		if err != nil {
			t.Fatal(err)
		}
		c.Targets = ds.Targets
		if len(ds.Targets) == 1 { // Its inputs include the other metal.
			ds.X = ds.X.Slice(0, 40, 0, 1).(*mat.Dense)
			ds.Inputs = ds.Inputs[:1]
		}
		p, _, err := prepare(ds, division{split: c.Split})
		if err != nil {
			t.Fatal(err)
		}
		sums = append(sums, describe(ds, p).TestSHA256)
	}
	if sums[0] == "" || sums[0] != sums[1] {
		t.Errorf("sums %v", sums)
	}
}
