package cli

import (
	"errors"
	"os"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"dgplab/tui/kit"
)

func (c *console) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write manual pages",
		Long: `Write the manual pages of all commands into a folder, which is created if
necessary: dgplab.1, dgplab-train.1 and so on. Pages of earlier versions are
replaced.`,
		Example:           "  dgplab man ~/.local/share/man/man1",
		Args:              exactlyOne("folder"),
		ValidArgsFunction: onlyFolders,
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.writeManual(cmd.Root(), args[0])
		},
	}
}

// writeManual writes the manual pages of root and of all commands below it.
func (c *console) writeManual(root *cobra.Command, folder string) error {
	folder = kit.ExpandPath(folder)
	err := os.MkdirAll(folder, 0o777)
	if err != nil {
		return err
	}
	info, _ := debug.ReadBuildInfo()
	root.DisableAutoGenTag = true // A page has no other date than that of its header.
	version, _, _ := strings.Cut(versionText(info), ",")
	header := &doc.GenManHeader{Section: "1", Source: version, Manual: "dgplab"}
	return errors.Join(doc.GenManTree(root, header, folder), c.print("manual pages in "+folder+"\n"))
}
