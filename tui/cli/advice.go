package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dgplab/datasets/wording"
	"dgplab/models"
	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/report"
)

// adviceFlags holds the flags of dgplab families that ask for recommendations.
type adviceFlags struct {
	data, question string
	targets        []string
	columns        columnFlags
}

// register adds the flags to a command.
func (f *adviceFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.data, "for", "",
		"recommend families for this `data set`, a name or the path of a file")
	flags.StringVar(&f.question, "question", "",
		"with --for, recommend three families for one `question`: "+strings.Join(models.Questions(), ", "))
	flags.StringArrayVar(&f.targets, targetFlag, nil,
		"target column of the file, by name or number; may be repeated")
	f.columns.register(cmd)
	completeFlags(cmd, map[string]cobra.CompletionFunc{
		"for": completeOr(orFiles, datasetNames), "question": complete(models.Questions),
	})
}

// advisedFamily is a recommended family with the expected time of a run with its defaults in seconds, or 0 if
// it is unknown.
type advisedFamily struct {
	models.Advice
	Seconds float64 `json:"seconds,omitempty"`
}

// advise runs dgplab families --for.
func (c *console) advise(cmd *cobra.Command, args []string, f *adviceFlags) (output, error) {
	switch {
	case len(args) > 0:
		return output{}, usage(cmd, "--for and --question recommend families, so %q cannot be named", args[0])
	case f.data == "":
		return output{}, usage(cmd, "--question needs --for with a data set")
	case f.question != "" && !slices.Contains(models.Questions(), f.question):
		return output{}, usage(cmd, "unknown question %q%s", f.question, wording.DidYouMeanOr(f.question,
			models.Questions(), "known ones are "+strings.Join(models.Questions(), ", ")))
	}
	run := rundir.Config{Dataset: dataset(f.data), Targets: f.targets}
	if err := checkDataset(cmd, run.Dataset); err != nil {
		return output{}, err
	}
	var err error
	run.Columns, err = f.columns.choices(cmd, run.Columns)
	if err != nil {
		return output{}, err
	}
	gentle, _ := c.watchSignals(cmd.Context(), "interrupted")
	list, err := advised(gentle, run, f.question)
	if errors.Is(err, context.Canceled) {
		return output{}, &interruptedError{"interrupted before the recommendation"}
	}
	return output{
		text: func() string { return adviceText(f, list) },
		json: func() any { return list },
	}, err
}

// advised returns the recommended families for a question, or the best for all questions if it is "".
func advised(ctx context.Context, run rundir.Config, question string) ([]advisedFamily, error) {
	in := &session.Inspector{AllowMemory: true}
	all, err := in.Advise(ctx, run)
	if err != nil {
		return nil, err
	}
	list := models.Compared(all)
	if question != "" {
		list = slices.DeleteFunc(all, func(a models.Advice) bool { return a.Question != question })
	}
	var families []advisedFamily
	for _, a := range list {
		run.Family = a.Family
		seconds, err := in.Forecast(ctx, run)
		if err != nil {
			return nil, err
		}
		families = append(families, advisedFamily{a, seconds})
	}
	return families, nil
}

// adviceText describes the recommended families and the command that compares them.
func adviceText(f *adviceFlags, list []advisedFamily) string {
	if len(list) == 0 {
		return "no family suits this question and these targets\n"
	}
	var b strings.Builder
	var names []string
	for _, a := range list {
		time := "of unknown duration"
		if a.Seconds > 0 {
			time = "about " + report.Seconds(a.Seconds)
		}
		fmt.Fprintf(&b, "%s, for %s (%s)\n  %s\n  source: %s\n", a.Family, a.Question, time, a.Reason,
			a.Source)
		names = append(names, a.Family)
	}
	fmt.Fprintf(&b, "\ncompare them: dgplab sweep --dataset %s --family %s\n", f.data,
		strings.Join(names, ","))
	return b.String()
}
