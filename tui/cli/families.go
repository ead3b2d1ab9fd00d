package cli

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/config"
	"dgplab/session/rundir"
	"dgplab/viz/tables"
)

func (c *console) familiesCommand() *cobra.Command {
	var advice adviceFlags
	cmd := c.withOutput(&cobra.Command{
		Use:   "families [NAME]",
		Short: "List the model families, or the hyperparameters of a family",
		Long: `List the model families, or the hyperparameters and presets of one family. For
each hyperparameter, the list shows the name, default, allowed values,
description, the value used in the paper, and the condition under which it has
an effect. A preset is a complete set of values for --preset; the values that
differ from the defaults are shown.

With --for, three families are recommended for a data set, with the expected times
of runs with the defaults: the best for speed, uncertainty and reference, or with
--question three for one of these. The recommendations follow rules about the
number of rows and the kind of targets, each with its source; nothing is trained
but a few steps for the times.`,
		Example: `  dgplab families
  dgplab families star
  dgplab families star --json
  dgplab families --for data.csv
  dgplab families --for boston --question interpretability`,
		ValidArgsFunction: complete(familyNames),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage(cmd, "unexpected argument: %q; want one family", args[1])
			}
			return nil
		},
	}, func(cmd *cobra.Command, args []string) (output, error) {
		if advice.data != "" || advice.question != "" {
			return c.advise(cmd, args, &advice)
		}
		if len(args) == 0 {
			return output{text: c.familiesText, json: func() any { return models.Families() }}, nil
		}
		if err := checkFamily(cmd, args[0]); err != nil {
			return output{}, err
		}
		spec, err := models.Lookup(args[0])
		return output{
			text: func() string { return familyText(spec) },
			json: func() any { return familyFor(spec) },
		}, err
	})
	advice.register(cmd)
	return cmd
}

// familyJSON is a family with its hyperparameters and presets.
type familyJSON struct {
	models.Spec
	Hyperparameters []hyperparameterJSON `json:"hyperparameters"`
	Presets         []presetJSON         `json:"presets,omitempty"`
}

// hyperparameterJSON is a hyperparameter with its allowed values. Min and Max are set only for numbers. When
// is the condition under which the hyperparameter has an effect.
type hyperparameterJSON struct {
	models.Hyperparameter
	Group   string   `json:"group"`
	Kind    string   `json:"kind"`
	When    string   `json:"when,omitempty"`
	Min     *float64 `json:"min,omitempty"`
	Max     *float64 `json:"max,omitempty"`
	Allowed string   `json:"allowed"`
}

// presetJSON is a preset with the values that differ from the defaults.
type presetJSON struct {
	family.Preset
	Changes map[string]string `json:"changes"`
}

func (c *console) familiesText() string {
	t := tables.Table{Columns: []tables.Column{
		{Title: "name"}, {Title: "title", Drop: 1}, {Title: "description", Least: 60},
	}}
	for _, spec := range models.Families() {
		t.Rows = append(t.Rows, []string{spec.Name, spec.Title, spec.Summary})
	}
	return c.tableText(t)
}

// group holds the hyperparameters under a heading.
type group struct {
	name string
	list []models.Hyperparameter
}

func groups(spec models.Spec) []group {
	n := len(spec.Hyperparameters)
	fields := config.Fields(spec)[len(config.RunFields()):]
	return []group{{"model", fields[:n]}, {"training", fields[n:]}}
}

// familyFor returns a family with its hyperparameters and presets.
func familyFor(spec models.Spec) familyJSON {
	out := familyJSON{Spec: spec}
	for _, g := range groups(spec) {
		for _, h := range g.list {
			full := hyperparameterJSON{
				Hyperparameter: h,
				Group:          g.name,
				Kind:           h.Kind.String(),
				When:           h.When.String(),
				Allowed:        h.Allowed(),
			}
			if h.Kind.Number() {
				full.Min, full.Max = &h.Min, &h.Max
			}
			out.Hyperparameters = append(out.Hyperparameters, full)
		}
	}
	for _, p := range spec.Presets {
		out.Presets = append(out.Presets, presetJSON{p, presetChanges(spec, p.Name)})
	}
	return out
}

// familyText describes a family as text.
func familyText(spec models.Spec) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n%s\nsource: %s\n", spec.Name, spec.Title, spec.Summary, spec.Source)
	width := 0
	for _, g := range groups(spec) {
		for _, h := range g.list {
			width = max(width, len(h.Name)+len("=")+len(h.Default))
		}
	}
	for _, g := range groups(spec) {
		fmt.Fprintf(&b, "\n%s (name=default: allowed values)\n", g.name)
		for _, h := range g.list {
			fmt.Fprintf(&b, "  %-*s  %s\n", width, h.Name+"="+h.Default, h.Allowed())
			fmt.Fprintf(&b, "  %-*s  %s\n", width, "", h.Help)
			for _, fact := range [][2]string{{"default of", h.Source}, {"paper:", h.Paper},
				{"only with", h.When.String()}} {
				if fact[1] != "" {
					fmt.Fprintf(&b, "  %-*s  %s %s\n", width, "", fact[0], fact[1])
				}
			}
		}
	}
	if len(spec.Presets) > 0 {
		fmt.Fprintf(&b, "\npresets (with differences from the defaults)\n")
	}
	for _, p := range spec.Presets {
		changes := presetChanges(spec, p.Name)
		var values []string
		for _, name := range sortedKeys(changes) {
			values = append(values, name+"="+changes[name])
		}
		fmt.Fprintf(&b, "  %s: %s (%s)\n    %s\n", p.Name, p.Title, p.Source,
			cmp.Or(strings.Join(values, " "), "same as the defaults"))
	}
	return trimLines(b.String())
}

// presetChanges returns the values of a preset that differ from the defaults.
func presetChanges(spec models.Spec, name string) map[string]string {
	c, err := config.WithPreset(rundir.Config{Family: spec.Name}, name)
	if err != nil {
		return nil // Tests check the presets of the registry.
	}
	return c.Set
}
