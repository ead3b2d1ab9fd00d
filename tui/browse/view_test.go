package browse

import (
	"fmt"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
	"dgplab/viz/golden"
)

// situations are states of the screen, each reached by keys.
var situations = []struct {
	name string
	runs func() []rundir.Info
	keys []string
}{
	{"list", someRuns, nil},
	{"empty", func() []rundir.Info { return nil }, nil},
	{"compared", someRuns, []string{"down", " ", " ", "up"}},
	{"filter", someRuns, []string{"/", "d", "a", "t", "a", "s", "e", "t", ":", "e", "n", "e"}},
	{"filter_wrong", someRuns, []string{"/", "s", "t", "e", "p", ">", "x"}},
	{"filter_complete", someRuns, []string{"/", "c", "o", "v"}},
	{"filter_nothing", someRuns, []string{"/", "n", "o", "n", "e", "enter"}},
	{"fork", someRuns, []string{"down", "f", "down", "down", "down", "down", "down",
		"down", "backspace", "3"}},
	{"fork_wrong", someRuns, []string{"down", "f", "enter"}},
	{"details", someRuns, []string{"down", "tab"}},
	{"tags", someRuns, []string{"down", "t", " ", "x"}},
}

func TestGoldenFrames(t *testing.T) {
	for _, s := range situations {
		for _, size := range kittest.Sizes {
			d := newHarness(s.runs(), size.W, size.H)
			d.Keys(s.keys...)
			frame := d.View()
			kittest.CheckFrame(t, s.name, frame, size.W, size.H)
			golden.Check(t, s.name+"_"+size.Name, kittest.Trim(frame))
		}
	}
}

// TestEveryFrameFits draws every situation at every size up to 130 x 45.
func TestEveryFrameFits(t *testing.T) {
	stride := 7
	if testing.Short() {
		stride = 31
	}
	for _, s := range situations {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			d := newHarness(s.runs(), 80, 24)
			d.Keys(s.keys...)
			for w := 1; w <= 130; w++ {
				for h := 1 + w%stride; h <= 45; h += stride {
					d.Size(w, h)
					kittest.CheckFrame(t, s.name, d.View(), w, h)
				}
			}
		})
	}
}

func TestFramesWithoutUnicode(t *testing.T) {
	for _, s := range situations {
		d := newHarness(s.runs(), 80, 24)
		*d.Theme() = *kit.NewTheme(termenv.Ascii, true, kit.ASCII)
		d.Keys(s.keys...)
		for _, size := range kittest.Sizes {
			d.Size(size.W, size.H)
			for i, r := range d.View() {
				if r != '\n' && (r < 32 || r > 126) {
					t.Fatalf("%s at %s: byte %d is %q", s.name, size.Name, i, r)
				}
			}
		}
	}
}

func TestLayoutsTileEverySize(t *testing.T) {
	for w := 1; w <= 130; w++ {
		for h := 1; h <= 45; h++ {
			for focus := range numParts {
				for _, input := range []bool{false, true} {
					l := arrange(w, h, focus, input)
					kittest.CheckTiling(t, "browser", w, h,
						[]kit.Rect{l.header, l.input, l.list, l.details, l.footer})
				}
			}
		}
	}
}

// BenchmarkFrame draws the screen with 2,000 runs.
func BenchmarkFrame(b *testing.B) {
	var many []rundir.Info
	for i := range 2000 {
		many = append(many, ended(fmt.Sprintf("20261121-%06d-a-star-%06d", i, i), "a", "star", float64(i)))
	}
	d := newHarness(many, 200, 60)
	*d.Theme() = *kit.NewTheme(termenv.TrueColor, true, kit.Unicode)
	for b.Loop() {
		d.browse.arrangeRuns()
		d.View()
	}
}

// TestRedundantColumnsAreDroppedFirst lists runs of a sweep with a long name: redundant columns are
// dropped before an ID or the name of the sweep is cut.
func TestRedundantColumnsAreDroppedFirst(t *testing.T) {
	const sweep = "steps-mean-field-star-inducing-9737cc"
	runs := []rundir.Info{
		ended("20261121-094607-energy-star-3150b4", "energy", "star", -2.2764),
		ended("20261121-094607-energy-mean-field-77aa01", "energy", "mean-field", -2.4120),
		ended("20261121-094607-energy-fully-coupled-9a01b2", "energy", "fully-coupled", -2.4120),
	}
	for i := range runs {
		runs[i].Config.Seed = uint64(i)
	}
	runs[0].Sweep, runs[1].Sweep = sweep, sweep
	frame := newHarness(runs, 200, 60).View()
	for _, want := range []string{"1121-094607…3150b4", "1121-094607…9a01b2", sweep, "seed", "RMSE"} {
		if !strings.Contains(frame, want) {
			t.Errorf("no %q in\n%s", want, frame)
		}
	}
}

// TestLabelShortening fits an ID and the names of sweeps into few cells.
func TestLabelShortening(t *testing.T) {
	th := kittest.NewHost().Theme()
	for _, c := range []struct {
		fit  func(*kit.Theme, string, int) string
		text string
		w    int
		want string
	}{
		{fitLabel, "20261121-094607-energy-star-3150b4", 40, "20261121-094607-energy-star-3150b4      "},
		{fitLabel, "20261121-094607-energy-star-3150b4", 20, "1121-094607…3150b4  "},
		{fitLabel, "20261121-094607-energy-star-3150b4", 17, "1121-094607      "},
		{fitLabel, "a name of one's own", 11, "a name of …"},
		{(*kit.Theme).FitSweep, "steps-star-inducing-9737cc", 26, "steps-star-inducing-9737cc"},
		{(*kit.Theme).FitSweep, "steps-star-inducing-9737cc", 16, "steps-sta…9737cc"},
		{(*kit.Theme).FitSweep, "steps-star-inducing-9737cc", 8, "steps-s…"},
		{(*kit.Theme).FitSweep, "a-name-of-its-own", 12, "a-name-of-i…"},
	} {
		if got := c.fit(th, c.text, c.w); got != c.want {
			t.Errorf("%q in %d cells is %q, want %q", c.text, c.w, got, c.want)
		}
	}
}
