package sweep

import (
	"maps"
	"math"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"dgplab/models"
	"dgplab/session"
	"dgplab/session/rundir"
)

func TestExpand(t *testing.T) {
	tests := []struct {
		text string
		want []string // nil for an error
	}{
		{"32", []string{"32"}},
		{" 32, 64 ,128", []string{"32", "64", "128"}},
		{"32,64,32", []string{"32", "64"}},
		{"0..3", []string{"0", "1", "2", "3"}},
		{"7..7", []string{"7"}},
		{"standard:8..10", []string{"standard:8", "standard:9", "standard:10"}},
		{"group:site:0..1,rows:../a.txt", []string{"group:site:0", "group:site:1", "rows:../a.txt"}},
		{"standard:0..1,interpolation:5", []string{"standard:0", "standard:1", "interpolation:5"}},
		{"5;3,4", []string{"5", "3,4"}},
		{"3,4;", []string{"3,4"}},
		{"rbf(0,1),rq(2)*(rbf+linear),rbf", []string{"rbf(0,1)", "rq(2)*(rbf+linear)", "rbf"}},
		{"../a.csv", []string{"../a.csv"}},
		{"3..1", nil}, {"0..x", nil}, {"0..1000", nil}, {"", nil}, {" , ", nil},
		{"0..999,2000..2999", nil},
	}
	for _, tt := range tests {
		got, err := Expand(tt.text)
		if !slices.Equal(got, tt.want) || (err != nil) != (tt.want == nil) {
			t.Errorf("Expand(%q) = %q, %v; want %q", tt.text, got, err, tt.want)
		}
		if err == nil {
			if again, err := Expand(Join(got)); err != nil || !slices.Equal(again, got) {
				t.Errorf("Join(%q) = %q, which is %q, %v", got, Join(got), again, err)
			}
		}
	}
}

// A list has at most 1000 different values.
func TestExpandLimit(t *testing.T) {
	for text, good := range map[string]bool{
		"0..999": true, "0..998,2000": true, "0..999,7": true, "0..999,2000": false, "0..1000": false,
	} {
		if got, err := Expand(text); (err == nil) != good || good && len(got) != 1000 {
			t.Errorf("%s: %d values, %v", text, len(got), err)
		}
	}
}

func TestJoin(t *testing.T) {
	for want, values := range map[string][]string{
		"0..2":         {"0", "1", "2"},
		"0,1":          {"0", "1"},
		"5,7..9,3,2,1": {"5", "7", "8", "9", "3", "2", "1"},
		"standard:0..3,interpolation:4": {"standard:0", "standard:1", "standard:2",
			"standard:3", "interpolation:4"},
		"01,2,3":       {"01", "2", "3"},
		"2,3;5..7;":    {"2,3", "5", "6", "7"},
		"rbf,matern32": {"rbf", "matern32"},
	} {
		if got := Join(values); got != want {
			t.Errorf("Join(%q) = %q, want %q", values, got, want)
		}
		if again, err := Expand(want); err != nil || !slices.Equal(again, values) {
			t.Errorf("Expand(%q) = %q, %v; want %q", want, again, err, values)
		}
	}
}

func TestSeeds(t *testing.T) {
	if got, err := Seeds("18446744073709551615"); err != nil || got[0] != math.MaxUint64 {
		t.Errorf("the largest seed: %v, %v", got, err)
	}
	if got, err := Seeds("0..2,9"); err != nil || !slices.Equal(got, []uint64{0, 1, 2, 9}) {
		t.Errorf("%v, %v", got, err)
	}
	for _, text := range []string{"-1", "x", "1.5", ""} {
		if got, err := Seeds(text); err == nil {
			t.Errorf("Seeds(%q) = %v", text, got)
		}
	}
}

func TestParseAxis(t *testing.T) {
	if got, err := ParseAxis("inducing = 32,64"); err != nil ||
		!reflect.DeepEqual(got, Axis{Name: "inducing", Values: []string{"32", "64"}}) {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := ParseAxis("svgp.inducing=4"); err != nil ||
		!reflect.DeepEqual(got, Axis{Name: "inducing", Values: []string{"4"}, Family: "svgp"}) {
		t.Errorf("%v, %v", got, err)
	}
	for _, text := range []string{"inducing", "=3", "inducing=", "inducing=9..1"} {
		if _, err := ParseAxis(text); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}

// smallGrid returns a grid of 8 tiny runs on built-in data.
func smallGrid() Grid {
	return Grid{
		Datasets: []string{"steps"}, Families: []string{"svgp"}, Seeds: []uint64{0, 1},
		Splits: []string{"interpolation:0", "interpolation:1"},
		Set: []Axis{{Name: "inducing", Values: []string{"4", "6"}}, {Name: "steps", Values: []string{"12"}},
			{Name: "test_samples", Values: []string{"2"}}, {Name: "batch", Values: []string{"20"}}},
	}
}

// isolate makes the test use empty folders for runs and data.
func isolate(t *testing.T) {
	t.Helper()
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	t.Setenv("DGPLAB_CACHE", t.TempDir())
}

func TestCellsAreInOrder(t *testing.T) {
	isolate(t)
	g := Grid{
		Datasets: []string{"steps", "mountaincar"},
		Families: []string{"mean-field", "star"}, Seeds: []uint64{4, 2},
		Splits: []string{"interpolation", "extrapolation:3"},
		Set: []Axis{
			{Name: "layers", Values: []string{"3", "2"}}, {Name: "width", Values: []string{"2", "3"}},
		},
	}
	cells, err := g.Cells()
	if err != nil {
		t.Fatal(err)
	}
	if len(cells) != 2*2*2*2*2*2 {
		t.Fatalf("%d cells", len(cells))
	}
	for i, want := range map[int]string{
		0:  "steps interpolation:0 mean-field seed=4 layers=3 width=2",
		1:  "steps interpolation:0 mean-field seed=4 layers=3 width=3",
		2:  "steps interpolation:0 mean-field seed=4 layers=2 width=2",
		4:  "steps interpolation:0 star seed=4 layers=3 width=2",
		8:  "mountaincar interpolation:0 mean-field seed=4 layers=3 width=2",
		16: "steps extrapolation:3 mean-field seed=4 layers=3 width=2",
		32: "steps interpolation:0 mean-field seed=2 layers=3 width=2",
		63: "mountaincar extrapolation:3 star seed=2 layers=2 width=3",
	} {
		if cells[i].Key != want {
			t.Errorf("cell %d is %q, want %q", i, cells[i].Key, want)
		}
	}
	seen := map[string]bool{}
	for _, c := range cells {
		if seen[c.Key] {
			t.Errorf("%q comes twice", c.Key)
		}
		seen[c.Key] = true
		if c.Key != keyOf(c.Config) {
			t.Errorf("%q has the configuration of %q", c.Key, keyOf(c.Config))
		}
	}
	cells[0].Config.Set["layers"] = "9"
	if cells[1].Config.Set["layers"] != "3" {
		t.Error("cells share their settings")
	}
}

// Every data set has its own default split.
func TestDefaultSplits(t *testing.T) {
	isolate(t)
	if err := os.WriteFile(os.Getenv("DGPLAB_RUNS")+"/table.csv", []byte("a,b\n1,2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	path := os.Getenv("DGPLAB_RUNS") + "/table.csv"
	g := Grid{
		Datasets: []string{"steps", path},
		Families: []string{"svgp"},
		Seeds:    []uint64{0},
		Targets:  []string{"b"},
	}
	cells, err := g.Cells()
	if err != nil || len(cells) != 2 {
		t.Fatalf("%v, %v", cells, err)
	}
	if want := "steps interpolation:0 svgp seed=0 target=b"; cells[0].Key != want {
		t.Errorf("%q, want %q", cells[0].Key, want)
	}
	if want := path + " interpolation:0 svgp seed=0 target=b"; cells[1].Key != want {
		t.Errorf("%q, want %q", cells[1].Key, want)
	}
}

// The default split of a file with classes is that of a single run. The plan keeps it, so that the sweep has
// the same cells after the file has gone.
func TestDefaultSplitOfClasses(t *testing.T) {
	isolate(t)
	path := os.Getenv("DGPLAB_RUNS") + "/table.csv"
	rows := "a,kind\n" + strings.Repeat("1,x\n2,y\n", 10)
	if err := os.WriteFile(path, []byte(rows), 0o600); err != nil {
		t.Fatal(err)
	}
	g := Grid{Datasets: []string{path, "steps"}, Families: []string{"linear"}, Seeds: []uint64{0},
		Targets: []string{"kind"}}
	plan, err := Preview(t.Context(), new(session.Inspector), g, "")
	if err != nil {
		t.Fatal(err)
	}
	splits := func(cells []Cell) (list []string) {
		for _, c := range cells {
			list = append(list, c.Config.Split)
		}
		return list
	}
	if err := os.WriteFile(path, []byte("other\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cells, err := plan.Grid.Cells()
	want := []string{"stratified:0", "interpolation:0"}
	if err != nil || !slices.Equal(splits(cells), want) {
		t.Errorf("splits %q, %v; want %q", splits(cells), err, want)
	}
}

func TestGridsThatAreNone(t *testing.T) {
	isolate(t)
	tests := []struct {
		name   string
		change func(*Grid)
		want   string
	}{
		{"no data set", func(g *Grid) { g.Datasets = nil }, "data set"},
		{"no family", func(g *Grid) { g.Families = nil }, "family"},
		{"no seed", func(g *Grid) { g.Seeds = nil }, "seed"},
		{"no value", func(g *Grid) { g.Set[0].Values = nil }, "value of inducing"},
		{"axis twice", func(g *Grid) { g.Set[1].Name = "inducing" }, "inducing occurs twice"},
		{"unknown data set", func(g *Grid) { g.Datasets = []string{"nothing"} }, "nothing"},
		{"not fetched", func(g *Grid) { g.Datasets = []string{"steps", "boston"}; g.Splits = nil }, "boston"},
		{"unknown family", func(g *Grid) { g.Families = append(g.Families, "nothing") }, "nothing"},
		{"unknown hyperparameter", func(g *Grid) { g.Set[0].Name = "layers" }, "layers"},
		{"out of bounds", func(g *Grid) { g.Set[0].Values[1] = "0" }, "inducing"},
		{"bad split", func(g *Grid) { g.Splits[1] = "half" }, "half"},
		{"no official split", func(g *Grid) { g.Splits[1] = "standard:0" }, "no official splits"},
		{"a value in two notations", func(g *Grid) { g.Set[0].Values = []string{"8", "08"} },
			"inducing=8 steps=12 test_samples=2 and steps"},
		{"a seed again", func(g *Grid) { g.Seeds = []uint64{3, 3} }, "duplicate"},
		{"a data set again", func(g *Grid) { g.Datasets = append(g.Datasets, g.Datasets[0]) }, "duplicate"},
		{"a split with two names", func(g *Grid) { g.Splits = []string{"interpolation", "interpolation:0"} },
			"duplicate"},
		{"too many", func(g *Grid) {
			g.Seeds = make([]uint64, 1001)
			g.Set[0].Values = make([]string, 101)
		}, "more than 100000 runs"},
		{"too many splits", func(g *Grid) {
			g.Splits = nil
			for k := range 25001 {
				g.Splits = append(g.Splits, "interpolation:"+strconv.Itoa(k))
			}
		}, "more than 100000 runs"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := smallGrid()
			tt.change(&g)
			cells, err := g.Cells()
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%d cells, %v; want %q", len(cells), err, tt.want)
			}
		})
	}
}

// Each function of a grid returns the errors of its families, presets, data sets and splits.
func TestErrorsOfGrids(t *testing.T) {
	isolate(t)
	changed := func(change func(*Grid)) Grid {
		g := smallGrid()
		change(&g)
		return g
	}
	unknown := changed(func(g *Grid) { g.Families = []string{"nothing"} })
	preset := changed(func(g *Grid) { g.Preset = "nothing" })
	method := changed(func(g *Grid) {
		g.Families, g.Set = nil, nil
		g.Methods = []Method{{Family: "nothing"}}
	})
	both := changed(func(g *Grid) { g.Methods = method.Methods })
	other := changed(func(g *Grid) { g.Set[0].Family = "gp" })
	halving := changed(func(g *Grid) { g.Halving, g.Families = 2, unknown.Families })
	cell := func(family, split string) []Cell {
		c := Cell{Config: rundir.Config{Dataset: "steps", Family: family, Split: split}}
		return []Cell{c, {Config: c.Config, setting: "another"}}
	}
	_, _, axes := unknown.axesOf("nothing")
	_, combinations := unknown.Combinations()
	_, settings := unknown.settings()
	_, ofMethod := method.Cells()
	_, ofBoth := both.Cells()
	_, ofOther := other.Cells()
	_, ofPreset := preset.Cells()
	_, splits := smallGrid().splitsOf([]rundir.Config{{Dataset: "nothing", Family: "svgp"}})
	_, baseline := withBaseline([]rundir.Config{{Dataset: "nothing"}})
	_, started := Start(t.Context(), unknown, Options{})
	for i, c := range []struct {
		err  error
		want string
	}{
		{axes, `"nothing"`}, {combinations, `"nothing"`}, {settings, `"nothing"`}, {splits, `"nothing"`},
		{ofMethod, "nothing on steps: "}, {ofPreset, "preset=nothing"}, {started, `"nothing"`},
		{ofBoth, "a sweep of methods takes no other families"},
		{ofOther, "gp.inducing: the family gp is not in the sweep"},
		{baseline, "linear on nothing: "},
		{unknown.checkEffect(nil), `"nothing"`},
		{checkRepeats(cell("nothing", "")), `"nothing"`},
		{halving.checkCompetitors(cell("nothing", "")), `"nothing"`},
		{halving.checkCompetitors(cell("svgp", "nothing")), `"nothing"`},
		{checkOfficial(rundir.Config{Dataset: "steps", Split: "nothing"}), `"nothing"`},
		{checkOfficial(rundir.Config{Dataset: "nothing", Split: "standard:0"}), `"nothing"`},
	} {
		if !strings.Contains(errorText(c.err), c.want) {
			t.Errorf("%d: %v; want %s", i, c.err, c.want)
		}
	}
}

// A family uses its own values, or the values for all families if it has the hyperparameter.
func TestAxesOfFamilies(t *testing.T) {
	isolate(t)
	g := Grid{
		Datasets: []string{"steps"}, Families: []string{"svgp", "star", "gp"}, Seeds: []uint64{0},
		Set: []Axis{{Name: "inducing", Values: []string{"8", "16"}}, {Name: "layers", Values: []string{"2"}},
			{Name: "inducing", Values: []string{"4"}, Family: "svgp"}},
	}
	cells, err := g.Cells()
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for _, c := range cells {
		keys = append(keys, strings.TrimPrefix(c.Key, "steps interpolation:0 "))
	}
	if want := []string{"svgp seed=0 inducing=4", "star seed=0 inducing=8 layers=2",
		"star seed=0 inducing=16 layers=2", "gp seed=0"}; !slices.Equal(keys, want) {
		t.Errorf("%q, want %q", keys, want)
	}
	g.Set[2].Family = "mean-field"
	if _, err := g.Cells(); err == nil || !strings.Contains(err.Error(), "mean-field is not in the sweep") {
		t.Errorf("an axis of another family: %v", err)
	}
}

// A random draw is a reproducible subset of the grid and is the same for all data sets. A larger draw with
// the same seed contains it.
func TestRandomGrids(t *testing.T) {
	isolate(t)
	g := Grid{
		Datasets: []string{"steps", "mountaincar"}, Families: []string{"svgp", "star"}, Seeds: []uint64{0, 1},
		Set: []Axis{{Name: "inducing", Values: []string{"4", "8", "16", "32"}},
			{Name: "learning_rate", Values: []string{"0.01", "0.02", "0.03"}}},
		Baseline: true,
	}
	settings := func(random int, seed uint64) map[string]int {
		g.Random, g.RandomSeed = random, seed
		cells, err := g.Cells()
		if err != nil {
			t.Fatal(err)
		}
		list := map[string]int{}
		for _, c := range cells {
			_, rest, _ := strings.Cut(c.setting, " ")
			list[rest]++
		}
		return list
	}
	few := settings(3, 0)
	if len(few) != 4 || !maps.Equal(few, settings(3, 0)) || maps.Equal(few, settings(3, 1)) {
		t.Errorf("%v, again %v, with another seed %v", few, settings(3, 0), settings(3, 1))
	}
	more := settings(7, 0)
	for setting, n := range few {
		want := 4
		if setting == models.BaselineFamily {
			want = 2 // Its seed makes no difference.
		}
		if n != want || more[setting] != want {
			t.Errorf("%d runs with %s, %d in the larger draw; want %d", n, setting, more[setting], want)
		}
	}
	if all := settings(100, 0); len(all) != 25 || !maps.Equal(all, settings(0, 0)) {
		t.Errorf("%d settings in all", len(all))
	}
}

// A grid with exactly MaxCells runs is valid.
func TestGridsOfTheMostRuns(t *testing.T) {
	g := Grid{Datasets: []string{"steps"}, Families: []string{"svgp"}, Seeds: make([]uint64, MaxCells)}
	if err := g.check(); err != nil {
		t.Error(err)
	}
	g.Splits = []string{"interpolation:0", "interpolation:1"}
	if err := g.check(); err == nil {
		t.Error("twice as many are accepted")
	}
	// The runs of all families count together.
	g.Splits, g.Families, g.Seeds = nil, []string{"svgp", "star"}, make([]uint64, MaxCells/100)
	for n, good := range map[int]bool{50: true, 51: false} {
		g.Set = []Axis{{Name: "inducing", Values: make([]string, n)}}
		if err := g.check(); (err == nil) != good {
			t.Errorf("two families with %d values: %v", n, err)
		}
	}
}

// Setting steps alone switches a family from epochs to steps, as for a single run.
func TestStepsMeanTheLength(t *testing.T) {
	found := false
	for _, spec := range models.Families() {
		if usual := spec.Training["epochs"].Value; usual == "" || usual == "0" {
			continue
		}
		found = true
		grid := Grid{
			Datasets: []string{"steps"},
			Families: []string{spec.Name},
			Seeds:    []uint64{0},
			Set:      []Axis{{Name: "steps", Values: []string{"7", "8"}}},
		}
		cells, err := grid.Cells()
		if err != nil {
			t.Fatal(err)
		}
		if len(cells) != 2 || cells[0].Config.Set["epochs"] != "0" || cells[1].Config.Set["steps"] != "8" {
			t.Errorf("%s: cells %+v", spec.Name, cells)
		}
	}
	if !found {
		t.Error("no family has epochs")
	}
}

// Values without effect in a cell are omitted there. They are rejected if they have no effect in any cell.
func TestAxesWithoutEffect(t *testing.T) {
	isolate(t)
	g := Grid{Datasets: []string{"steps"}, Families: []string{"svgp"}, Seeds: []uint64{0}, Set: []Axis{
		{Name: "optimizer", Values: []string{"adam", "natgrad"}},
		{Name: "natgrad_step", Values: []string{"0.1", "0.2"}},
	}}
	state, err := Preview(t.Context(), new(session.Inspector), g, "")
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for _, c := range state.Cells {
		keys = append(keys, strings.TrimPrefix(c.Key, "steps interpolation:0 svgp seed=0 "))
	}
	if want := []string{"optimizer=adam", "natgrad_step=0.1 optimizer=natgrad",
		"natgrad_step=0.2 optimizer=natgrad"}; !slices.Equal(keys, want) {
		t.Errorf("%q, want %q", keys, want)
	}
	if a := state.Axes()[3]; a.Name != "natgrad_step" || !slices.Equal(a.Values, []string{"0.1", "0.2"}) {
		t.Errorf("%+v", a)
	}
	// Runs are found even if they list values without effect.
	old := rundir.Info{ConfigFile: rundir.ConfigFile{ID: "old", Sweep: "s", Config: rundir.Config{
		Dataset: "steps", Split: "interpolation:0", Family: "svgp",
		Set: map[string]string{"optimizer": "adam", "natgrad_step": "0.2"}}}, State: rundir.Running}
	cells, _ := g.Cells()
	if states := match("s", cells, []rundir.Info{old}); states[0].Run != "old" {
		t.Errorf("%+v", states[0])
	}
	g.Set[0].Values = []string{"adam"}
	_, err = Preview(t.Context(), new(session.Inspector), g, "")
	if err == nil || err.Error() != "natgrad_step: only with optimizer=natgrad" {
		t.Errorf("%v", err)
	}
	if cells, err := g.Cells(); err != nil || len(cells) != 1 {
		t.Errorf("an old sweep does not open: %v, %v", cells, err)
	}
}

// The baseline is added once per data set and split with its own defaults, even if other families use values
// that it lacks. Its seed makes no difference.
func TestGridsWithTheBaseline(t *testing.T) {
	isolate(t)
	g := Grid{Datasets: []string{"steps", "mountaincar"}, Families: []string{"star"},
		Splits: []string{"interpolation:0", "interpolation:1"}, Seeds: []uint64{0, 1},
		Set: []Axis{{Name: "inducing", Values: []string{"8", "16"}},
			{Name: "steps", Values: []string{"10"}}},
		Baseline: true}
	cells, err := g.Cells()
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, c := range cells {
		if c.Config.Family == models.BaselineFamily {
			count++
			if len(c.Config.Set) != 0 {
				t.Errorf("%+v", c.Config)
			}
		}
	}
	if len(cells) != 20 || count != 4 {
		t.Errorf("%d cells, %d of them for the baseline; want 20 and 4", len(cells), count)
	}
	g.Families, g.Set = []string{"star", "linear"}, nil
	if cells, err := g.Cells(); err != nil || len(cells) != 12 {
		t.Errorf("with the baseline among the families: %d cells, %v; want 12", len(cells), err)
	}
	g.Set = []Axis{{Name: "validation", Values: []string{"0.1"}}} // The seed chooses the points.
	if cells, err := g.Cells(); err != nil || len(cells) != 16 {
		t.Errorf("with validation points: %d cells, %v; want 16", len(cells), err)
	}
}

func TestGridsOfAPreset(t *testing.T) {
	isolate(t)
	g := Grid{Datasets: []string{"steps"}, Families: []string{"star", "svgp"},
		Seeds: []uint64{0}, Preset: "lindinger2020",
		Set: []Axis{{Name: "validation_points", Values: []string{"64"}}}}
	cells, err := g.Cells()
	if err != nil || len(cells) != 2 {
		t.Fatalf("%v, %v", cells, err)
	}
	want := map[string]string{
		"validation_points": "64", "keep": "last", "stop_overfitting": "off", "learning_rate": "0.005",
		"schedule": "stairs", "decay_rate": "0.98", "beta2": "0.999", "noise_variance": "0.01",
		"coupling_rate": "1",
	}
	for i := range 2 { // svgp also has no validation split by default.
		if i == 1 {
			delete(want, "stop_overfitting") // It has no effect without early stopping.
			delete(want, "coupling_rate")
		}
		if c := cells[i].Config; !maps.Equal(c.Set, want) || c.Preset != "lindinger2020" {
			t.Errorf("%+v, want %v", c, want)
		}
	}
	g.Preset = "lindinger2020-natgrad"
	if _, err := g.Cells(); err == nil ||
		!strings.Contains(err.Error(),
			"star on steps: preset=lindinger2020-natgrad: want one of default, lindinger2020") {
		t.Errorf("%v", err)
	}
}

// The default name describes the sweep, is equal for equal cells, and is a valid name.
func TestDefaultName(t *testing.T) {
	isolate(t)
	name := func(change func(*Grid)) string {
		g := smallGrid()
		change(&g)
		cells, err := g.Cells()
		if err != nil {
			t.Fatal(err)
		}
		n := g.DefaultName(cells)
		if err := CheckName(n); err != nil {
			t.Error(err)
		}
		return n
	}
	first := name(func(*Grid) {})
	if !strings.HasPrefix(first, "steps-svgp-inducing-") {
		t.Error(first)
	}
	if second := name(func(g *Grid) { g.Splits[0] = "interpolation" }); second != first {
		t.Errorf("the same cells: %s and %s", first, second)
	}
	if other := name(func(g *Grid) { g.Seeds = []uint64{5} }); other == first {
		t.Error("different cells have the same name")
	}
}

func TestCheckName(t *testing.T) {
	for name, ok := range map[string]bool{
		"a": true, "A-b_c.9": true, "": false, ".a": false, "-a": false, "a/b": false, "a b": false,
		"ä": false, strings.Repeat("x", 64): true, strings.Repeat("x", 65): false,
	} {
		if err := CheckName(name); (err == nil) != ok {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// An official split must be in the catalogue.
func TestOfficialSplitsExist(t *testing.T) {
	for _, c := range []struct{ split, want string }{
		{"standard:19", ""},
		{"standard:20", "split standard:20: boston has the official splits standard:0 to standard:19"},
		{"interpolation:20", ""},
	} {
		err := checkOfficial(rundir.Config{Dataset: "boston", Split: c.split})
		if got := errorText(err); got != c.want {
			t.Errorf("%s: error %q, want %q", c.split, got, c.want)
		}
	}
}

// TestNamesOfGrids checks the default names of grids with many data sets, and with files that have unusual
// names.
func TestNamesOfGrids(t *testing.T) {
	cells := []Cell{{Key: "a"}, {Key: "b"}}
	for want, g := range map[string]Grid{
		"steps-star":             {Datasets: []string{"steps"}, Families: []string{"star"}},
		"steps-boston-star-svgp": {Datasets: []string{"steps", "boston"}, Families: []string{"star", "svgp"}},
		"3-star":                 {Datasets: []string{"a", "b", "c"}, Families: []string{"star"}},
		"my_data_1-star-inducing": {Datasets: []string{"/x/My data.1.csv"}, Families: []string{"star"},
			Set: []Axis{{Name: "inducing", Values: []string{"1", "2"}},
				{Name: "rate", Values: []string{"1"}}}},
		strings.Repeat("x", 48): {Datasets: []string{strings.Repeat("x", 60)}, Families: []string{"star"}},
	} {
		name := g.DefaultName(cells)
		if got := name[:len(name)-7]; got != want || name[len(name)-7] != '-' || CheckName(name) != nil {
			t.Errorf("%s, want %s", name, want)
		}
		if again := g.DefaultName(cells); again != name {
			t.Errorf("%s becomes %s", name, again)
		}
		if other := g.DefaultName(cells[:1]); other == name {
			t.Errorf("grids with different cells have the same name %s", name)
		}
	}
}

// Configurations that differ in any field have different keys, and strings with blanks are quoted.
func TestKeys(t *testing.T) {
	c := rundir.Config{Dataset: "my data.csv", Split: "standard:1", Family: "star", Seed: 3,
		Set: map[string]string{"b": "", "a": "1"}, Targets: []string{"price per m"}}
	c.Columns.Missing = "drop"
	want := `"my data.csv" standard:1 star seed=3 a=1 b="" target="price per m" missing=drop`
	if got := keyOf(c); got != want {
		t.Errorf("key %s, want %s", got, want)
	}
	other := c
	other.Seed, other.Split = 4, "standard:2"
	if keyOf(c) == keyOf(other) || settingOf(c) != settingOf(other) {
		t.Errorf("settings %s and %s", settingOf(c), settingOf(other))
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
