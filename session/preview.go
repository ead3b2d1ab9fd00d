package session

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"sync"
	"time"

	"dgplab/datasets"
	"dgplab/datasets/files"
	"dgplab/datasets/table"
	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/config"
	"dgplab/session/memory"
	"dgplab/session/rundir"
	"dgplab/session/watch"
)

// Preview describes a run before it is started.
type Preview struct {
	// Config is the configuration with the full name of the split.
	Config rundir.Config
	// Values holds every hyperparameter.
	Values models.Values
	// Title and Origin describe the data set.
	Title, Origin string
	// Data holds the sizes of the data, without checksums.
	Data rundir.DataFacts
	// Steps is the maximum number of training steps.
	Steps int
	// Budget is the time budget, or 0 if there is none.
	Budget time.Duration
	// Size is the size of the model.
	Size models.Size
	// MemoryBytes is the estimated peak memory of the run.
	MemoryBytes float64
	// SecondsPerStep is estimated from the latest runs of the family, or 0 if there are none.
	SecondsPerStep float64
	// Adapted holds the defaults that were adapted to the data.
	Adapted []rundir.Adaptation
	// Cheaper holds values that make steps cheaper.
	Cheaper []config.Cheaper
	// Halved holds the numbers of inducing points among which the budget chooses, below the default.
	Halved []config.Cheaper
	// Notes describe how the data are read, and Warnings describe possible problems of the run.
	Notes, Warnings []table.Note
}

// longRun is the training time in seconds above which a run is long.
const longRun = 600

// Long reports whether a training time is so long that the user should be warned.
func Long(seconds float64) bool { return seconds > longRun }

// Seconds returns the training time of the run if each step takes perStep seconds, at most the time budget.
func (p *Preview) Seconds(perStep float64) float64 {
	seconds := perStep * float64(p.Steps)
	if p.Size.Seconds > 0 {
		seconds = p.Size.Seconds
	}
	if p.Budget > 0 {
		return min(seconds, p.Budget.Seconds())
	}
	return seconds
}

// Fit returns about how many of its steps a run makes within its time budget, given the time of a step in
// seconds. If so few steps are useless with the default number of inducing points, the run will have fewer,
// which Fit also returns, and otherwise "".
func (p *Preview) Fit(perStep float64) (steps int, inducing string) {
	within := func(perStep float64) int {
		if p.Budget == 0 {
			return p.Steps
		}
		return int(max(min(trainingShare*p.Budget.Seconds()/perStep, float64(p.Steps)), 1))
	}
	steps = within(perStep)
	for _, half := range p.Halved {
		if steps >= min(usefulSteps, p.Steps) {
			break
		}
		steps, inducing = within(ScaledSeconds(perStep, half.Ratio)), half.Value
	}
	return steps, inducing
}

// Remedy returns the change of a single setting that makes a long run short enough, and the resulting
// training time. perStep is the current duration of a step in seconds. Of several such settings it chooses
// the one that has to be halved least often. If none suffices, it returns the change that shortens the run
// most, or nil if none is known.
func (p *Preview) Remedy(perStep float64) (best *config.Cheaper, seconds float64) {
	halved := map[string]int{}
	least := math.MaxInt
	for i := range p.Cheaper {
		c := &p.Cheaper[i]
		halved[c.Name]++
		time := p.Seconds(ScaledSeconds(perStep, c.Ratio))
		if enough := !Long(time); enough && halved[c.Name] < least {
			best, seconds, least = c, time, halved[c.Name]
		} else if least == math.MaxInt && (best == nil || time < seconds) {
			best, seconds = c, time
		}
	}
	return best, seconds
}

// Inspector makes previews. It keeps the last data set until another one is requested. It is safe
// for concurrent use.
type Inspector struct {
	// Runs lists the runs used for estimating the time per step. Callers may use it too.
	Runs rundir.Lister
	// AllowMemory allows previews of runs that do not fit into memory. Otherwise their error is a
	// [memory.Error].
	AllowMemory bool
	// Pipe is the stored content of the pipe if the data set is read from one, and nil otherwise.
	Pipe *files.StoredPipe
	// Once divides the data set in place, which needs less memory, and keeps the parts for the run; see
	// WithDataOf. Another configuration reads its data set again.
	Once bool

	mu     sync.Mutex
	source datasets.Source
	data   *datasets.Dataset
	// last holds the last data if Once is set, and lastRun is the run that uses them.
	last    *loadedData
	lastRun *config.Resolved
	env     *environment // nil means realEnvironment
	// timed is the last result of TimeSteps, for timedConfig; nil before the first.
	timed       *StepTime
	timedConfig rundir.Config
}

// loadedRun is a run with its data.
type loadedRun struct {
	*config.Resolved
	*loadedData
	env environment
}

// Inspect loads the data and returns the preview of a run. It returns an error if the run is not
// possible.
func (i *Inspector) Inspect(ctx context.Context, c rundir.Config) (Preview, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	loaded, err := i.load(ctx, c)
	if err != nil {
		return Preview{}, err
	}
	preview, err := loaded.preview(i.AllowMemory)
	if err != nil {
		return preview, err
	}
	preview.SecondsPerStep = expectedSeconds(&i.Runs, loaded.Family, preview.Size)
	memory.Trim(preview.Data.Rows * (preview.Data.D + preview.Data.P))
	return preview, nil
}

func (i *Inspector) environment() environment {
	env := realEnvironment()
	if i.env != nil {
		env = *i.env
	}
	return env.piped(i.Pipe)
}

// load loads and splits the data of a run.
func (i *Inspector) load(ctx context.Context, c rundir.Config) (*loadedRun, error) {
	env := i.environment()
	r, err := env.ResolveNew(c)
	if err != nil {
		return nil, err
	}
	if i.last != nil && i.lastRun.SameData(r) {
		r.Split = i.last.split
		return &loadedRun{r, i.last, env}, nil
	}
	if err := i.read(ctx, env, r.Source()); err != nil {
		return nil, err
	}
	ds, err := r.Usable(i.data)
	if err != nil {
		return nil, err
	}
	d := divisionOf(r)
	d.inPlace = i.Once
	if i.Once {
		i.data = nil
	}
	prepared, split, err := env.prepare(ds, d)
	if err != nil {
		return nil, err
	}
	loaded := &loadedData{ds, prepared, split}
	if i.Once {
		asked := *r
		i.last, i.lastRun = loaded, &asked
	}
	r.Split = split
	return &loadedRun{r, loaded, env}, nil
}

// read sets data to a data set. It does nothing if data already holds it.
func (i *Inspector) read(ctx context.Context, env environment, source datasets.Source) error {
	if i.data != nil && reflect.DeepEqual(i.source, source) {
		return nil
	}
	i.data, i.last = nil, nil
	data, err := env.load(ctx, source)
	if err != nil {
		return err
	}
	i.source, i.data = source, data
	return nil
}

// DefaultSplit returns the full name of the split that a run has if its configuration names none. It reads
// files.
func (i *Inspector) DefaultSplit(ctx context.Context, c rundir.Config) (string, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	env := i.environment()
	return defaultSplit(c.Dataset, func() (*datasets.Dataset, error) {
		err := i.read(ctx, env, c.Source())
		return i.data, err
	})
}

// Advise returns the families that suit the data set and the split of a configuration, and why. Its family
// and hyperparameters do not matter.
func (i *Inspector) Advise(ctx context.Context, c rundir.Config) ([]models.Advice, error) {
	c.Family, c.Preset, c.Set = models.BaselineFamily, "", nil
	i.mu.Lock()
	defer i.mu.Unlock()
	loaded, err := i.load(ctx, c)
	if err != nil {
		return nil, err
	}
	train := loaded.prepared.Train
	_, targets := train.Y.Dims()
	return models.Advise(models.Table{
		Task:    loaded.prepared.Task,
		Rows:    train.Len(),
		Targets: targets,
		Missing: family.CountMissing(train.Y),
	}), nil
}

// Forecast returns the expected time of a run in seconds, from earlier runs of its family or else from some
// steps. It returns 0 if no step ends soon enough.
func (i *Inspector) Forecast(ctx context.Context, c rundir.Config) (seconds float64, err error) {
	preview, err := i.Inspect(ctx, c)
	if err != nil || preview.SecondsPerStep > 0 {
		return preview.Seconds(preview.SecondsPerStep), err
	}
	timed, err := i.TimeSteps(ctx, c)
	switch {
	case err != nil || timed.Steps == 0:
		return 0, err
	case timed.Converged:
		return timed.Seconds * float64(timed.Steps), nil
	}
	return preview.Seconds(timed.Seconds), nil
}

// ContentSHA256 returns the checksum of the file of a configuration as its runs record it; see
// [rundir.DataFacts]. It is "" for data sets that are not files.
func (i *Inspector) ContentSHA256(ctx context.Context, c rundir.Config) (string, error) {
	info, err := datasets.Lookup(c.Dataset)
	if err != nil || info.Kind != datasets.File {
		return "", err
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if err := i.read(ctx, i.environment(), c.Source()); err != nil {
		return "", err
	}
	return i.data.ContentSHA256(), nil
}

// defaultSplit returns the full name of the default split of a data set. It loads the data set only if it is
// a file.
func defaultSplit(dataset string, load func() (*datasets.Dataset, error)) (string, error) {
	info, err := datasets.Lookup(dataset)
	if err != nil {
		return "", err
	}
	if info.Kind != datasets.File {
		return info.DefaultSplit().String(), nil
	}
	ds, err := load()
	if err != nil {
		return "", err
	}
	return datasets.DefaultSplit(ds).String(), nil
}

// take returns the data of a run and no longer keeps them, or nil if they are not kept. i may be nil.
func (i *Inspector) take(r *config.Resolved) *loadedData {
	if i == nil {
		return nil
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.last == nil || !i.lastRun.SameData(r) {
		return nil
	}
	data := i.last
	i.last = nil
	return data
}

// preview describes the run. It returns an error if the run does not fit into memory, unless all memory
// is allowed.
func (l *loadedRun) preview(allowMemory bool) (Preview, error) {
	preview, err := newPreview(l.Resolved, l.ds, l.prepared)
	if err != nil {
		return preview, err
	}
	if err := l.env.memory.Check(preview.MemoryBytes); err != nil && !allowMemory {
		return preview, refusal(l.Resolved, err)
	}
	return preview, nil
}

func newPreview(r *config.Resolved, ds *datasets.Dataset, p *datasets.Prepared) (Preview, error) {
	data := sizesOf(ds, p)
	adapted := r.AdaptToData(data.N)
	size, err := r.Size(ds, p)
	if err != nil {
		return Preview{}, err
	}
	preview := Preview{
		Config: r.Config, Values: r.Values, Title: ds.Title, Origin: ds.Origin, Data: data,
		Steps: r.Steps, Budget: r.Budget, Size: size, Adapted: adapted, Cheaper: r.CheaperValues(p),
	}
	preview.MemoryBytes = memoryOf(r, size, data.Rows, data.D+data.P, data.Validation)
	preview.Halved, err = halvings(r, ds, p)
	if err != nil {
		return Preview{}, err
	}
	preview.Notes = slices.Clone(ds.Notes)
	preview.Warnings = dataWarnings(r, ds, p)
	if r.Budget == 0 { // Otherwise the budget may adapt them further.
		for _, a := range adapted {
			preview.Notes = append(preview.Notes, table.Note{Text: a.String()})
		}
	}
	return preview, nil
}

// halvings returns the numbers of inducing points among which the budget of a run chooses, below the default.
// The ratio of a family that does not count its operations is 0, so one of its numbers is tried at a time.
func halvings(
	r *config.Resolved, ds *datasets.Dataset, p *datasets.Prepared,
) (list []config.Cheaper, err error) {
	if r.Budget == 0 {
		return nil, nil
	}
	before, err := r.Size(ds, p)
	if err != nil {
		return nil, err
	}
	halved := *r
	n := p.Train.Len()
	for more := halved.HalveInducing(n); more != nil; more = halved.HalveInducing(n) {
		now, err := halved.Size(ds, p)
		if err != nil {
			return nil, err
		}
		half := config.Cheaper{Name: more[0].Name, Value: more[0].To}
		if before.StepFLOPs > 0 {
			half.Ratio = now.StepFLOPs / before.StepFLOPs
		}
		list = append(list, half)
	}
	return list, nil
}

// dataWarnings returns warnings about a run that is possible but has a problem with its data or settings.
func dataWarnings(r *config.Resolved, ds *datasets.Dataset, p *datasets.Prepared) []table.Note {
	list := slices.Clone(ds.Warnings)
	add := func(text string) { list = append(list, table.Note{Text: text}) }
	for _, w := range p.Warnings {
		add(w)
	}
	if ds.Uses != "" {
		add(fmt.Sprintf("%s cannot use the other targets of the test rows and is trained on %s",
			r.Family, ds.Uses))
	}
	if p.Validation.Len() == 0 {
		if r.EarlyStopping || r.Validation > 0 { // Otherwise no validation points are expected.
			add("no validation points: no validation curve and no early stopping")
		}
	} else if r.EarlyStopping && r.Steps > watch.EarlyAfter && r.ValidationEvery > watch.EarlyStrip {
		add(fmt.Sprintf("validation_every=%d is more than %d steps: early stopping uses longer strips",
			r.ValidationEvery, watch.EarlyStrip))
	}
	if p.Test.Len() == 0 {
		add("no test points: the run has no test scores")
	}
	return list
}

const (
	// speedRuns is the number of latest runs of a family used for estimating the time per step. Older runs
	// are more likely to come from another program version or machine.
	speedRuns = 20
	// speedLook is the number of latest runs, of all families, that are searched.
	speedLook = 1000
	// speedGrowth is the exponent of the growth of a step's time with its number of operations. It is below 1
	// because larger matrices are multiplied at a higher rate. The value was measured with steps of the deep
	// GP with 3e6 to 3e9 operations.
	speedGrowth = 0.8
	// leastStep is the overhead of a step in seconds, the minimum of scaled times.
	leastStep = 1e-4
)

// expectedSeconds estimates the time of a step from the latest ended runs of the family. It scales the time
// of the run with the closest number of operations per step, and returns 0 if there is none.
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
		s := run.Results
		if s == nil || run.Config.Family != family || !(s.StepFLOPs > 0) || !(s.StepsPerSecond > 0) {
			continue
		}
		ratio := size.StepFLOPs / s.StepFLOPs
		if far := math.Abs(math.Log(ratio)); far < nearest {
			nearest, expected = far, ScaledSeconds(1/float64(s.StepsPerSecond), ratio)
		}
		seen++
		if seen == speedRuns {
			break
		}
	}
	return expected
}

// ScaledSeconds scales the time of a step to a step with ratio times as many operations.
func ScaledSeconds(seconds, ratio float64) float64 {
	return math.Max(seconds*math.Pow(ratio, speedGrowth), math.Min(seconds, leastStep))
}
