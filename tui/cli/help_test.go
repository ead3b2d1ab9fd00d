package cli

import (
	"io"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// commandTree returns the command dgplab and all commands below it, apart from those of the library.
func commandTree() []*cobra.Command {
	c := &console{
		Streams: Streams{Out: io.Discard, Err: io.Discard},
		getenv:  func(string) string { return "" },
	}
	var list []*cobra.Command
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		if cmd.Name() == "help" || cmd.Name() == "completion" {
			return
		}
		list = append(list, cmd)
		for _, sub := range cmd.Commands() {
			visit(sub)
		}
	}
	visit(c.root())
	return list
}

// Each command has an explanation and examples that it accepts, describes its flags, and has a page of help
// that fits into a terminal of 100 columns.
func TestHelpPages(t *testing.T) {
	isolate(t)
	for _, cmd := range commandTree() {
		path := cmd.CommandPath()
		page := mustRun(t, append(strings.Fields(path)[1:], "--help")...)
		for line := range strings.Lines(page.out) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 100 {
				t.Errorf("%s --help: want at most 100 columns, found %d: %s", path, n, line)
			}
		}
		if page.err != "" || !strings.Contains(page.out, "\nUsage:\n  "+path) {
			t.Errorf("%s --help: want its usage on standard output, found %v", path, page)
		}
		if cmd.Short == "" || cmd.Example == "" {
			t.Errorf("%s: want a description and an example, found %q and %q", path, cmd.Short, cmd.Example)
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Usage == "" {
				t.Errorf("%s: want a description of --%s, found none", path, f.Name)
			}
		})
		for line := range strings.Lines(cmd.Example) {
			checkExample(t, path, line)
		}
	}
}

// checkExample checks that an example of a help page calls this command with flags and arguments that it has.
func checkExample(t *testing.T, path, line string) {
	t.Helper()
	_, words, found := strings.Cut(line, "dgplab")
	if !found {
		t.Errorf("%s: want an example with dgplab, found %q", path, line)
		return
	}
	words, _, _ = strings.Cut(words, ">")
	args := regexp.MustCompile(`'[^']*'|"[^"]*"|\S+`).FindAllString(words, -1)
	for i, arg := range args {
		args[i] = strings.Trim(arg, `'"`)
	}
	cmd, args, err := commandTree()[0].Find(args)
	if err == nil {
		err = cmd.ParseFlags(args)
	}
	if err == nil {
		err = cmd.ValidateArgs(cmd.Flags().Args())
	}
	if err != nil {
		t.Errorf("%s: the example %q is refused: %v", path, line, err)
	}
}

// The two ways to ask for help print the same text.
func TestHelpOfCommands(t *testing.T) {
	isolate(t)
	byFlag := dgplab(t, "train", "--help")
	byCommand := dgplab(t, "help", "train")
	if byFlag.out == "" || byCommand != byFlag {
		t.Errorf("help train prints\n%v\ntrain --help prints\n%v", byCommand, byFlag)
	}
}
