package cli

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"dgplab/datasets/files"
	"dgplab/datasets/table"
	"dgplab/session"
	"dgplab/session/compare"
	"dgplab/session/probe"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/report"
)

// standard stands for standard input or standard output.
const standard = "-"

// mostDraws is the maximum number of functions in a table of predictions.
const mostDraws = 1000

// predictFlags holds the flags of dgplab predict.
type predictFlags struct {
	out         string
	quantiles   string
	unknown     string
	data        string
	missing     string
	keep        []string
	above       []float64
	format      string
	digits      int
	draws       int
	allowMemory bool
}

func (c *console) predictCommand() *cobra.Command {
	f := new(predictFlags)
	cmd := &cobra.Command{
		Use:   "predict RUN FILE",
		Short: "Predict new rows with a trained run",
		Long: `Predict the rows of a table with the model of a run at its last checkpoint:
mean, standard deviation and quantiles of the observations, or class
probabilities, in original units. The model of a run is rebuilt, so its data must
be available; a model packed by dgplab pack needs nothing else.

FILE is read in the same way as the file of the run. It may be a pipe; - is
standard input. Columns are matched by the names in the header, in any order.
Without a header they must be in order: either all columns of the run's file, or
only its inputs. Targets are optional; if they are present, the predictions are
scored. Unreadable cells are errors, and nothing is written then.

The output has one line per row with its number, and for each target NAME the
columns NAME (the value in the file), NAME_mean, NAME_sd and quantiles such as
NAME_q95. For classes the columns are NAME_class (the most probable class) and
p_CLASS. The column log_lik is the log predictive density of all targets of the
row. Repeating the command gives the same output.

With --draws, the columns NAME_draw1, NAME_draw2, ... hold functions drawn from
the posterior jointly over all rows, without noise (for classes the latent
functions); the fit page draws the same ones. The table may then have at most
4,000 rows.

With --above 30, the column NAME_above_30 is the probability that an observation of
a real target or a count exceeds 30.

--keep ID copies a column of FILE, as text, so that each prediction has its own
identifier; the data of the run need not have it. Columns of FILE whose names
are those of predictions, such as row and log_lik, get the suffix _data, and a
message says so.

Missing inputs are treated as in the run, unless --missing says otherwise: mean
uses the mean of the training set and predicts all rows, drop leaves rows out, and
error predicts nothing. A message gives the number of rows left out.

The column "outside" names the inputs outside of the range of the training set,
where predictions extrapolate.

A level of a category that the data of the run lack is an error. With --unknown
ignore, the indicators of the category are all zero (0.5 for a single indicator
of two levels), the rows are counted, and the column "unknown" names the inputs.

--format json writes one JSON object for each row with the names of the columns,
and a summary at the end of standard output. --format npz writes a NumPy array for
each column, and --format parquet a Parquet file; both need --out. --json
prints the summary as JSON; without --out it implies --format json.

` + runHelp,
		Example: `  dgplab predict 20250131-142501 new.csv --out predictions.csv
  cut -d, -f2- new.csv | dgplab predict 20250131-142501 - --quantiles 2.5,97.5 > predictions.csv`,
		ValidArgsFunction: completeModelAndFile,
		Args:              modelAndFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.predict(cmd, f, args[0], args[1])
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.out, "out", standard,
		"output `file`, written only when complete; - is standard output")
	flags.StringVar(&f.quantiles, "quantiles", "5,50,95",
		"`percentages` of the quantiles, comma-separated; \"\" for none")
	flags.IntVar(&f.draws, "draws", 0,
		"draw this `number` of functions jointly over all rows")
	flags.StringVar(&f.unknown, "unknown", "error",
		"treatment of levels that the data of the run lack: error or ignore")
	flags.BoolVar(&f.allowMemory, "allow-memory", false,
		"build the model even if it is not expected to fit into free memory")
	flags.StringVar(&f.missing, "missing", "",
		"treatment of missing inputs: mean, drop or error (default that of the run)")
	flags.StringSliceVar(&f.keep, "keep", nil,
		"copy these `columns` of the file, comma-separated, by name or index")
	flags.Float64SliceVar(&f.above, "above", nil,
		"add the probability above this `limit`, in original units; may be repeated")
	flags.StringVar(&f.format, "format", string(probe.CSV),
		"format of the predictions: "+strings.Join(rowFormats(), ", "))
	flags.IntVar(&f.digits, "digits", 0,
		"`number` of significant digits of predictions in csv and json (default all)")
	dataFlag(cmd, &f.data)
	formFlags(cmd, jsonForm)
	completeFlags(cmd, map[string]cobra.CompletionFunc{
		"out":     completeOr(orFiles, func() []string { return nil }),
		"unknown": complete(func() []string { return []string{"error", "ignore"} }),
		"missing": complete(func() []string { return treatments }),
		"format":  complete(rowFormats),
	})
	return cmd
}

// treatments holds the values of --missing.
var treatments = []string{table.MissingMean, table.MissingDrop, table.MissingError}

// rowFormats returns the values of --format.
func rowFormats() []string {
	return eachOf(probe.Formats, func(f probe.Format) string { return string(f) })
}

// options returns the options of the flags, or a usage error.
func (f *predictFlags) options(cmd *cobra.Command) (o probe.RowOptions, err error) {
	o.Quantiles, err = probe.ParseQuantiles(f.quantiles)
	if err != nil {
		return o, usage(cmd, "bad value: --quantiles=%s: %s", f.quantiles, oneLine(err))
	}
	o.Format = probe.Format(f.format)
	if formOf(cmd) == jsonForm && f.out == standard {
		if cmd.Flags().Changed("format") && o.Format != probe.JSON {
			return o, usage(cmd,
				"--json without --out prints rows as JSON; it cannot be used with --format %s", o.Format)
		}
		o.Format = probe.JSON
	}
	switch {
	case f.unknown != "error" && f.unknown != "ignore":
		return o, usage(cmd, "bad value: --unknown=%s; want error or ignore", f.unknown)
	case f.draws < 0 || f.draws > mostDraws:
		return o, usage(cmd, "bad value: --draws=%d; want 0 to %d", f.draws, mostDraws)
	case f.missing != "" && !slices.Contains(treatments, f.missing):
		return o, usage(cmd, "bad value: --missing=%s; want mean, drop or error", f.missing)
	case !slices.Contains(probe.Formats, o.Format):
		return o, usage(cmd, "unknown format: %q%s", f.format, didYouMeanOr(f.format, rowFormats()))
	case !o.Format.Text() && f.out == standard:
		return o, usage(cmd, "--format %s needs --out", f.format)
	case f.digits < 0 || f.digits > 17:
		return o, usage(cmd, "bad value: --digits=%d; want 1 to 17, or 0 for all digits", f.digits)
	case f.digits > 0 && !o.Format.Text():
		return o, usage(cmd, "--digits rounds text; it cannot be used with --format %s", f.format)
	}
	for _, limit := range f.above {
		if math.IsNaN(limit) || math.IsInf(limit, 0) {
			return o, usage(cmd, "bad value: --above=%v; want a finite number", limit)
		}
	}
	o.IgnoreUnknown = f.unknown == "ignore"
	o.Draws, o.Missing, o.Keep, o.Digits = f.draws, f.missing, f.keep, f.digits
	o.Above = slices.Compact(slices.Sorted(slices.Values(f.above)))
	return o, nil
}

// predict runs dgplab predict.
func (c *console) predict(cmd *cobra.Command, f *predictFlags, run, path string) error {
	rows, err := f.options(cmd)
	if err != nil {
		return err
	}
	trained, err := findModel(run, f.data)
	if err != nil {
		return err
	}
	gentle, _ := c.watchSignals(cmd.Context(), "stopping")
	name := kit.ExpandPath(path)
	out := kit.ExpandPath(f.out)
	in, err := c.input(gentle, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return usage(cmd, "no such file: %s", name)
	case err != nil:
		return err
	}
	defer in.Close()
	if name == standard {
		name = "standard input"
	}
	if files.IsPipe(out) {
		c.say("writing to the pipe %s", out)
	}
	line := &predictLine{statusLine: c.newStatusLine(), began: time.Now()}
	rows.Progress = line.show
	done, err := c.predictRows(gentle, trained, name, in, out,
		session.PredictOptions{RowOptions: rows, AllowMemory: f.allowMemory})
	line.end()
	interrupted := errors.Is(err, context.Canceled) || err != nil && gentle.Err() != nil
	switch {
	case interrupted && out == standard:
		return &interruptedError{"interrupted; the predictions are incomplete"}
	case interrupted:
		return &interruptedError{"interrupted; nothing was written to " + out}
	case err != nil:
		return err
	}
	if rows.Format == probe.JSON && out == standard {
		c.remarkPredicted(done, name)
		return c.json(struct {
			Event string `json:"event"`
			*probe.Predicted
		}{"summary", done})
	}
	return c.reportPredicted(cmd, done, name, out)
}

// predictRows writes predictions to a file or to standard output.
func (c *console) predictRows(
	ctx context.Context, run rundir.Info, name string, in io.Reader, out string, o session.PredictOptions,
) (*probe.Predicted, error) {
	if out != standard {
		return session.PredictInto(ctx, run, name, in, out, o)
	}
	return session.Predict(ctx, run, name, in, c.Out, o)
}

// remarkPredicted reports on standard error what the output may not be expected to be.
func (c *console) remarkPredicted(done *probe.Predicted, name string) {
	if done.Dropped > 0 {
		c.say("left out: %s; --missing mean predicts them", leftOut(done))
	}
	if done.Noise != "" {
		c.say("%s", done.Noise)
	}
	if len(done.Renamed) > 0 {
		c.say("columns of %s with names of predictions: %s", name, strings.Join(done.Renamed, ", "))
	}
}

// reportPredicted reports the number of predicted rows and their scores, on standard error if the predictions
// go to standard output.
func (c *console) reportPredicted(cmd *cobra.Command, done *probe.Predicted, name, out string) error {
	c.remarkPredicted(done, name)
	if out != standard {
		return c.write(cmd, output{
			text: func() string { return predictedText(done, name, out) },
			json: func() any { return done },
		})
	}
	c.say("%s of %s predicted by %s, step %s",
		plural(done.Rows, "row"), name, done.Run, report.Grouped(done.Step))
	if done.Outside > 0 {
		c.say("extrapolated: %s", extrapolated(done))
	}
	if done.Unknown > 0 {
		c.say("unknown levels: %s", unknownLevels(done))
	}
	if done.Draws > 0 {
		c.say("draws: %s", drawnText(done))
	}
	if done.Scores != nil {
		c.say("%s with targets: %s",
			plural(done.Scores.N, "row"), report.Scores(done.Scores, compare.UsualMetrics...))
	}
	return nil
}

// leftOut describes the rows that were not predicted.
func leftOut(done *probe.Predicted) string {
	return plural(done.Dropped, "row") + " with missing inputs"
}

// drawnText describes the functions drawn jointly.
func drawnText(done *probe.Predicted) string {
	text := plural(done.Draws, "function") + " drawn jointly over the rows"
	if done.FewerDraws {
		text += "; the chains keep no more samples"
	}
	return text
}

// extrapolated describes the rows outside of the range of the training set.
func extrapolated(done *probe.Predicted) string {
	return plural(done.Outside, "row") + " outside of the training range, marked in the column outside"
}

// unknownLevels describes the rows that have levels that the data of the run lack.
func unknownLevels(done *probe.Predicted) string {
	return plural(done.Unknown, "row") + ", marked in the column unknown"
}

// predictedText describes predictions written to a file.
func predictedText(done *probe.Predicted, name, out string) string {
	var rows facts
	rows.add("run", "%s, step %s", done.Run, report.Grouped(done.Step))
	rows.add("rows", "%s of %s%s", report.Grouped(done.Rows), name, sampled(done.Samples))
	if done.Dropped > 0 {
		rows.add("left out", "%s", leftOut(done))
	}
	if done.Outside > 0 {
		rows.add("extrapolated", "%s", extrapolated(done))
	}
	if done.Unknown > 0 {
		rows.add("unknown levels", "%s", unknownLevels(done))
	}
	if done.Draws > 0 {
		rows.add("draws", "%s", drawnText(done))
	}
	rows.add("written to", "%s", out)
	if done.Scores == nil {
		return rows.String()
	}
	rows.add("scores", "%s with targets, original units", plural(done.Scores.N, "row"))
	rows.scores(done.Scores)
	return rows.String()
}

// predictLine shows the number of predicted rows on a terminal.
type predictLine struct {
	*statusLine
	began, shown time.Time
}

func (l *predictLine) show(rows int) {
	now := time.Now()
	if now.Sub(l.shown) < redrawPeriod {
		return
	}
	l.shown = now
	text := plural(rows, "row") + " predicted"
	if s := now.Sub(l.began).Seconds(); s > 1 {
		text += ", " + strconv.Itoa(int(float64(rows)/s)) + " rows/s"
	}
	l.statusLine.show(text)
}
