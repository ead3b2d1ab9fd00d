package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"dgplab/datasets"
	"dgplab/session"
	"dgplab/tui"
)

// workbenchFlags are the flags of dgplab itself.
type workbenchFlags struct {
	configFlags
	start, ascii, noMouse bool
}

func (c *console) workbenchCommand() *cobra.Command {
	f := new(workbenchFlags)
	cmd := &cobra.Command{
		Use:   "dgplab",
		Short: "A terminal workbench for deep Gaussian processes",
		Long: `A terminal workbench for deep Gaussian processes: pick a data set and a model
family, and watch it train. Without a command the workbench opens, filled in
from the flags; with --start straight on the dashboard of a running training.

When standard output is no terminal, the run is trained without the screen, as
by "dgplab train"; without any flags it is a short demonstration.`,
		Example: `  dgplab
  dgplab --dataset steps --family mean-field --set layers=2 --start
  dgplab train --dataset boston --family star --split standard:0
  dgplab datasets fetch boston`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return c.workbench(cmd, f) },
	}
	f.register(cmd)
	cmd.Flags().BoolVar(&f.start, "start", false, "start training at once")
	cmd.Flags().BoolVar(&f.ascii, "ascii", false, "draw with ASCII characters only")
	cmd.Flags().BoolVar(&f.noMouse, "no-mouse", false, "leave the mouse to the terminal (m in the workbench changes it)")
	return cmd
}

// workbench opens the screen, or trains without one if there is no terminal.
func (c *console) workbench(cmd *cobra.Command, f *workbenchFlags) error {
	config, err := f.config(cmd)
	if err != nil {
		return err
	}
	if !c.interactive() {
		return c.demonstrate(cmd, config)
	}
	config = withDefaults(config)
	err = check(cmd, config)
	var fetch *datasets.NotFetchedError
	if err != nil && (f.start || !errors.As(err, &fetch)) { // The workbench can fetch it.
		return err
	}
	return tui.Run(cmd.Context(), tui.Options{
		Config: config, Start: f.start, ASCII: f.ascii, NoMouse: f.noMouse, Output: c.Out,
	})
}

// demonstrate trains without a screen. When nothing was asked for it is the
// default data set and family, smaller and shorter than they would be: the
// defaults are for results, this is for a first look. The command that does the
// same is printed first.
func (c *console) demonstrate(cmd *cobra.Command, config session.Config) error {
	if config.Dataset == "" && config.Family == "" && len(config.Set) == 0 {
		config.Set = map[string]string{"inducing": "32", "steps": "2000"}
	}
	config = withDefaults(config)
	return c.start(cmd, config, false, "no terminal; this is: "+commandLine(config)+"\n\n")
}
