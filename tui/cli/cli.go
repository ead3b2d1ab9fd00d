package cli

import (
	"context"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"dgplab/tui/printable"
)

// Run carries out one command line, without the name of the program, and returns
// the exit status. It may be called more than once.
func Run(ctx context.Context, s Streams, args []string) int {
	if s.Exit == nil {
		s.Exit = os.Exit
	}
	c := &console{Streams: s, getenv: os.Getenv}
	root := c.root()
	root.SetArgs(append([]string{}, args...)) // Never nil, which would mean os.Args.
	return c.report(root.ExecuteContext(ctx))
}

// root returns the tree of commands.
func (c *console) root() *cobra.Command {
	cobra.EnableCommandSorting = false
	root := c.workbenchCommand()
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetIn(c.In)
	root.SetOut(printable.Writer{Writer: c.Out})
	root.SetErr(printable.Writer{Writer: c.Err})
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(c.trainCommand(), c.sweepCommand(), c.compareCommand(), c.familiesCommand(), c.datasetsCommand(), c.runsCommand(), c.benchCommand(), c.versionCommand())
	root.SetHelpCommand(c.helpCommand())
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), "Flags.FlagUsages ", "Flags.FlagUsagesWrapped 80 "))
	root.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveNoFileComp)
	return root
}

// helpCommand is cobra's, with an error for what is no command.
func (c *console) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [command]",
		Short: "Help about any command",
		RunE: func(cmd *cobra.Command, args []string) error {
			topic, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return usage(cmd.Root(), "unknown command: %q", args[len(args)-len(rest)-min(1, len(args)-len(rest))])
			}
			topic.InitDefaultHelpFlag()
			return topic.Help()
		},
	}
}
