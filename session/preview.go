package session

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"sync"

	"dgplab/datasets"
	"dgplab/datasets/columns"
	"dgplab/datasets/task"
	"dgplab/models"
	"dgplab/session/rundir"
)

// Preview is what is known of a run before it is started.
type Preview struct {
	// Config is the configuration with the split by its full name.
	Config rundir.Config
	// Values holds every hyperparameter.
	Values models.Values
	// Title and Origin describe the data set.
	Title, Origin string
	Task          task.Task
	// Classes names the classes of the target, and Counts the rows that have each.
	Classes []string
	Counts  []int
	// Rows are all rows of the data set, N the training ones.
	Rows, N, NumValidation, NumTest, D, P int
	// Steps is the most steps of training.
	Steps int
	// Size is the model's.
	Size models.Size
	// MemoryBytes is about the most that the run takes.
	MemoryBytes float64
	// SecondsPerStep is an estimate from the speed of the family's latest runs in
	// the run directories; 0 when there are none.
	SecondsPerStep float64
	// Notes say how the data are read, and Warnings what a person should know of the run.
	Notes, Warnings []columns.Note
}

// Inspector makes previews and remembers the last data set that it loaded, as
// long as its source stays the same. It may be used by several goroutines.
type Inspector struct {
	// Runs lists the runs that tell of speeds; whoever has an Inspector may use it too.
	Runs rundir.Lister
	// AllowMemory makes previews of runs too that do not fit the memory that is free. A
	// [memory.Error] refuses them otherwise.
	AllowMemory bool
	// Pipe is what came through the pipe that the data set of previews is; nil for others.
	Pipe *datasets.Pipe

	mu     sync.Mutex
	source datasets.Source
	data   *datasets.Dataset
	env    *environment // nil means the real one
}

// Inspect returns the preview of a run, or why there can be no such run. It loads the
// data.
func (i *Inspector) Inspect(ctx context.Context, c rundir.Config) (Preview, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	env := realEnvironment()
	if i.env != nil {
		env = *i.env
	}
	env = env.piped(i.Pipe)
	r, err := env.admit(c)
	if err != nil {
		return Preview{}, err
	}
	if source := r.Source(); i.data == nil || !reflect.DeepEqual(i.source, source) {
		i.data = nil
		data, err := env.load(ctx, source)
		if err != nil {
			return Preview{}, err
		}
		i.source, i.data = source, data
	}
	ds, err := r.usable(i.data)
	if err != nil {
		return Preview{}, err
	}
	prepared, split, err := env.prepare(ds, r.Split, r.validation, derive(r.Seed, purposeHoldOut, 0))
	if err != nil {
		return Preview{}, err
	}
	r.Split = split
	preview, err := r.preview(ds, prepared)
	if err != nil {
		return preview, err
	}
	if err := env.memory.Check(preview.MemoryBytes); err != nil && !i.AllowMemory {
		return preview, r.refusal(err)
	}
	preview.SecondsPerStep = expectedSeconds(&i.Runs, r.Family, preview.Size)
	return preview, nil
}

func (r *resolved) preview(ds *datasets.Dataset, p *datasets.Prepared) (Preview, error) {
	n, d := p.Train.X.Dims()
	r.know(n)
	_, outputs := p.Train.Y.Dims()
	size, err := r.size(ds, p)
	if err != nil {
		return Preview{}, err
	}
	preview := Preview{
		Config: r.Config, Values: r.values, Title: ds.Title, Origin: ds.Origin, Task: p.Task,
		Classes: ds.Classes, Counts: ds.ClassCounts(),
		Rows: rowsOf(ds.X), N: n, D: d, P: outputs,
		NumValidation: rowsOf(p.Validation.X), NumTest: rowsOf(p.Test.X),
		Steps: r.steps, Size: size,
	}
	preview.MemoryBytes = r.memoryOf(size, preview.Rows, d+outputs, preview.NumValidation)
	preview.Notes, preview.Warnings = ds.Notes, r.warnings(ds, p)
	return preview, nil
}

// warnings returns what a person should know of a run, though it can be done.
func (r *resolved) warnings(ds *datasets.Dataset, p *datasets.Prepared) []columns.Note {
	list := slices.Clone(ds.Warnings)
	add := func(text string) { list = append(list, columns.Note{Text: text}) }
	for _, w := range p.Warnings {
		add(w)
	}
	if ds.Uses != "" {
		add(fmt.Sprintf("%s has no use for the other targets of the test rows: it is trained on %s",
			r.Family, ds.Uses))
	}
	if rowsOf(p.Validation.X) == 0 {
		if r.earlyStopping || r.validation > 0 { // Else nobody misses them.
			add("there are no validation points: no validation curve, no early stopping")
		}
	} else if r.earlyStopping && r.steps > earlyAfter && r.validationEvery > earlyStrip {
		add(fmt.Sprintf("validation_every=%d is more than %d steps: early stopping compares longer strips",
			r.validationEvery, earlyStrip))
	}
	if rowsOf(p.Test.X) == 0 {
		add("there are no test points: the run ends without test metrics")
	}
	return list
}

const (
	// speedRuns is how many of the latest runs of a family are asked for their speed:
	// older ones may be of another program or machine.
	speedRuns = 20
	// speedLook is how many of the latest runs, of all families, are looked at.
	speedLook = 1000
	// speedGrowth is the power of the arithmetic with which the time of a step
	// grows: larger matrices are multiplied at a higher rate. Over steps of 3e6 to
	// 3e9 operations of the deep GP it was measured as 0.8.
	speedGrowth = 0.8
	// leastStep, in seconds, is what the smallest of steps takes for its own sake.
	leastStep = 1e-4
)

// expectedSeconds returns the time of a step, from that of the most similar of the
// latest ended runs of the family: the one that did about as much arithmetic in a
// step. 0 means that there is none.
func expectedSeconds(l *rundir.Lister, family string, size models.Size) float64 {
	if size.StepFLOPs <= 0 {
		return 0
	}
	runs, _, err := l.Newest(speedLook)
	if err != nil {
		return 0
	}
	seen, nearest, expected := 0, math.Inf(1), 0.0
	for _, run := range runs {
		s := run.Summary
		if s == nil || run.Config.Family != family || !(s.StepFLOPs > 0) || !(s.StepsPerSecond > 0) {
			continue
		}
		ratio := size.StepFLOPs / s.StepFLOPs
		if far := math.Abs(math.Log(ratio)); far < nearest {
			nearest, expected = far, scaledSeconds(1/float64(s.StepsPerSecond), ratio)
		}
		seen++
		if seen == speedRuns {
			break
		}
	}
	return expected
}

// scaledSeconds returns the time of a step with ratio times the arithmetic of one
// that takes the given seconds.
func scaledSeconds(seconds, ratio float64) float64 {
	return math.Max(seconds*math.Pow(ratio, speedGrowth), math.Min(seconds, leastStep))
}
