package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/config"
	"dgplab/session/rundir"
)

// fieldFlags holds the flags of a configuration: one per field, and the hyperparameters. --target is repeated
// for several columns.
type fieldFlags struct {
	texts   map[string]*string // by field name
	targets []string
	columns columnFlags
	set     []string
	// controls holds the values of controlShortcuts, in their order. several is set in sweeps.
	controls [3][]string
	several  bool
}

// shortcuts holds the flags for common hyperparameters. --warm-start=RUN, for example, is the same as --set
// warm_start=RUN.
var shortcuts = []struct{ flag, help string }{
	{"layers", "`number` of layers L, including the output layer"},
	{"width", "`number` of GPs per hidden layer (tau)"},
	{"inducing", "`number` of inducing points M"},
	{"batch", "minibatch `size`"},
	{"samples", "`number` of Monte Carlo samples per step"},
	{"steps", "maximum `number` of training steps (default depends on the family)"},
	{"budget", "train for at most this `time`, such as 5m; the number of steps, the schedule and default " +
		"inducing points are adapted to the measured time of the first steps"},
	{"warm-start", "start from the parameters of this `run`, or of the last run of this family on the " +
		"same data, split and seed"},
}

// controlShortcuts holds the flags for the settings that control parameters, which may be repeated.
var controlShortcuts = [3]struct{ flag, help string }{
	{family.FixSetting, "keep this `parameter` at its initial value, such as noise_variance, " +
		"lengthscale or layer1.variance"},
	{family.BoundSetting, "keep a parameter within an interval, `name=range`, such as lengthscale=0.1..10"},
	{family.PriorSetting, "give a parameter a prior and maximise the posterior (MAP), `name=density`, such " +
		"as lengthscale=lognormal(0,1)"},
}

// untilConverged is the shortcut without a value.
const untilConverged = "until-converged"

// settingOf returns the hyperparameter that a shortcut sets.
func settingOf(flag string) string { return strings.ReplaceAll(flag, "-", "_") }

// register adds the flags to a command. If several is set, the help mentions lists of values.
func (f *fieldFlags) register(cmd *cobra.Command, several bool) {
	f.texts = map[string]*string{}
	f.several = several
	flags := cmd.Flags()
	flags.SortFlags = false
	for _, field := range config.RunFields() {
		if field.Name == rundir.TargetsField {
			flags.StringArrayVar(&f.targets, targetFlag, nil,
				"target `column` of a CSV file, by name or number; append :class, :number or :count "+
					"if its numbers are ambiguous; may be repeated (default the last column)")
			continue
		}
		if field.Name == rundir.ColumnsField {
			f.columns.register(cmd)
			continue
		}
		text := field.Help
		if several && field.Name != rundir.PresetField {
			text += "; comma-separated list"
		}
		if usual := usualValue(field); usual != "" {
			text += " (default " + usual + ")"
		}
		f.texts[field.Name] = flags.String(field.Name, "", text)
	}
	values, offer := "set a hyperparameter, `name=value`", completeOr
	if several {
		values = "set a hyperparameter to one or more values, `name=values`"
		offer = completeList
	}
	flags.StringArrayVar(&f.set, "set", nil, values+"; may be repeated (see \"dgplab families NAME\")")
	for _, s := range shortcuts {
		text := s.help
		if several {
			text += "; comma-separated list"
		}
		flags.String(s.flag, "", text+"; same as --set "+settingOf(s.flag))
	}
	for i, s := range controlShortcuts {
		text := s.help + "; may be repeated"
		if several {
			text += "; values to compare are separated by semicolons"
		}
		flags.StringArrayVar(&f.controls[i], s.flag, nil, text+"; same as --set "+s.flag)
	}
	flags.Bool(untilConverged, false,
		"stop when there is no significant improvement, or after --steps; same as --set "+
			"until_converged=on")
	completeFlags(cmd, map[string]cobra.CompletionFunc{
		"warm-start":        complete(func() []string { return append(runNames(), familyNames()...) }),
		rundir.DatasetField: offer(orFiles, datasetNames), rundir.FamilyField: offer(noFiles, familyNames),
		rundir.PresetField: completePreset, "set": completeSet,
	})
}

// targetFlag is the flag of rundir.TargetsField.
const targetFlag = "target"

// usualValue returns the default of a field, or "" if it is determined later.
func usualValue(field models.Hyperparameter) string {
	switch field.Name {
	case rundir.DatasetField:
		return defaultDataset()
	case rundir.FamilyField:
		return models.DefaultFamily
	case rundir.SeedField:
		return field.Default
	}
	return ""
}

// given returns the values of the flags that were set, by field name.
func (f *fieldFlags) given(cmd *cobra.Command) map[string]string {
	texts := map[string]string{}
	for name, text := range f.texts {
		if cmd.Flags().Changed(name) {
			texts[name] = *text
		}
	}
	return texts
}

// settings returns the hyperparameters set by --set and by shortcuts, as NAME=VALUE. It returns an error if a
// hyperparameter is given twice.
func (f *fieldFlags) settings(cmd *cobra.Command) ([]string, error) {
	pairs := slices.Clone(f.set)
	for _, s := range shortcuts {
		if flag := cmd.Flags().Lookup(s.flag); flag.Changed {
			pairs = append(pairs, settingOf(s.flag)+"="+flag.Value.String())
		}
	}
	for i, s := range controlShortcuts {
		if len(f.controls[i]) == 0 {
			continue
		}
		value := strings.Join(f.controls[i], ",")
		if f.several && !strings.Contains(value, ";") {
			value += ";" // Its commas do not separate values of the sweep.
		}
		pairs = append(pairs, s.flag+"="+value)
	}
	if on, _ := cmd.Flags().GetBool(untilConverged); on {
		pairs = append(pairs, settingOf(untilConverged)+"=on")
	}
	seen := map[string]bool{}
	for _, pair := range pairs {
		name, _, ok := strings.Cut(pair, "=")
		name = strings.TrimSpace(name)
		if !ok || name == "" {
			return nil, usage(cmd, "bad value: --set %q; want name=value", pair)
		}
		if seen[name] {
			return nil, usage(cmd, "%s is given twice", name)
		}
		seen[name] = true
	}
	return pairs, nil
}

// allowMemoryFlag adds the flag that allows runs that are not expected to fit into memory.
func allowMemoryFlag(cmd *cobra.Command, allow *bool) {
	cmd.Flags().BoolVar(allow, "allow-memory", false,
		"train even if the run is not expected to fit into free memory")
}

// flagOf returns the command-line notation in front of the value of a field. It is a shortcut if the command
// line uses it.
func flagOf(cmd *cobra.Command, name string) string {
	shortcut := strings.ReplaceAll(name, "_", "-")
	switch {
	case cmd.Flags().Changed(shortcut):
		return "--" + shortcut
	case name == rundir.TargetsField:
		return "--" + targetFlag
	case name == rundir.ColumnsField:
		return "" // The value contains the flag.
	case rundir.IsField(name):
		return "--" + name
	}
	return "--set " + name
}
