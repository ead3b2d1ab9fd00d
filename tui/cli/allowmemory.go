package cli

import "github.com/spf13/cobra"

// allowMemoryFlag adds the flag that overrides the refusal of runs that do not fit
// the memory.
func allowMemoryFlag(cmd *cobra.Command, allow *bool) {
	cmd.Flags().BoolVar(allow, "allow-memory", false, "train even what does not seem to fit the memory that is free")
}
