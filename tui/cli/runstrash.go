package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"dgplab/session/rundir"
)

func (c *console) deleteCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "delete ID...",
		Short: "Move runs to the trash",
		Long: `Move runs to the trash, from where "dgplab runs restore" brings them back. The
trash is the folder .trash beside the run directories; nothing is deleted before
you delete files there yourself. A run that is being trained stays.
` + idHelp,
		Example:           "  dgplab runs delete 20250131-142501",
		ValidArgsFunction: complete(runNames),
		Args:              someRuns(1),
		RunE: func(_ *cobra.Command, args []string) error {
			var ids []string
			for _, arg := range args {
				info, err := findRun(arg)
				if err != nil {
					return err
				}
				ids = append(ids, info.ID)
			}
			return each(ids, func(id string) error {
				if err := rundir.Trash(id); err != nil {
					return err
				}
				c.say("%s: moved to the trash; undo with: dgplab runs restore %s", id, id)
				return nil
			})
		},
	}
}

func (c *console) restoreCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "restore ID...",
		Short: "Bring runs back from the trash",
		Long: `Bring runs back from the trash (see "dgplab runs trash").
` + idHelp,
		Example:           "  dgplab runs restore 20250131-142501",
		ValidArgsFunction: complete(trashedNames),
		Args:              someRuns(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return each(args, func(id string) error {
				if err := rundir.Untrash(id); err != nil {
					return noRun(err, "dgplab runs trash")
				}
				c.say("%s: restored", id)
				return nil
			})
		},
	}
}

func (c *console) trashCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "trash",
		Short:   "List the runs in the trash",
		Long:    `List the runs in the trash, which "dgplab runs restore ID" brings back.`,
		Example: "  dgplab runs trash",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			list, err := rundir.Trashed()
			if err != nil {
				return err
			}
			return c.writeRuns(cmd, list, "the trash is empty")
		},
	}
	formFlags(cmd, jsonForm)
	return cmd
}

// someRuns wants at least so many IDs.
func someRuns(least int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least {
			return usage(cmd, "want at least %s, not %d", plural(least, "run ID"), len(args))
		}
		return nil
	}
}

// each does something to every one of a list; one that fails does not keep it from
// the others.
func each(list []string, do func(string) error) error {
	var failed []error
	for _, item := range list {
		failed = append(failed, do(item))
	}
	return errors.Join(failed...)
}
