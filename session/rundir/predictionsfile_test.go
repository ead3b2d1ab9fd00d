package rundir

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// pointsOf returns synthetic predictions with extreme numbers.
func pointsOf(n, p int, classes bool) *Predictions {
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	numbers := func(n int) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = rng.NormFloat64() * math.Pow(10, float64(rng.IntN(40)-20))
		}
		return out
	}
	out := &Predictions{
		N:        n,
		P:        p,
		Of:       n,
		LogLik:   numbers(n),
		Distance: numbers(n),
		Target:   numbers(n * p),
		Near:     20,
		Training: 30,
		Names:    []string{"a", "b, c", "d"}[:p],
	}
	for i := range n {
		out.Rows = append(out.Rows, 3*i+1)
	}
	if classes {
		out.Probability = numbers(n)
		out.Classes = []string{"no", "yes"}
		return out
	}
	out.Mean = numbers(n * p)
	out.Variance = numbers(n * p)
	out.PIT = numbers(n * p)
	if p > 1 {
		out.LogLikByTarget = numbers(n * p)
	}
	out.LogLik[0], out.Variance[n*p-1] = math.Inf(-1), math.MaxFloat64
	return out
}

func TestPointsFile(t *testing.T) {
	three := pointsOf(5, 1, true)
	three.Classes, three.Probability = []string{"a", "b", "c"}, pointsOf(15, 1, true).Probability
	for name, want := range map[string]*Predictions{
		"three classes": three,
		"one target":    pointsOf(3000, 1, false), "three targets": pointsOf(7, 3, false),
		"classes": pointsOf(5, 1, true),
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := savePoints(folder(t, dir), pointsName, "an-id", 20, want); err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(filepath.Join(dir, pointsName))
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(text),
				"a sample of 20 of the 30 training inputs (an upper bound)") {
				t.Errorf("the note on distances is missing:\n%.300s", text)
			}
			got, err := Info{ConfigFile: ConfigFile{ID: "an-id"}, Dir: dir}.Predictions()
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("read %+v (%v), but wrote %+v", got, err, want)
			}
		})
	}
}

func TestDamagedPointsFiles(t *testing.T) {
	dir := t.TempDir()
	if err := savePoints(folder(t, dir), pointsName, "an-id", 20, pointsOf(4, 1, false)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, pointsName)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	join := func(lines ...string) string { return strings.Join(lines, "") }
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "first line"},
		{"no head", join(lines[2:]...), "line 1"},
		{"future", strings.Replace(string(text), `"format":1`, `"format":2`, 1), "format 2"},
		{"no targets", strings.Replace(string(text), `"targets":1`, `"targets":0`, 1), "targets (0)"},
		{"no names", strings.Replace(string(text), `"names":["a"]`, `"names":[]`, 1),
			"0 names for 1 targets"},
		{"no class names", strings.Replace(string(text), `"classes":false`, `"classes":true`, 1),
			"only 0 names"},
		{"marginal", strings.Replace(string(text), `"targets":1`, `"marginal":true,"targets":1`, 1),
			"marginal is true with 1 targets"},
		{"columns", strings.Replace(string(text), "row,", "line,", 1), "columns"},
		{"cut", join(lines[:5]...), "2 points"},
		{"head alone", join(lines[:2]...), "read the column names"},
		{"quotes", join(append(slices.Clone(lines[:4]), "4,\"x,1,1,1,1,1\n")...), "line 5"},
		{"torn", string(text[:len(text)-30]), "line 7"},
		{"no number of a row", join(append(slices.Clone(lines[:4]), "x,1,1,1,1,1,1\n")...), "line 5"},
		{"no number", join(append(slices.Clone(lines[:4]), "4,x,1,1,1,1,1\n")...), "line 5"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := os.WriteFile(path, []byte(c.text), 0o644); err != nil {
				t.Fatal(err)
			}
			_, err := Info{ConfigFile: ConfigFile{ID: "an-id"}, Dir: dir}.Predictions()
			if err == nil || !strings.Contains(err.Error(), c.want) ||
				!strings.Contains(err.Error(), pointsName) || strings.Contains(err.Error(), "\n") {
				t.Errorf("want an error with %q, got %v", c.want, err)
			}
		})
	}
}

// Thinned points are spread evenly and keep their numbers together.
func TestThin(t *testing.T) {
	p := pointsOf(100, 2, false)
	if p.Thin(100) != p || (*Predictions)(nil).Thin(5) != nil {
		t.Error("a small set was thinned")
	}
	got := p.Thin(40)
	if got.N != 40 || got.Of != 100 || len(got.PIT) != 80 || got.Probability != nil {
		t.Fatalf("thinned to %d of %d points, %d values", got.N, got.Of, len(got.PIT))
	}
	for i, row := range got.Rows {
		k := slices.Index(p.Rows, row)
		if k != i*100/40 || got.LogLik[i] != p.LogLik[k] || got.Distance[i] != p.Distance[k] ||
			!slices.Equal(got.Mean[2*i:2*i+2], p.Mean[2*k:2*k+2]) ||
			!slices.Equal(got.PIT[2*i:2*i+2], p.PIT[2*k:2*k+2]) {
			t.Fatalf("point %d is not row %d", i, row)
		}
	}
}

// BenchmarkPointsFile writes and reads as many predictions as for the year data set.
func BenchmarkPointsFile(b *testing.B) {
	dir := b.TempDir()
	p := pointsOf(51630, 1, false)
	for b.Loop() {
		if err := savePoints(folder(b, dir), pointsName, "an-id", 1, p); err != nil {
			b.Fatal(err)
		}
		if _, err := (Info{Dir: dir}).Predictions(); err != nil {
			b.Fatal(err)
		}
	}
}

// TestClasses checks the probabilities and the observed classes of binary and multi-class predictions.
func TestClasses(t *testing.T) {
	two := &Predictions{N: 2, P: 1, Probability: []float64{0.25, 1}, Target: []float64{-1, 1}}
	if got := two.Probabilities([]float64{9, 9, 9}, 0); len(got) != 2 || got[0] != 0.75 || got[1] != 0.25 {
		t.Errorf("probabilities %v", got)
	}
	many := &Predictions{
		N: 2, P: 1, Classes: []string{"a", "b", "c"},
		Probability: []float64{0.1, 0.2, 0.7, 0.5, 0.3, 0.2},
		Target:      []float64{2, math.NaN()},
	}
	if got := many.Probabilities(nil, 1); len(got) != 3 || got[0] != 0.5 || got[2] != 0.2 {
		t.Errorf("probabilities %v", got)
	}
	for _, c := range []struct {
		p     *Predictions
		point int
		class int
		known bool
	}{{two, 0, 0, true}, {two, 1, 1, true}, {many, 0, 2, true}, {many, 1, 0, false}} {
		if class, known := c.p.ClassOf(c.point); class != c.class || known != c.known {
			t.Errorf("point %d has class %d (%v), want %d (%v)", c.point, class, known, c.class, c.known)
		}
	}
	if got := (&Predictions{
		N:      2,
		P:      3,
		Target: []float64{math.NaN(), math.NaN(), 1, math.NaN(), 2, math.NaN()},
	}).Tested(); len(got) != 2 ||
		got[0] != 1 || got[1] != 2 {
		t.Errorf("tested targets %v", got)
	}
	if got := (&Predictions{N: 1, P: 2, Target: []float64{math.NaN(), math.NaN()}}).Tested(); len(got) != 1 ||
		got[0] != 0 {
		t.Errorf("tested targets %v", got)
	}
}
