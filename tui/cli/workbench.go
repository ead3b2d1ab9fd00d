package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"dgplab/datasets"
	"dgplab/session/rundir"
	"dgplab/tui"
	"dgplab/tui/settings"
)

// workbenchFlags holds the flags of the root command.
type workbenchFlags struct {
	fieldFlags
	start, ascii, noMouse, noImages bool
	frameRate                       int
}

func (c *console) workbenchCommand() *cobra.Command {
	f := new(workbenchFlags)
	cmd := &cobra.Command{
		Use:   "dgplab",
		Short: "A terminal workbench for deep Gaussian processes",
		Long: `A terminal workbench for deep Gaussian processes. Choose a data set and a model
family, and watch the training. Without a command the workbench opens with the
values set by flags; with --start it starts training at once. Without values of
hyperparameters, the first run is a quick one, which ends within a minute on this
machine; z changes to the full size.

If standard output is not a terminal, the run is trained as by "dgplab train".
Without flags, this help is printed and the status is 2.`,
		Example: `  dgplab
  dgplab --dataset steps --family mean-field --set layers=2 --start
  dgplab train --dataset boston --family star --split standard:0
  dgplab datasets fetch boston`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return c.workbench(cmd, f) },
	}
	f.register(cmd, false)
	cmd.Flags().BoolVar(&f.start, "start", false, "start training as soon as the data set is available")
	cmd.Flags().BoolVar(&f.ascii, "ascii", false, "draw with ASCII characters only")
	cmd.Flags().BoolVar(&f.noMouse, "no-mouse", false,
		"leave the mouse to the terminal (toggle with m in the workbench)")
	cmd.Flags().BoolVar(&f.noImages, "no-images", false,
		"draw maps with characters even if the terminal can show images")
	cmd.Flags().IntVar(&f.frameRate, "frame-rate", 0,
		fmt.Sprintf("maximum frames per second with new data, %d to %d; use less for a slow link "+
			"(default %d)",
			settings.MinFrameRate, settings.MaxFrameRate, settings.Default().FrameRate))
	return cmd
}

// workbench opens the workbench, or trains without it if standard output is not a terminal.
func (c *console) workbench(cmd *cobra.Command, f *workbenchFlags) error {
	config, err := f.config(cmd)
	if err != nil {
		return err
	}
	if flag := cmd.Flags().Lookup("frame-rate"); flag.Changed &&
		(f.frameRate < settings.MinFrameRate || f.frameRate > settings.MaxFrameRate) {
		return usage(cmd, "bad value: --frame-rate=%d; want a number from %d to %d", f.frameRate,
			settings.MinFrameRate, settings.MaxFrameRate)
	}
	given := config.Dataset+config.Family+config.Split+config.Preset != "" || config.Seed != 0 ||
		len(config.Set)+len(config.Targets)+len(config.Columns.Items()) > 0
	if !c.interactive() && !given && !f.start {
		return noTerminal(cmd)
	}
	sized := f.start || config.Preset != "" || len(config.Set) > 0
	config = withDefaults(config)
	if !c.interactive() {
		preface := "no terminal; running: " + commandLine(config) + "\n\n"
		return c.start(cmd, config, new(trainFlags), preface)
	}
	if err := checkWorkbench(cmd, config); err != nil {
		return err
	}
	if !sized {
		config.Set[rundir.BudgetSetting] = rundir.QuickBudget
	}
	pipe, err := c.pipedData(cmd.Context(), config.Dataset)
	if err != nil {
		return err
	}
	if pipe != nil {
		defer pipe.Close()
	}
	opts := tui.Options{
		Config:   config,
		Pipe:     pipe,
		Given:    given,
		Start:    f.start,
		Remember: true,
		Output:   c.Out,
		Errors:   c.Err,
	}
	opts.Settings, opts.Problems = f.settings()
	defer c.end() // The terminal may no longer accept output.
	return tui.Run(cmd.Context(), opts)
}

// checkWorkbench returns the error that prevents the workbench from opening with a configuration. A missing
// data set is not an error, because the workbench can fetch it.
func checkWorkbench(cmd *cobra.Command, c rundir.Config) error {
	err := check(cmd, c)
	if fetch := new(datasets.NotFetchedError); errors.As(err, &fetch) {
		return nil
	}
	return err
}

// settings returns the user's settings, overridden by flags, and the problems in the settings file.
func (f *workbenchFlags) settings() (s settings.Settings, wrong []error) {
	s, problems := settings.Load()
	for _, p := range problems {
		wrong = append(wrong, p)
	}
	s.ASCII = s.ASCII || f.ascii
	s.Mouse = s.Mouse && !f.noMouse
	s.Images = s.Images && !f.noImages
	if f.frameRate > 0 {
		s.FrameRate = f.frameRate
	}
	return s, wrong
}

// noTerminal prints the help on standard error and returns the error for a workbench without a terminal.
func noTerminal(cmd *cobra.Command) error {
	cmd.SetOut(cmd.ErrOrStderr())
	if err := cmd.Help(); err != nil {
		return err
	}
	return usage(nil, "standard output is not a terminal; to train without the workbench, run: dgplab train")
}
