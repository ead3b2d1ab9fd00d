package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dgplab/session/rundir"
)

// idHelp is the end of the help text of commands with IDs as arguments.
const idHelp = `
ID is the ID of a run, a unique prefix of it, the name of a run, or latest for
the newest run (latest~1 is the run before it).`

func (c *console) tagCommand() *cobra.Command {
	return c.notesCommand("tag ID TAG...", "Add tags to a run",
		"Add tags to a run. To find runs with a tag, run: dgplab runs tag:TAG.",
		"  dgplab runs tag 20250131-142501 paper fig3", 2, -1,
		func(n *rundir.Notes, tags []string) { n.Tags = append(n.Tags, tags...) })
}

func (c *console) untagCommand() *cobra.Command {
	return c.notesCommand("untag ID TAG...",
		"Remove tags from a run", "Remove tags from a run.",
		"  dgplab runs untag 20250131-142501 fig3", 2, -1,
		func(n *rundir.Notes, tags []string) {
			n.Tags = slices.DeleteFunc(n.Tags, func(tag string) bool { return slices.Contains(tags, tag) })
		})
}

func (c *console) renameCommand() *cobra.Command {
	return c.notesCommand("rename ID NAME", "Set the name of a run",
		`Set the name of a run, which can be used instead of its ID. An empty NAME ("")
removes the name. The ID and the directory do not change.`,
		`  dgplab runs rename 20250131-142501 "small steps"`, 2, 2,
		func(n *rundir.Notes, name []string) { n.Name = name[0] })
}

func (c *console) noteCommand() *cobra.Command {
	return c.notesCommand("note ID TEXT", "Set the note of a run",
		`Set the note of a run, replacing any previous note. An empty TEXT ("") removes
the note.`, `  dgplab runs note 20250131-142501 "diverges without whitening"`, 2, 2,
		func(n *rundir.Notes, text []string) { n.Note = text[0] })
}

// notesCommand returns a command that changes the notes of a run. The first argument is the run, and the
// other arguments are the change. The number of arguments is between least and most, where a most of -1 means
// no limit.
func (c *console) notesCommand(
	use, short, long, example string, least, most int, change func(*rundir.Notes, []string),
) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Long: long + "\n" + idHelp, Example: example,
		ValidArgsFunction: completeFirst(runNames),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < least || most >= 0 && len(args) > most {
				return usage(cmd, "want %s, not %s", strings.TrimPrefix(use, cmd.Name()+" "),
					plural(len(args), "argument"))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			info, err := findRun(args[0])
			if err != nil {
				return err
			}
			err = rundir.Annotate(info.ID, func(n *rundir.Notes) { change(n, args[1:]) })
			var refused *rundir.NotesError
			switch {
			case errors.As(err, &refused):
				return usage(cmd, "%s: %s", info.ID, oneLine(err))
			case err != nil:
				return fmt.Errorf("%s: %w", info.ID, err)
			}
			info, err = rundir.Find(info.ID)
			if err == nil {
				c.say("%s: %s", info.ID, notesLine(info.Notes))
			}
			return err
		},
	}
}

// findRun is rundir.Find with a hint in its error.
func findRun(id string) (rundir.Info, error) {
	info, err := rundir.Find(id)
	return info, noRun(err, "dgplab runs")
}

// findRuns is findRun for several runs.
func findRuns(ids []string) ([]rundir.Info, error) {
	var runs []rundir.Info
	for _, id := range ids {
		info, err := findRun(id)
		if err != nil {
			return nil, err
		}
		runs = append(runs, info)
	}
	return runs, nil
}

// readRuns is findRuns for commands that only read. It also accepts paths of runs in other folders.
func readRuns(ids []string) ([]rundir.Info, error) {
	var runs []rundir.Info
	for _, id := range ids {
		info, err := rundir.FindReadOnly(id)
		if err != nil {
			return nil, noRun(err, "dgplab runs")
		}
		runs = append(runs, info)
	}
	return runs, nil
}

// noRun turns rundir.ErrNoRun into a usage error with a hint and returns other errors unchanged.
func noRun(err error, hint string) error {
	if errors.Is(err, rundir.ErrNoRun) {
		return &usageError{oneLine(err), hint}
	}
	return err
}

// notesLine returns notes as one line.
func notesLine(n rundir.Notes) string {
	var parts []string
	add := func(what, text string) {
		if text != "" {
			parts = append(parts, what+" "+text)
		}
	}
	add("name", n.Name)
	add("tags", strings.Join(n.Tags, ", "))
	add("note", strings.Join(strings.Fields(n.Note), " "))
	if len(parts) == 0 {
		return "no notes"
	}
	return strings.Join(parts, "; ")
}

func (c *console) deleteCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "delete ID...",
		Short: "Move runs to the trash",
		Long: `Move runs to the trash. To undo this, run "dgplab runs restore". The trash is
the folder .trash next to the run directories; delete files there to free the
space. Runs that are being trained cannot be deleted.` + idHelp,
		Example:           "  dgplab runs delete 20250131-142501",
		ValidArgsFunction: complete(runNames),
		Args:              atLeastRuns(1),
		RunE: func(_ *cobra.Command, args []string) error {
			runs, err := findRuns(args)
			if err != nil {
				return err
			}
			return each(idsOf(runs, nil), func(id string) error {
				if err := rundir.Trash(id); err != nil {
					return err
				}
				c.say("%s: moved to the trash; to undo, run: dgplab runs restore %s", id, id)
				return nil
			})
		},
	}
}

func (c *console) restoreCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "restore ID...",
		Short: "Restore runs from the trash",
		Long: `Restore runs from the trash (see "dgplab runs trash").
` + idHelp,
		Example:           "  dgplab runs restore 20250131-142501",
		ValidArgsFunction: complete(trashedNames),
		Args:              atLeastRuns(1),
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
	return c.withOutput(&cobra.Command{
		Use:     "trash",
		Short:   "List the runs in the trash",
		Long:    `List the runs in the trash. To restore a run, use "dgplab runs restore ID".`,
		Example: "  dgplab runs trash",
		Args:    noArguments,
	}, func(*cobra.Command, []string) (output, error) {
		list, err := rundir.Trashed()
		return c.runs(list, "the trash is empty"), err
	})
}

// atLeastRuns requires at least the given number of IDs.
func atLeastRuns(least int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least {
			return usage(cmd, "want at least %s, not %d", plural(least, "run ID"), len(args))
		}
		return nil
	}
}

// each calls do for every item and joins the errors.
func each(list []string, do func(string) error) error {
	var failed []error
	for _, item := range list {
		failed = append(failed, do(item))
	}
	return errors.Join(failed...)
}
