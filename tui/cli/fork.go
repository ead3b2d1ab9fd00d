package cli

import (
	"cmp"
	"fmt"
	"maps"
	"strings"

	"github.com/spf13/cobra"

	"dgplab/session"
	"dgplab/session/rundir"
)

// fork starts a run like an old one. given is the configuration of the flags.
func (c *console) fork(cmd *cobra.Command, f *trainFlags, given rundir.Config) error {
	parent, err := findRun(f.from)
	if err != nil {
		return err
	}
	if parent.State == rundir.Broken {
		return fmt.Errorf("%s cannot be forked: %w", parent.ID, parent.Err)
	}
	// Names that are not known are answered by the nearest ones.
	given.Family = cmp.Or(given.Family, parent.Config.Family)
	if err := checkFamily(cmd, given.Family); err != nil {
		return err
	}
	if err := checkSet(given); err != nil {
		return err
	}
	if given.Dataset != "" {
		if err := checkDataset(cmd, given.Dataset); err != nil {
			return err
		}
	}
	changes := maps.Clone(given.Set)
	for name := range f.given(cmd) {
		changes[name] = given.Field(name)
	}
	if len(given.Targets) > 0 {
		changes[rundir.TargetsField] = given.Field(rundir.TargetsField)
	}
	config, err := session.Fork(parent, changes)
	if err != nil {
		return refusedValue(cmd, given.Family, err)
	}
	c.say("fork of %s: %s", parent.ID, changeLine(parent, config))
	return c.start(cmd, config, f, "", session.WithParent(parent.ID))
}

// changeLine says in one line how a configuration differs from that of a run.
func changeLine(parent rundir.Info, config rundir.Config) string {
	var parts []string
	for _, d := range session.Differences([]rundir.Info{parent, {Config: config, Values: config.Set}}) {
		parts = append(parts, d.Field+" "+cmp.Or(d.Values[0], "-")+" to "+cmp.Or(d.Values[1], "-"))
	}
	if len(parts) == 0 {
		return "nothing changed"
	}
	return strings.Join(parts, ", ")
}
