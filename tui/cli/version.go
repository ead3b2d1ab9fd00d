package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

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

// versionText says which dgplab this is: the module's version, the revision that
// it was built from where that is known, and the platform. info may be nil.
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
	return fmt.Sprintf("dgplab %s%s%s, %s, %s/%s", version, revision, changed, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
