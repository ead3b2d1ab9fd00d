package setup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dgplab/datasets"
	"dgplab/datasets/table"
	"dgplab/models"
	"dgplab/session"
	"dgplab/session/config"
	"dgplab/session/memory"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

// walkFiles holds the files of a walk.
var walkFiles = map[string]string{
	"houses.csv": houses, "numbers.csv": "a,b,y\n1,2,3\n2,5,4\n3,1,9\n4,4,2\n",
	"odd.csv": "a;b;y\n1;1.234;1\n2;5.678;2\n3;2.345;3\n4;;1\n5;4.567;2\n6;x;3\n", "empty.csv": "",
	"words.csv": "a,b,c,y\nx,1,no,u\ny,2,yes,v\nz,3,no,u\nx,4,,w\ny,5,yes,v\n",
}

// walkEngine reads files and returns random plans.
type walkEngine struct {
	*kittest.Engine
	*rand.Rand
	many   bool // many families
	folder string
}

func (e *walkEngine) Families() []models.Spec {
	if e.many {
		return manyEngine{e.Engine}.Families()
	}
	return e.Engine.Families()
}

// Describe describes the file in the test's folder with the last part of the name. It reads the file by a
// relative path, because the name of the folder varies.
func (e *walkEngine) Describe(ctx context.Context, s datasets.Source) (*table.Description, error) {
	name := filepath.Base(s.Name)
	if _, ok := walkFiles[name]; !ok {
		return nil, fmt.Errorf("open %s: %w", s.Name, fs.ErrNotExist)
	}
	if err := os.Chdir(e.folder); err != nil {
		return nil, err
	}
	s.Name = "./" + name
	d, err := datasets.Describe(ctx, s)
	if back := os.Chdir("/"); back != nil {
		return nil, back
	}
	return d, err
}

func (e *walkEngine) Inspect(ctx context.Context, c rundir.Config) (session.Preview, error) {
	p, err := e.Engine.Inspect(ctx, c)
	if strings.HasSuffix(c.Dataset, ".csv") || strings.Contains(c.Dataset, "/") {
		d, err := e.Describe(ctx, c.Source())
		if err != nil {
			return p, err
		}
		if d.Err != nil {
			return p, d.Err
		}
		p.Data = rundir.DataFacts{N: d.N(), D: d.D, P: d.P}
		p.Notes, p.Warnings = d.Notes, d.Warnings
	}
	if e.IntN(8) == 0 {
		return session.Preview{}, fmt.Errorf("the run %w", &memory.Error{Need: 43e9, Free: 8e9})
	}
	p.MemoryBytes = 1e9 * e.ExpFloat64()
	p.Steps = e.IntN(30000)
	if e.IntN(3) == 0 {
		p.SecondsPerStep = math.Exp(3*e.NormFloat64() - 4)
	}
	if e.IntN(4) == 0 {
		p.Budget = time.Duration(e.ExpFloat64() * float64(time.Hour))
	}
	if e.IntN(3) == 0 {
		p.Adapted = []rundir.Adaptation{{Name: "layers", From: "2", To: "3", Why: "the data are large"},
			{Name: "rate", From: "0.005", To: "0.01", Why: "500 rows"}}
	}
	if e.IntN(3) == 0 {
		p.Cheaper = []config.Cheaper{{Name: "layers", Value: "1", Ratio: 0.4},
			{Name: "widths", Value: "3", Ratio: 0.7}}
	}
	if e.IntN(4) == 0 {
		p.Data.Classes, p.Data.P = []string{"cat", "dog", "bird"}, 1+e.IntN(3)
	}
	if e.IntN(3) == 0 {
		p.Warnings = append(p.Warnings, table.Note{Text: "column 3 is constant"})
	}
	return p, err
}

func (e *walkEngine) TimeSteps(context.Context, rundir.Config) (session.StepTime, error) {
	t := session.StepTime{Seconds: math.Exp(3 * e.NormFloat64()), Steps: e.IntN(4), Converged: e.IntN(6) == 0}
	if e.IntN(5) == 0 {
		return t, errors.New("no time")
	}
	return t, nil
}

// randomWalk returns a walk over a set-up screen. Its events let time pass and answer requests.
func randomWalk(seed uint64, folder string) *kittest.Walk {
	e := &walkEngine{Engine: kittest.NewEngine(), many: seed%3 == 2, folder: folder}
	d := newHarness(e, rundir.Config{}, 120, 40)
	w := kittest.NewWalk(d.Host, seed)
	e.Rand = w.Rand
	w.Omits = []string{"StartDownload"}
	w.Scripts = []string{
		"home ctrl+u houses.csv", "home ~/x tab", "home ctrl+u gone.csv enter",
		"home ctrl+u ./odd.csv ctrl+t", "end f", "end enter", "tab / st", "tab / xy esc", "down down 7",
		"end 9 9 9 enter", "ctrl+o down enter", "tab tab down space", "ctrl+r", "right right",
		"ctrl+t t enter enter", "pgdown pgdown 3", "enter enter", "ctrl+a x ctrl+w",
	}
	due := func() { w.Deliver(kit.PreviewDueMsg[session.Preview]{Gen: d.setup.plan.Gen}) }
	started := func() {
		if n := len(d.Starts); n > 0 {
			msg := kit.RunStartedMsg{Asked: d.Starts[n-1], Run: kittest.NewRun("x", nil)}
			if w.IntN(2) == 0 {
				msg.Run, msg.Err = nil, errors.New("four runs are going")
			}
			w.Deliver(msg)
		}
	}
	file := func() {
		name := slices.Sorted(maps.Keys(walkFiles))[w.IntN(len(walkFiles))]
		d.chooseFile("/data/"+name, "/data/two.csv")
		d.setup.section = sectionData
		if w.IntN(2) == 0 {
			w.Run(d.setup.openPage())
			for range w.IntN(20) {
				keys := pageBindings[w.IntN(len(pageBindings))].Keys()
				w.Press(append(keys, "1", "2")[w.IntN(len(keys)+2)])
				w.Deliver(kit.PreviewDueMsg[described]{Gen: d.setup.page.table.Gen})
			}
		}
	}
	w.Events = []func(){
		due, due, due, started, started, file, file, file,
		func() { w.Deliver(kit.PreviewDueMsg[session.StepTime]{Gen: d.setup.timing.Gen}) },
		func() { w.Deliver(kit.PreviewDueMsg[described]{Gen: d.setup.page.table.Gen}) },
		func() {
			if f := d.setup.fetch; f != nil {
				e.Fetched <- []error{nil, nil, errors.New("connection refused"), context.Canceled}[w.IntN(4)]
				err := e.Fetch(context.Background(), f.name(), func(datasets.Progress) {})
				w.Deliver(kit.DownloadedMsg{Of: f.Download, Name: f.name(), Err: err})
			}
		},
		func() {
			fill := kit.Fill{Parent: "fake-3", Config: rundir.Config{Dataset: "steps", Family: "star",
				Split: "interpolation:3", Seed: uint64(w.IntN(4)),
				Set: map[string]string{"layers": "4", "mask": "x"}}}
			w.Run(d.setup.Open(fill))
		},
		func() {
			text := d.setup.files.path.Value()
			w.Deliver(kit.CompletedMsg{Owner: d.setup, Completion: kit.Completion{Typed: text, To: text + "h",
				Names: []string{"houses.csv", "hills.csv", "more/"}[w.IntN(3):]}})
		},
		func() { d.setup.section = section(w.IntN(int(numSections))) },
		func() {
			d.setup.section = sectionFamily
			for _, key := range []string{"/", "s", "t", "backspace", "down", "a"}[:w.IntN(7)] {
				w.Press(key)
			}
		},
		func() { d.StepSeconds = max(0, w.NormFloat64()) },
	}
	return w
}

// Random keys over random data and plans never panic, and every frame fills the screen exactly.
func TestRandomWalks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		t.Setenv("HOME", "/home/me")
		t.Chdir("/") // Typed relative paths become absolute.
		folder := t.TempDir()
		for name, text := range walkFiles {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		for seed := range uint64(6) {
			randomWalk(seed, folder).Take(t, fmt.Sprint("walk ", seed), 80)
		}
	})
}
