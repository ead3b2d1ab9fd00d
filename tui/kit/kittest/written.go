package kittest

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"dgplab/session/rundir"
)

// WrittenObjective is the objective of written runs in JSON.
const WrittenObjective = `{"name": "ELBO", "kind": "bound", "noisy": true}`

// WrittenRun describes a run directory that Write creates without training.
type WrittenRun struct {
	Dataset, Family string
	Split, Seed     int
	// LogLik holds the log-likelihood of each test point.
	LogLik []float64
	// Stop is the reason for the end, or "" if all steps are done.
	Stop rundir.Stop
	// Improving is set if the run was still improving when it ended.
	Improving bool
}

// ID returns the ID of the run.
func (r WrittenRun) ID() string {
	return fmt.Sprintf("20250101-0000%d%d-%s-%s-00000%d", r.Split, r.Seed, r.Dataset, r.Family, r.Seed)
}

// Write creates the directory below DGPLAB_RUNS in the format of session/FORMAT.md.
func (r WrittenRun) Write(t testing.TB) {
	t.Helper()
	dir := filepath.Join(os.Getenv("DGPLAB_RUNS"), r.ID())
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	save := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	config := fmt.Sprintf(`"format": 1, "id": %q, "dataset": %q, "split": "standard:%d", "family": %q, `+
		`"seed": %d, "values": {"steps": "100"}, "objective_is": %s`,
		r.ID(), r.Dataset, r.Split, r.Family, r.Seed, WrittenObjective)
	save("config.json", "{"+config+`, "created": "2025-01-01T00:00:00Z"}`)
	mean := 0.0
	points := fmt.Sprintf(`# {"format":1,"id":%q,"step":100,"points":%d,"targets":1,"names":["y"],`+
		`"training":50,"near":50}`,
		r.ID(), len(r.LogLik)) +
		"\nrow,log_lik,distance,target,mean,variance,pit\n"
	for i, l := range r.LogLik {
		mean += l / float64(len(r.LogLik))
		points += fmt.Sprintf("%d,%v,1,%d,0,1,0.5\n", i, l, i)
	}
	stop := r.Stop
	if stop == "" {
		stop = rundir.StopSteps
	}
	if r.Improving {
		config += `, "drift": {"from": 80, "to": 100, "validation": {"slope": 0.17, "se": 0.01, "low": ` +
			`0.15, "high": 0.19, "values": 9, "trend": "rising"}, "verdict": "improving"}`
	}
	save("summary.json",
		fmt.Sprintf(`{%s, "stop": %q, "steps": 100, "seconds": 2.5, "data": {"rows": 80, "n": 64, `+
			`"validation": 8, "test": 8}, "test": {"n": %d, "samples": 10, "log_lik": %v, "nll": %v, `+
			`"rmse": %v}}`,
			config, stop, len(r.LogLik), mean, -mean, math.Round(1000*math.Exp(-mean/4))/1000))
	save("test_points.csv", points)
	save("lock", "")
}

// WriteGrid writes runs of families on data sets, with splits and seeds, and returns their IDs.
// Later families have lower scores; the difference varies between splits.
func WriteGrid(t testing.TB, families, datasets []string, splits, seeds int) (ids []string) {
	t.Helper()
	for f, family := range families {
		for d, dataset := range datasets {
			for split := range splits {
				for seed := range seeds {
					r := WrittenRun{Dataset: dataset, Family: family, Split: split, Seed: seed}
					for i := range 8 {
						wave := math.Sin(float64(7*i + 3*split + 5*seed + d))
						gap := 0.1*float64(f) + 0.12*math.Sin(float64(5*split+3*f+2*d)) +
							0.2*math.Cos(float64(11*i+13*f))
						r.LogLik = append(r.LogLik, math.Round(1e4*(-2-float64(d)+0.5*wave-gap))/1e4)
					}
					r.Write(t)
					ids = append(ids, r.ID())
				}
			}
		}
	}
	return ids
}
