package cli

import (
	"context"
	"encoding/csv"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"dgplab/datasets/files"
	"dgplab/datasets/table"
	"dgplab/session"
	"dgplab/session/probe"
	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz/canvas"
	"dgplab/viz/tables"
)

const (
	// hypercube precedes the number of candidates of a Latin hypercube.
	hypercube = "lhs:"
	// mostSuggestions is the maximum number of suggestions.
	mostSuggestions = 100
)

// suggestFlags are the flags of dgplab suggest.
type suggestFlags struct {
	criterion, candidates, goal, out, data string
	count                                  int
}

// The values of --goal.
const (
	goalMinimum = "minimum"
	goalMaximum = "maximum"
)

func (c *console) suggestCommand() *cobra.Command {
	f := new(suggestFlags)
	cmd := &cobra.Command{
		Use:   "suggest RUN",
		Short: "Suggest the next inputs of an experiment",
		Long: `Suggest where to measure next, with the model of a run at its last checkpoint.
The model of a run is rebuilt, so its data must be available; a packed model needs
nothing else.

The criterion is one of
  alm   the largest variance (MacKay 1992)
  alc   the largest reduction of the mean variance over the candidates (Cohn 1994)
  imse  the largest reduction of the variance over the box of the training inputs
        (Sacks et al. 1989)
  ei    the largest expected improvement on the best predicted mean at the training
        inputs (Jones et al. 1998), for a single real target

Candidates are the rows of a table with the inputs of the run, or lhs:N, a Latin
hypercube of N points over the box of the training inputs. Several suggestions form
a batch: each is chosen given observations at the previous ones, which change the
covariance but not the parameters; for ei they are assumed to equal their means.
Covariances of functions are exact for GP regression in closed form, and otherwise
estimated from 256 joint draws. Families without joint draws support alm and ei
only, and their suggestions ignore each other. For classes, variances refer to the
latent functions. Scores are in standardised units.

With --out, the inputs are written as a table that dgplab predict reads. Repeating
the command gives the same suggestions.

` + runHelp,
		Example: `  dgplab suggest latest --count 5
  dgplab suggest latest --criterion ei --goal maximum --candidates lhs:500
  dgplab suggest 20250131-142501 --criterion imse --candidates possible.csv --out next.csv`,
		ValidArgsFunction: completeFirst(modelNames),
		Args:              exactlyOne("run"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.suggest(cmd, f, args[0])
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.criterion, "criterion", string(probe.ALM), strings.Join(criteria(), ", "))
	flags.StringVar(&f.candidates, "candidates", hypercube+strconv.Itoa(probe.UsualCandidates),
		"a table `file`, - for standard input, or lhs:N for a Latin hypercube")
	flags.IntVar(&f.count, "count", 1, "`number` of suggestions")
	flags.StringVar(&f.goal, "goal", goalMinimum, "what ei looks for: minimum, maximum")
	flags.StringVar(&f.out, "out", "", "write the inputs to this `file`")
	dataFlag(cmd, &f.data)
	formFlags(cmd, jsonForm)
	completeFlags(cmd, map[string]cobra.CompletionFunc{
		"criterion":  complete(criteria),
		"candidates": completeOr(orFiles, func() []string { return nil }),
		"goal":       complete(func() []string { return []string{goalMinimum, goalMaximum} }),
		"out":        completeOr(orFiles, func() []string { return nil }),
	})
	return cmd
}

// criteria returns the names of the criteria.
func criteria() []string {
	return eachOf(probe.Criteria, func(c probe.Criterion) string { return string(c) })
}

// options returns the options of the flags, or a usage error.
func (f *suggestFlags) options(cmd *cobra.Command) (o probe.SuggestOptions, err error) {
	for _, list := range []struct {
		flag, value string
		allowed     []string
	}{{"criterion", f.criterion, criteria()}, {"goal", f.goal, []string{goalMinimum, goalMaximum}}} {
		if !slices.Contains(list.allowed, list.value) {
			return o, usage(cmd, "unknown %s: %q%s", list.flag, list.value,
				didYouMeanOr(list.value, list.allowed))
		}
	}
	if f.count < 1 || f.count > mostSuggestions {
		return o, usage(cmd, "bad value: --count=%d; want 1 to %d", f.count, mostSuggestions)
	}
	o = probe.SuggestOptions{
		Criterion: probe.Criterion(f.criterion), Count: f.count, Maximise: f.goal == goalMaximum,
	}
	if text, ok := strings.CutPrefix(f.candidates, hypercube); ok {
		o.Hypercube, err = strconv.Atoi(text)
		if err != nil || o.Hypercube < 1 {
			return o, usage(cmd, "bad value: --candidates=%s; want a file or lhs:N", f.candidates)
		}
	}
	return o, nil
}

// suggest runs dgplab suggest.
func (c *console) suggest(cmd *cobra.Command, f *suggestFlags, run string) error {
	o, err := f.options(cmd)
	if err != nil {
		return err
	}
	trained, err := findModel(run, f.data)
	if err != nil {
		return err
	}
	ctx, _ := c.watchSignals(cmd.Context(), "stopping")
	name, in, err := c.candidateTable(ctx, cmd, f.candidates, o)
	if err != nil {
		return err
	}
	var reader io.Reader
	if in != nil {
		defer in.Close()
		reader = in
	}
	done, err := session.Suggest(ctx, trained, name, reader, o)
	switch {
	case err != nil && ctx.Err() != nil:
		return &interruptedError{"interrupted; nothing was suggested"}
	case err != nil:
		return err
	}
	if f.out != "" {
		if err := writeInputs(kit.ExpandPath(f.out), done); err != nil {
			return err
		}
	}
	return c.write(cmd, output{
		text: func() string { return c.suggestionsText(done, f.out) },
		json: func() any { return done },
	})
}

// candidateTable opens the table of candidates. It returns nil for a Latin hypercube.
func (c *console) candidateTable(
	ctx context.Context, cmd *cobra.Command, path string, o probe.SuggestOptions,
) (string, io.ReadCloser, error) {
	if o.Hypercube > 0 {
		return "", nil, nil
	}
	name := kit.ExpandPath(path)
	in, err := c.input(ctx, name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil, usage(cmd, "no such file: %s", name)
	}
	if name == standard {
		name = "standard input"
	}
	return name, in, err
}

// writeInputs writes the suggested inputs as a table.
func writeInputs(path string, s *probe.Suggestions) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return errors.New(path + " is a folder; give a file to write to")
	}
	return files.ReplaceAt(files.OS, path, func(w io.Writer) error {
		out := csv.NewWriter(w)
		out.Write(table.PlainCells(s.Inputs)) // Flush reports the error.
		for _, one := range s.List {
			out.Write(table.PlainCells(one.Inputs))
		}
		out.Flush()
		return out.Error()
	})
}

// suggestionsText describes suggestions.
func (c *console) suggestionsText(s *probe.Suggestions, out string) string {
	var rows facts
	rows.add("run", "%s, step %s", s.Run, report.Grouped(s.Step))
	text := report.Grouped(s.Candidates) + " candidates"
	if s.References > 0 {
		text += ", averaged over " + plural(s.References, "point")
	}
	rows.add("criterion", "%s of %s", s.Criterion, text)
	switch {
	case s.Note != "":
		rows.add("note", "%s", s.Note)
	case s.Draws > 0:
		rows.add("covariance", "estimated from %d joint draws", s.Draws)
	}
	if out != "" {
		rows.add("written to", "%s", out)
	}
	return rows.String() + "\n" + c.tableText(suggestionTable(s))
}

// suggestionTable has a row for each suggestion.
func suggestionTable(s *probe.Suggestions) tables.Table {
	t := tables.Table{Columns: []tables.Column{{Title: "", Right: true}}}
	withRows := len(s.List) > 0 && s.List[0].Row > 0
	if withRows {
		t.Columns = append(t.Columns, tables.Column{Title: "row", Right: true})
	}
	add := func(title string) {
		t.Columns = append(t.Columns, tables.Column{Title: report.Printable(title), Right: true})
	}
	for _, name := range s.Inputs {
		add(name)
	}
	add("score")
	for _, name := range s.Targets {
		add(name + " mean")
		add(name + " sd")
	}
	for i, one := range s.List {
		row := []string{strconv.Itoa(i + 1)}
		if withRows {
			row = append(row, report.Grouped(one.Row))
		}
		for _, cell := range one.Inputs {
			row = append(row, report.Printable(cell))
		}
		row = append(row, canvas.Number(one.Score))
		for k, mean := range one.Mean {
			row = append(row, canvas.Number(mean), canvas.Number(one.SD[k]))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
