package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"testing"

	"dgplab/datasets"
	"dgplab/datasets/task"
	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/rundir"
	"dgplab/viz/golden"
)

// randomValue returns a value for a hyperparameter. Most are valid.
func randomValue(f *golden.Filler, h family.Hyperparameter) string {
	number := func(x float64) string {
		if h.Kind == family.Int {
			return strconv.Itoa(int(x))
		}
		return strconv.FormatFloat(x, 'g', 4, 64)
	}
	list := append([]string{h.Default, h.Default}, h.Choices...)
	switch h.Kind {
	case family.Bool:
		list = append(list, "on", "off", "true", "0", "maybe")
	case family.Int, family.Float:
		list = append(list, number(h.Min), number(h.Max), number(h.Min-1), number(h.Max+1),
			"0"+number(h.Min+2), number(math.Min(h.Max, h.Min+float64(f.IntN(40)))),
			number(math.Min(h.Max, 8)), number(math.Min(h.Max, 64)))
	case family.Text:
		list = append(list, "", "5m", "90s", "1ms", "svgp", "a,b")
	}
	if f.IntN(30) == 0 {
		list = append(list, "x", "-1", "1e999", "")
	}
	return golden.Pick(f, list...)
}

// randomConfig returns a configuration with a few settings. Most are valid.
func randomConfig(f *golden.Filler) rundir.Config {
	name := golden.Pick(f, models.Families()...).Name
	c := rundir.Config{
		Dataset: golden.Pick(f, "impact", "boston", "nowhere", "steps", "letters", "steps"),
		Split:   golden.Pick(f, "", "", "interpolation:3", "random811:1", "standard:0", "nothing"),
		Family:  name, Seed: uint64(f.IntN(3)), Set: map[string]string{},
	}
	if f.IntN(10) == 0 {
		c.Targets = []string{"y", "z, w"}
	}
	if f.IntN(40) == 0 {
		c.Family = "unknown"
	}
	spec, err := models.Lookup(name)
	if err != nil {
		panic(err)
	}
	if f.IntN(3) == 0 {
		c.Preset = golden.Pick(f, append(PresetNames(spec), "none")...)
	}
	list := allHyperparameters(spec)
	for range f.IntN(4) {
		h := golden.Pick(f, list...)
		c.Set[h.Name] = randomValue(f, h)
	}
	for _, name := range []string{rundir.StepsSetting, rundir.EpochsSetting, "decay_steps", "inducing"} {
		i := hyperparameterIndex(list, name)
		if i >= 0 && f.IntN(6) == 0 {
			c.Set[name] = randomValue(f, list[i])
		}
	}
	return c
}

// textOf returns a value as JSON, and an error.
func textOf(value any, err error) string {
	text, failed := json.Marshal(value)
	var wrong *models.ValueError
	return fmt.Sprintf("%s %v %v %v", text, failed, err, errors.As(err, &wrong))
}

// namesOnly returns a registry that does not need the data sets.
func namesOnly() Registry {
	registry := DefaultRegistry()
	registry.Dataset = func(name string) (string, error) {
		if name == "nowhere" {
			return "", errors.New("no such data set")
		}
		return "/" + name, nil
	}
	return registry
}

// TestRecordedConfigurations compares everything that follows from random configurations with recorded
// checksums.
func TestRecordedConfigurations(t *testing.T) {
	t.Setenv("DGPLAB_CACHE", t.TempDir())
	f := golden.NewFiller(2, "a", "b")
	var sums golden.Sums
	registry := namesOnly()
	var runs []rundir.Info
	for range 600 {
		c := randomConfig(f)
		before := textOf(c, nil)
		sums.Add("validate", textOf(c, Validate(c)))
		sums.Add("complete", textOf(Complete(c)))
		sums.Add("baseline", textOf(BaselineOf(c), nil))
		sums.Add("effective", textOf(Effective(c), nil))
		sums.Add("steps", textOf(WithSteps(c, 7), nil))
		spec, err := models.Lookup(c.Family)
		if err == nil {
			preset := golden.Pick(f, PresetNames(spec)...)
			sums.Add("presets", textOf(WithPreset(c, preset)))
			sums.Add("presets", textOf(PresetChanges(spec, preset, models.Values(c.Set))))
		}
		r, err := registry.Resolve(c)
		if after := textOf(c, nil); after != before {
			t.Fatalf("%s has become %s", before, after)
		}
		if err != nil {
			sums.Add("errors", err.Error())
			continue
		}
		sums.Add("resolve", textOf(r.Config, nil)+textOf(r.Values, nil)+textOf(r.Settings, nil))
		sums.Add("reports", fmt.Sprint(r.Reports(7), r.Reports(10), r.NextReport(0), r.NextReport(19),
			r.NextReport(math.MaxInt-1)))
		_, err = registry.ResolveNew(c)
		sums.Add("errors", fmt.Sprint(err))
		values := r.Values
		info := rundir.Info{ConfigFile: rundir.ConfigFile{ID: "run", Config: r.Config, Values: values}}
		info.ObjectiveIs = r.Spec.Objective
		info.State = golden.Pick(f, rundir.Ended, rundir.Ended, rundir.Interrupted, rundir.Broken)
		data := prepared(golden.Pick(f, 2, 9, 50, 300, 5000), golden.Pick(f, 1, 3, 8),
			golden.Pick(f, 1, 1, 2))
		n, _ := data.Train.X.Dims()
		data.Task = golden.Pick(f, task.Regression, task.Regression, task.Binary, task.Multiclass, task.Count)
		data.Classes = golden.Pick(f, []string{"a", "b"}, []string{"a", "b", "c"})
		if f.IntN(8) == 0 {
			data.Train.Y.Set(n/2, 0, math.NaN())
		}
		for _, adapt := range []func(int) []rundir.Adaptation{r.AdaptToData, r.HalveInducing,
			func(n int) []rundir.Adaptation { return r.AdaptToSteps(1+f.IntN(3000), n) }} {
			list := adapt(n)
			sums.Add("adaptations", textOf(list, nil)+textOf(r.Settings, nil))
			info.Adapt(list)
		}
		size, err := r.Size(&datasets.Dataset{Targets: []string{"y", "z"}}, data)
		sums.Add("size", fmt.Sprintf("%+v %v", size, err))
		for _, cheaper := range r.CheaperValues(data) {
			sums.Add("cheaper", fmt.Sprintf("%s %s %.6g", cheaper.Name, cheaper.Value, cheaper.Ratio))
		}
		changes := randomConfig(f)
		fields := map[string]string{}
		for _, h := range append(RunFields(), allHyperparameters(r.Spec)...) {
			text := changes.Field(h.Name)
			if text != "" && f.IntN(2) == 0 && h.Name != rundir.TargetsField {
				fields[h.Name] = text
			}
		}
		if f.IntN(3) > 0 {
			fields[rundir.DatasetField] = "steps"
		}
		if len(fields) < 3 { // Of several errors, the first one depends on the order of a map.
			sums.Add("forks", textOf(registry.Fork(info, fields)))
		}
		runs = append(runs, info)
		first := max(0, len(runs)-1-f.IntN(4))
		sums.Add("differences", textOf(Differences(runs[first:]), nil))
		sums.Add("differences", textOf(InformativeDifferences(runs[first:]), nil))
		if f.IntN(8) == 0 {
			values = models.Values{}
		}
		sums.Add("errors", fmt.Sprint(CheckValues("a", r.Spec, values)))
	}
	for _, spec := range models.Families() {
		var fields []any
		for _, h := range Fields(spec) {
			wrong := []string{}
			for _, text := range []string{"", "0", "on", "best", "5m", "1", "standard:0", "a,b", `"`} {
				wrong = append(wrong, fmt.Sprint(h.Validate(text)))
			}
			h.Check = nil
			fields = append(fields, fmt.Sprintf("%+v", h.When), wrong)
			h.When = nil
			fields = append(fields, fmt.Sprintf("%+v", h))
		}
		sums.Add("fields", textOf(fields, nil))
		for _, preset := range append(PresetNames(spec), "", "none") {
			sums.Add("presets", textOf(PresetValues(spec, preset))+PresetHelp(spec, preset))
		}
	}
	for i := range 20 {
		sums.Add("seeds", fmt.Sprint(Derive(uint64(i), "x", i%3), i))
	}
	sums.Check(t, "configurations")
}
