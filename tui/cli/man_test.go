package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Every command has a manual page with its name and all its flags.
func TestManualPages(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "man1")
	o := mustRun(t, "man", folder)
	if o.out != "manual pages in "+folder+"\n" {
		t.Errorf("the output is %q", o.out)
	}
	root := (&console{getenv: os.Getenv}).root()
	var check func(cmd *cobra.Command)
	check = func(cmd *cobra.Command) {
		name := strings.ReplaceAll(cmd.CommandPath(), " ", "-")
		text, err := os.ReadFile(filepath.Join(folder, name+".1"))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		page := strings.ReplaceAll(string(text), `\-`, "-")
		for _, want := range []string{".SH NAME", name + " - ", ".SH SYNOPSIS"} {
			if !strings.Contains(page, want) {
				t.Errorf("%s has no %q", name, want)
			}
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && !strings.Contains(page, "--"+f.Name) {
				t.Errorf("%s has no flag --%s", name, f.Name)
			}
		})
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() {
				check(sub)
			}
		}
	}
	check(root)
}
