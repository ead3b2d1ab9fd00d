package datasets

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/task"
)

func TestGeneratorsMatchTheirInfo(t *testing.T) {
	for _, g := range generators {
		t.Run(g.info.Name, func(t *testing.T) {
			ds := g.make()
			again := g.make()
			n, d := ds.X.Dims()
			m, p := ds.Y.Dims()
			if n != g.info.N || m != n || d != g.info.D || p != g.info.P {
				t.Errorf("X is %d x %d, Y %d x %d, want N=%d D=%d P=%d",
					n, d, m, p, g.info.N, g.info.D, g.info.P)
			}
			if len(ds.Inputs) != d || len(ds.Targets) != p ||
				ds.Task != g.info.Task || ds.Name != g.info.Name {
				t.Errorf("names or task are wrong: %q %q %q %v", ds.Name, ds.Inputs, ds.Targets, ds.Task)
			}
			if !mat.Equal(ds.X, again.X) || !mat.Equal(ds.Y, again.Y) {
				t.Error("two calls differ")
			}
			for _, y := range ds.Y.RawMatrix().Data {
				if g.info.Task == task.Count && (y < 0 || y != math.Trunc(y)) {
					t.Fatalf("%v is not a count", y)
				}
			}
			for _, m := range []*mat.Dense{ds.X, ds.Y} {
				for _, v := range m.RawMatrix().Data {
					if math.IsNaN(v) || math.IsInf(v, 0) {
						t.Fatalf("holds %v", v)
					}
				}
			}
			if _, err := Prepare(ds, DefaultSplit(ds), 0.1, 1); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestStepsNoise(t *testing.T) {
	ds := steps()
	var squares float64
	for i := range stepsInfo.N {
		r := ds.Y.At(i, 0) - stepFunction(ds.X.At(i, 0))
		squares += r * r
	}
	// The standard error of the standard deviation for 500 rows is 3 %.
	if sd := math.Sqrt(squares / float64(stepsInfo.N)); math.Abs(sd-stepNoise) > 0.15*stepNoise {
		t.Errorf("noise has sd %v, want about %v", sd, stepNoise)
	}
	for x, want := range map[float64]float64{-2: 0, -0.5: 1, 0: -0.5, 1: 0.5, 1.2: 2, 2: 2} {
		if got := stepFunction(x); got != want {
			t.Errorf("f(%v) = %v, want %v", x, got, want)
		}
	}
}

// TestNoiseOfGenerators compares the sums of squared residuals, relative to their expectations, with
// 1. The limits are at most four standard errors.
func TestNoiseOfGenerators(t *testing.T) {
	outlying := 0.95*0.01 + 0.05
	for _, c := range []struct {
		ds      *Dataset
		moments func(x []float64) (mean, variance float64)
		limit   float64
	}{
		{outliers(), func(x []float64) (float64, float64) { return nealCurve(x[0]), outlying }, 0.6},
		{impact(), func(x []float64) (float64, float64) {
			sd := impactNoise(x[0])
			return impactMean(x[0]), sd * sd
		}, 0.33},
		{arrivals(), func(x []float64) (float64, float64) {
			return arrivalRate(x[0]), arrivalRate(x[0])
		}, 0.42},
		{sightings(), func(x []float64) (float64, float64) {
			mu := sightingMean(x[0], x[1])
			return mu, mu + sightingSpread*mu*mu
		}, 0.5},
	} {
		n, _ := c.ds.X.Dims()
		var sum, squares float64
		for i := range n {
			mean, variance := c.moments(c.ds.X.RawRowView(i))
			r := (c.ds.Y.At(i, 0) - mean) / math.Sqrt(variance)
			sum += r / math.Sqrt(float64(n))
			squares += r * r / float64(n)
		}
		t.Logf("%s: mean %.2f standard errors, squares %.2f", c.ds.Name, sum, squares)
		if math.Abs(sum) > 4 || math.Abs(squares-1) > c.limit {
			t.Errorf("%s: mean %.2f standard errors, squares %.2f", c.ds.Name, sum, squares)
		}
	}
}

func TestLettersShape(t *testing.T) {
	const midLine = (letterBottom + letterTop) / 2
	points := []struct {
		what   string
		x, y   float64
		inside bool
	}{
		{"stem of D", letterLeftD + 0.03, 0.5, true},
		{"bowl of D", letterLeftD + letterWidth - 0.03, 0.5, true},
		{"hole of D", letterLeftD + 0.12, 0.5, false},
		{"right of D", letterLeftD + letterWidth + 0.01, 0.5, false},
		{"left of G", letterLeftG + 0.03, 0.5, true},
		{"bar of G", letterLeftG + 0.18, midLine - 0.03, true},
		{"gap of G", letterLeftG + letterWidth - 0.02, midLine + 0.06, false},
		{"hole of G", letterLeftG + 0.09, 0.5, false},
		{"stem of P", letterLeftP + 0.03, 0.3, true},
		{"bowl of P", letterLeftP + letterWidth - 0.03, 0.61, true},
		{"hole of P", letterLeftP + 0.12, 0.61, false},
		{"right below P", letterLeftP + 0.15, 0.35, false},
		{"above", letterLeftD + 0.03, letterTop + 0.01, false},
		{"below", letterLeftD + 0.03, letterBottom - 0.01, false},
		{"between D and G", (letterLeftD + letterWidth + letterLeftG) / 2, 0.5, false},
	}
	for _, p := range points {
		if got := insideLetters(p.x, p.y); got != p.inside {
			t.Errorf("%s: inside = %v, want %v", p.what, got, p.inside)
		}
	}
	ds := letters()
	var inside int
	for i := range lettersInfo.N {
		switch ds.Y.At(i, 0) {
		case 1:
			inside++
		case -1:
		default:
			t.Fatalf("row %d has class %v", i, ds.Y.At(i, 0))
		}
	}
	if share := float64(inside) / float64(lettersInfo.N); share < 0.15 || share > 0.3 {
		t.Errorf("%.0f %% of the points lie inside", 100*share)
	}
}

// TestMountainCarPolicy follows the greedy policy of the value function, which must reach the goal
// in the predicted number of steps.
func TestMountainCarPolicy(t *testing.T) {
	grid := carGrid()
	for _, start := range [][2]float64{{-0.5, 0}, {-1.2, 0}, {0.2, -0.05}, {-0.9, 0.03}, {0.4, 0.06}} {
		position, velocity := start[0], start[1]
		want := -grid.value(position, velocity)
		steps := 0
		for position < carGoal && steps < 300 {
			best, action := math.Inf(-1), 0.0
			for _, a := range []float64{-1, 0, 1} {
				if v := newCarMove(position, velocity, a).apply(grid); v > best {
					best, action = v, a
				}
			}
			position, velocity = carStep(position, velocity, action)
			steps++
		}
		// Interpolation blurs the cliff, so a few steps are allowed.
		if math.Abs(float64(steps)-want) > 4 {
			t.Errorf("from %v: %d steps, the value function says %.1f", start, steps, want)
		}
	}
}

func TestMountainCarHasACliff(t *testing.T) {
	grid := carGrid()
	// At this velocity the car barely reaches or barely misses the goal. On a grid with twice the
	// resolution, the values at these positions differ by 45.7 steps.
	if drop := grid.value(0.16, 0.02) - grid.value(0.12, 0.02); drop < 40 {
		t.Errorf("the cliff is only %.1f steps high", drop)
	}
	if v := grid.value(0.49, 0.06); v != -1 {
		t.Errorf("just before the goal, at speed, the value is %v, want -1", v)
	}
}

func TestArmKinematics(t *testing.T) {
	var reach float64
	for _, link := range armLinks {
		reach += link
	}
	straight := endEffector(make([]float64, 8))
	if math.Abs(straight[0]-reach) > 1e-12 || math.Abs(straight[1]) > 1e-12 || math.Abs(straight[2]) > 1e-12 {
		t.Errorf("straight arm ends at %v, want (%v, 0, 0)", straight, reach)
	}
	// A quarter turn of the base rotates the whole arm about the z axis.
	turned := endEffector([]float64{math.Pi / 2, 0, 0, 0, 0, 0, 0, 0})
	if math.Abs(turned[1]-reach) > 1e-12 || math.Abs(turned[0]) > 1e-12 {
		t.Errorf("turned arm ends at %v, want (0, %v, 0)", turned, reach)
	}
	// The axis of the second joint is perpendicular to the first axis, so it lifts the rest.
	lifted := endEffector([]float64{0, math.Pi / 2, 0, 0, 0, 0, 0, 0})
	if math.Abs(lifted[0]-armLinks[0]) > 1e-12 || math.Abs(math.Abs(lifted[2])-(reach-armLinks[0])) > 1e-12 {
		t.Errorf("lifted arm ends at %v", lifted)
	}
	rng := stream(1, "test")
	for joint := range 8 { // every joint has an effect
		angles := make([]float64, 8)
		for i := range angles {
			angles[i] = uniform(rng, -1, 1)
		}
		before := armDistance(angles)
		angles[joint] += 0.1
		if math.Abs(armDistance(angles)-before) < 1e-6 {
			t.Errorf("joint %d has no effect", joint+1)
		}
	}
}

func TestStreamsAreIndependent(t *testing.T) {
	a := stream(1, "x")
	b := stream(1, "x")
	c := stream(2, "x")
	d := stream(1, "y")
	first := a.Uint64()
	if first != b.Uint64() {
		t.Error("same seed and purpose, different numbers")
	}
	if first == c.Uint64() || first == d.Uint64() {
		t.Error("different seed or purpose, same numbers")
	}
}

func TestLoadBuiltin(t *testing.T) {
	ds, err := Load(context.Background(), Source{Name: "steps", Targets: []string{"y"}})
	if err != nil || ds.Name != "steps" {
		t.Fatalf("got %v, %v", ds, err)
	}
	if _, err := Load(context.Background(), Source{Name: "steps", Targets: []string{"x"}}); err == nil {
		t.Error("another target was accepted")
	}
	tasks := map[string]task.Task{"arrivals": task.Count, "arrivals:number": task.Regression}
	for target, want := range tasks {
		ds, err := Load(context.Background(), Source{Name: "arrivals", Targets: []string{target}})
		if err != nil || ds.Task != want || ds.Targets[0] != "arrivals" {
			t.Errorf("target %s: %v, %v", target, ds, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Load(ctx, Source{Name: "steps"}); err == nil {
		t.Error("a cancelled context was ignored")
	}
}
