package cli

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"dgplab/session/config"
	"dgplab/viz/golden"
)

// TestPages checks the generated tables of commands, flags and training hyperparameters.
func TestPages(t *testing.T) {
	tree := commandTree()
	sections := map[string]string{"flags of dgplab": flagTable(onlyHere(tree[0], "train"))}
	var commands [][]string
	for _, cmd := range tree {
		commands = append(commands, commandRow(cmd))
		if flags := flagsOf(cmd); cmd.HasParent() && len(flags) > 1 {
			sections["flags of "+cmd.CommandPath()] = flagTable(flags)
		}
	}
	sections["flags and commands"] = golden.Table([]string{"command", "description", "flags"}, commands)
	golden.Page(t, "README.md", "flags", sections)
	golden.Page(t, "README.md", "hyper", map[string]string{
		"hyperparameters of the training": trainingTable(),
	})
}

// commandRow returns a command with the names of its flags.
func commandRow(cmd *cobra.Command) []string {
	var flags []string
	for _, f := range flagsOf(cmd) {
		flags = append(flags, "`--"+f.Name+"`")
	}
	use := strings.TrimSuffix(cmd.CommandPath(), cmd.Name()) + cmd.Use
	return []string{"`" + use + "`", cmd.Short, strings.Join(flags, " ")}
}

// flagsOf returns the flags of a command except --help.
func flagsOf(cmd *cobra.Command) []*pflag.Flag {
	var flags []*pflag.Flag
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Name != "help" && !f.Hidden {
			flags = append(flags, f)
		}
	})
	return flags
}

// onlyHere returns the flags of a command that the named subcommand does not have.
func onlyHere(cmd *cobra.Command, below string) []*pflag.Flag {
	var flags []*pflag.Flag
	sub, _, _ := cmd.Find([]string{below})
	for _, f := range flagsOf(cmd) {
		if sub.Flags().Lookup(f.Name) == nil {
			flags = append(flags, f)
		}
	}
	return flags
}

// flagTable returns a table with a row per flag, as in the help.
func flagTable(flags []*pflag.Flag) string {
	var rows [][]string
	for _, f := range flags {
		value, text := pflag.UnquoteUsage(f)
		if said := strings.Contains(text, "(default"); !said && f.DefValue != "" &&
			f.DefValue != "[]" && f.DefValue != "false" {
			text += " (default " + f.DefValue + ")"
		}
		rows = append(rows, []string{"`" + strings.TrimSpace("--"+f.Name+" "+value) + "`", text})
	}
	return golden.Table([]string{"flag", "description"}, rows)
}

// trainingTable returns a table with a row per training setting.
func trainingTable() string {
	var rows [][]string
	for _, h := range config.Hyperparameters() {
		rows = append(rows, []string{"`" + h.Name + "`", h.Default, h.Allowed(), h.Help, h.Paper})
	}
	return golden.Table([]string{"name", "default", "allowed", "description", "paper"}, rows)
}
