package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"dgplab/datasets"
	"dgplab/viz/canvas"
	"dgplab/viz/tables"
)

func (c *console) datasetsCommand() *cobra.Command {
	cmd := c.withOutput(&cobra.Command{
		Use:   "datasets",
		Short: "List, show and fetch data sets",
		Long: `List the built-in and downloadable data sets with their numbers of rows N,
inputs D, targets P and official splits (standard:0, standard:1, ...). To use a
CSV file instead, pass its path to --dataset.`,
		Example: `  dgplab datasets
  dgplab datasets fetch boston energy`,
		Args: noArguments,
	}, func(*cobra.Command, []string) (output, error) {
		return output{text: c.datasetsText, json: func() any { return datasets.Catalogue() }}, nil
	})
	cmd.AddCommand(c.fetchCommand(), c.showDatasetCommand())
	return cmd
}

func (c *console) datasetsText() string {
	t := tables.Table{Columns: []tables.Column{
		{Title: "name"}, {Title: "kind", Drop: 1},
		{Title: "rows", Right: true}, {Title: "D", Right: true},
		{Title: "P", Right: true, Drop: 2},
		{Title: "splits", Right: true},
		{Title: "here"}, {Title: "title", Least: 12},
	}}
	for _, i := range datasets.Catalogue() {
		here, splits := "yes", "-"
		if !i.Cached {
			here = "no"
		}
		if i.Splits > 0 {
			splits = strconv.Itoa(i.Splits)
		}
		t.Rows = append(t.Rows, []string{i.Name, i.Kind.String(), strconv.Itoa(i.N), strconv.Itoa(i.D),
			strconv.Itoa(i.P), splits, here, i.Title})
	}
	return c.tableText(t) + "\n" + defaultDataset() +
		" is the default. To download a data set, run: dgplab datasets fetch NAME\n"
}

func (c *console) fetchCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "fetch NAME... | all",
		Short: "Download data sets into the cache",
		Long: `Download data sets into the cache and verify them. Cached data sets are not
downloaded again. The cache is $DGPLAB_CACHE, or dgplab/datasets in
$XDG_CACHE_HOME or ~/.cache. $DGPLAB_MIRROR is the URL of a mirror (http://,
https:// or file://). Ctrl-C leaves no incomplete files.`,
		Example: `  dgplab datasets fetch boston energy
  dgplab datasets fetch all`,
		ValidArgsFunction: complete(fetchableNames),
		RunE:              c.fetch,
	}
}

// fetch runs dgplab datasets fetch. It continues with the other data sets if one fails.
func (c *console) fetch(cmd *cobra.Command, names []string) error {
	names, err := c.wanted(cmd, names)
	if err != nil {
		return err
	}
	gentle, _ := c.watchSignals(cmd.Context(), "stopping")
	var failed []error
	for _, name := range names {
		line := &fetchLine{statusLine: c.newStatusLine()}
		err := datasets.Fetch(gentle, name, line.show)
		line.end(name, err)
		if errors.Is(err, context.Canceled) {
			return &interruptedError{"interrupted; " + name + " was not fetched"}
		}
		failed = append(failed, err)
	}
	return errors.Join(failed...)
}

// wanted returns the names to fetch, without duplicates.
func (c *console) wanted(cmd *cobra.Command, names []string) ([]string, error) {
	known := fetchableNames()
	if len(names) == 0 {
		return nil, usage(cmd, "missing argument: want names of data sets, or all")
	}
	var list []string
	for _, name := range names {
		switch {
		case name == datasets.All:
			return known, nil
		case slices.Contains(known, name):
			if !slices.Contains(list, name) {
				list = append(list, name)
			}
		case slices.Contains(datasetNames(), name):
			c.say("%s is built in, nothing to fetch", name)
		default:
			return nil, usage(cmd, "unknown data set: %q%s", name, didYouMeanOr(name, known))
		}
	}
	return list, nil
}

// fetchLine shows the progress of downloading a data set on standard error. On a terminal it overwrites a
// line. Otherwise it prints a line at the start, for every repeated attempt at a file, and at the end.
type fetchLine struct {
	*statusLine
	shown time.Time
	last  datasets.Progress
	begun bool
}

// redrawPeriod is the minimum interval between updates of a line.
const redrawPeriod = 100 * time.Millisecond

func (l *fetchLine) show(p datasets.Progress) {
	retry := p.Attempt > 1 && (p.File != l.last.File || p.Attempt != l.last.Attempt)
	switch {
	case l.rewrite:
		if retry || time.Since(l.shown) >= redrawPeriod {
			l.shown = time.Now()
			l.statusLine.show(progressText(p))
		}
	case retry:
		l.say("%s: %s: attempt %d", p.Name, p.File, p.Attempt)
	case !l.begun && p.FilesDone < p.Files:
		l.say("%s: fetching %s, %s", p.Name, plural(p.Files, "file"), canvas.Bytes(p.Bytes))
	}
	l.begun, l.last = true, p
}

// end writes the final message.
func (l *fetchLine) end(name string, err error) {
	l.statusLine.end()
	if err == nil {
		l.say("%s: complete, %s", name, canvas.Bytes(l.last.Bytes))
	}
}

// progressText describes the progress in fewer than 80 columns.
func progressText(p datasets.Progress) string {
	text := fmt.Sprintf("%s: %d of %s, %s of %s",
		p.Name, p.FilesDone, plural(p.Files, "file"), canvas.Bytes(p.BytesDone), canvas.Bytes(p.Bytes))
	if p.Attempt > 1 {
		text += fmt.Sprintf(", attempt %d", p.Attempt)
	}
	return text
}
