package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dgplab/datasets/wording"
	"dgplab/session/interrupt"
	"dgplab/tui/report"
)

// Run executes a command line without the program name and returns the exit status. It may be called several
// times.
func Run(ctx context.Context, s Streams, args []string) int {
	if s.Exit == nil {
		s.Exit = os.Exit
	}
	ctx, over := context.WithCancel(ctx)
	defer over()
	ending, end := context.WithCancel(ctx)
	defer end()
	s.Out = interrupt.Limit(ending, s.Out)
	s.Err = interrupt.Limit(ending, s.Err)
	c := &console{Streams: s, end: end, getenv: os.Getenv}
	root := c.root()
	help := &errorWriter{Writer: c.Out}
	root.SetOut(report.PrintableWriter{Writer: help})
	strictCompletion(root)
	root.SetArgs(append([]string{}, args...)) // SetArgs(nil) would select os.Args.
	err := root.ExecuteContext(ctx)
	return c.report(cmp.Or(err, help.err))
}

// errorWriter is a writer that records its first error, because cobra ignores errors while printing help.
type errorWriter struct {
	io.Writer
	err error
}

// Write implements io.Writer.
func (w *errorWriter) Write(text []byte) (int, error) {
	n, err := w.Writer.Write(text)
	w.err = cmp.Or(w.err, err)
	return n, err
}

// root returns the root command.
func (c *console) root() *cobra.Command {
	cobra.EnableCommandSorting = false
	root := c.workbenchCommand()
	info, _ := debug.ReadBuildInfo()
	root.Version = versionText(info)
	root.SetVersionTemplate("{{.Version}}\n")
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetIn(c.In)
	root.SetErr(report.PrintableWriter{Writer: c.Err})
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(c.trainCommand(), c.sweepCommand(), c.compareCommand(), c.exportCommand(),
		c.predictCommand(), c.suggestCommand(), c.packCommand(), c.reproduceCommand(),
		c.familiesCommand(), c.datasetsCommand(), c.runsCommand(), c.benchCommand(), c.manCommand(),
		c.versionCommand())
	root.SetHelpCommand(c.helpCommand())
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), "Flags.FlagUsages ",
		"Flags.FlagUsagesWrapped 80 "))
	root.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveNoFileComp)
	return root
}

// strictCompletion adds cobra's completion command, which writes to the current output of root. The command
// rejects unknown arguments.
func strictCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	completion, _, err := root.Find([]string{"completion"})
	if err != nil {
		panic(err) // The command always exists.
	}
	completion.Args = noArguments
	completion.RunE = func(cmd *cobra.Command, _ []string) error {
		return usage(cmd, "missing argument: want one of %s", strings.Join(subcommands(cmd), ", "))
	}
	for _, shell := range completion.Commands() {
		shell.Args = noArguments
	}
}

// helpCommand is cobra's help command with an error for unknown commands.
func (c *console) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [command]",
		Short: "Help about any command",
		RunE: func(cmd *cobra.Command, args []string) error {
			topic := cmd.Root()
			for _, name := range args {
				sub := slices.Index(subcommands(topic), name)
				if sub < 0 {
					return usage(topic, "unknown command: %q%s", name,
						wording.DidYouMean(name, subcommands(topic), ""))
				}
				topic = topic.Commands()[sub]
			}
			topic.InitDefaultHelpFlag()
			return topic.Help()
		},
	}
}

func (c *console) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: "  dgplab version",
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			info, _ := debug.ReadBuildInfo()
			return c.print(versionText(info) + "\n")
		},
	}
}

// versionText returns the version of the module, the platform and, if known, the revision. info may be nil.
func versionText(info *debug.BuildInfo) string {
	version, revision, changed := "(devel)", "", ""
	if info != nil {
		if info.Main.Version != "" {
			version = info.Main.Version
		}
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				revision = fmt.Sprintf(" %.12s", s.Value)
			case s.Key == "vcs.modified" && s.Value == "true":
				changed = " (modified)"
			}
		}
	}
	return fmt.Sprintf("dgplab %s%s%s, %s, %s/%s",
		version, revision, changed, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
