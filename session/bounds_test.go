package session

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"dgplab/datasets/task"
	"dgplab/models"
	"dgplab/models/family"
	"dgplab/models/likelihood"
	"dgplab/session/memory"
	"dgplab/session/rundir"
)

// boundsMemory is the memory limit of runs at the bounds. A run that exceeds it must be refused.
const boundsMemory = 500e6

// allCases reports whether the environment asks for all cases of long tests.
func allCases() bool { return os.Getenv("DGPLAB_TEST_ALL") != "" }

// sampled returns n, for a long test that runs every n-th case, or 1 if all cases are tested.
func sampled(n int) int {
	if allCases() {
		return 1
	}
	return n
}

// sampledFamilies returns the first family of each group, or every family if all cases are tested.
func sampledFamilies() []models.Spec {
	families := models.Families()
	if allCases() {
		return families
	}
	return slices.CompactFunc(families, func(a, b models.Spec) bool { return a.Group == b.Group })
}

// Each family takes two steps with each of its hyperparameters at the minimum and at the maximum. Values that
// do not work must lie outside the bounds.
func TestFamiliesTrainAtBounds(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of runs")
	}
	every := sampled(50)
	number := 0
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	env := realEnvironment()
	env.memory = memory.NewLedger(func() float64 { return boundsMemory })
	for _, spec := range models.Families() {
		t.Run(spec.Name, func(t *testing.T) {
			for _, h := range spec.Hyperparameters {
				for _, value := range bounds(h) {
					number++
					if number%every != 0 {
						continue
					}
					t.Run(h.Name+"="+value, func(t *testing.T) { trainAt(t, env, spec, h, value) })
				}
			}
		})
	}
}

// bounds returns the minimum and the maximum of a numeric hyperparameter.
func bounds(h models.Hyperparameter) []string {
	least := h.Min
	switch h.Kind {
	case family.Int, family.IntList:
	case family.Float, family.FloatList:
		if h.MinOpen {
			least = math.Nextafter(least, h.Max)
		}
	default:
		return nil
	}
	return []string{strconv.FormatFloat(least, 'g', -1, 64), strconv.FormatFloat(h.Max, 'f', -1, 64)}
}

// trainAt trains a small model with one hyperparameter at a bound.
func trainAt(t *testing.T, env environment, spec models.Spec, h models.Hyperparameter, value string) {
	data := tinyTable(t)
	if h.When != nil && h.When.Name == "likelihood" {
		if _, err := likelihood.Find(h.When.Is[0], task.Regression); err != nil {
			data = tinyClasses(t)
		}
	}
	c := rundir.Config{Dataset: data, Family: spec.Name, Set: map[string]string{
		"steps": "2", "validation_samples": "2", "test_samples": "2",
	}}
	small := map[string]string{"layers": "2", "width": "2", "inducing": "5", "samples": "2"}
	for _, other := range spec.Hyperparameters {
		if v, ok := small[other.Name]; ok {
			c.Set[other.Name] = v
		}
	}
	c.Set[h.Name] = value
	if h.When != nil {
		c.Set[h.When.Name] = h.When.Is[0]
		for name := range c.Set { // Settings without effect would be rejected.
			if i := slices.Index(family.Names(spec.Hyperparameters), name); i >= 0 {
				other := spec.Hyperparameters[i].When
				if other != nil && other.Name == h.When.Name && !slices.Contains(other.Is, h.When.Is[0]) {
					delete(c.Set, name)
				}
			}
		}
	}
	r, err := Start(context.Background(), c, withEnvironment(env))
	if err != nil {
		t.Fatal(err)
	}
	s := r.Wait()
	if full := new(memory.Error); errors.As(s.Err, &full) {
		t.Skip(s.Err)
	}
	if s.Err != nil || s.Stop == "" || s.Step != 2 && s.Stop != rundir.StopConverged || s.Test == nil {
		t.Errorf("step %d: %v; summary %+v", s.Step, s.Err, s.Summary)
	}
}

// tinyTable writes 40 points of a function of two inputs and returns the file name.
func tinyTable(t *testing.T) string {
	return tinyFile(t, func(f float64) string { return strconv.FormatFloat(f, 'g', 6, 64) })
}

// tinyClasses is like tinyTable, but the targets are three classes.
func tinyClasses(t *testing.T) string {
	return tinyFile(t, func(f float64) string { return []string{"low", "middle", "high"}[int(f+1.2)] })
}

// tinyFile writes 40 points of two inputs and the target of a function between -1.1 and 1.1, and
// returns the file name.
func tinyFile(t *testing.T, target func(f float64) string) string {
	text := "a,b,y\n"
	for i := range 40 {
		x := float64(i) / 10
		f := math.Sin(x) + 0.1*math.Cos(float64(7*i))
		text += fmt.Sprintf("%.6g,%.6g,%s\n", x, math.Cos(3*x), target(f))
	}
	path := filepath.Join(t.TempDir(), "curve.csv")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}
