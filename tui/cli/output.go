package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dgplab/session/compare"
	"dgplab/tui/report"
	"dgplab/viz/canvas"
	"dgplab/viz/tables"
)

// form is an output format and the name of its flag.
type form string

const (
	textForm     form = ""
	jsonForm     form = "json"
	csvForm      form = "csv"
	markdownForm form = "markdown"
	latexForm    form = "latex"
)

// forms holds all formats except text, with the help texts of their flags.
var forms = []struct {
	form
	help string
}{
	{jsonForm, "print JSON"},
	{csvForm, "print one line per run and metric, in full precision"},
	{markdownForm, "print Markdown tables"},
	{latexForm, "print LaTeX tables (booktabs)"},
}

// formFlags adds the flags of some formats to a command, which rejects several of them.
func formFlags(cmd *cobra.Command, some ...form) {
	for _, f := range forms {
		if slices.Contains(some, f.form) {
			cmd.Flags().Bool(string(f.form), false, f.help)
		}
	}
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		if len(formsOf(cmd)) > 1 {
			return usage(cmd, "--json, --csv, --markdown and --latex are mutually exclusive")
		}
		return nil
	}
}

// formsOf returns the requested formats except text.
func formsOf(cmd *cobra.Command) (list []form) {
	for _, f := range forms {
		if set, err := cmd.Flags().GetBool(string(f.form)); err == nil && set {
			list = append(list, f.form)
		}
	}
	return list
}

// formOf returns the requested format, or text by default.
func formOf(cmd *cobra.Command) form {
	list := formsOf(cmd)
	if len(list) == 0 {
		return textForm
	}
	return list[0]
}

// output holds the result of a command in all supported formats.
type output struct {
	text func() string
	json func() any
	// each replaces json for long lists. It calls visit for each element.
	each   func(visit func(any) error) error
	csv    func(io.Writer) error
	sheets func() []compare.Sheet // for Markdown and LaTeX
	// trouble is the error to return after writing the output.
	trouble error
}

// withOutput turns find into a command with text and JSON output.
func (c *console) withOutput(
	cmd *cobra.Command, find func(cmd *cobra.Command, args []string) (output, error),
) *cobra.Command {
	formFlags(cmd, jsonForm)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		a, err := find(cmd, args)
		if err != nil {
			return err
		}
		return cmp.Or(c.write(cmd, a), a.trouble)
	}
	return cmd
}

// write writes an output in the requested format.
func (c *console) write(cmd *cobra.Command, a output) error {
	switch formOf(cmd) {
	case jsonForm:
		if a.each != nil {
			return c.jsonList(a.each)
		}
		return c.json(a.json())
	case csvForm:
		var text strings.Builder
		if err := a.csv(&text); err != nil {
			return err
		}
		return c.print(text.String())
	case markdownForm:
		return c.print(written(a.sheets(), compare.Sheet.Markdown))
	case latexForm:
		return c.print(written(a.sheets(), compare.Sheet.LaTeX))
	}
	return c.print(a.text())
}

// written joins sheets formatted by write.
func written(sheets []compare.Sheet, write func(compare.Sheet) string) string {
	var parts []string
	for _, s := range sheets {
		parts = append(parts, write(s))
	}
	return strings.Join(parts, "\n")
}

// print writes text to standard output and removes unprintable characters.
func (c *console) print(text string) error {
	return c.put(report.PrintablePicture(text, c.interactive() && c.style().Mode != canvas.NoColor))
}

// put writes text that is already printable.
func (c *console) put(text string) error {
	if text == "" {
		return nil // Do not report a closed pipe if there is nothing to write.
	}
	_, err := io.WriteString(c.Out, text)
	return err
}

// json writes a value as one line of JSON.
func (c *console) json(value any) error {
	text, err := jsonText(value)
	if err != nil {
		return err
	}
	return c.put(text)
}

// jsonText returns a value as one printable line of JSON.
func jsonText(value any) (string, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return "", fmt.Errorf("write JSON: %w", err)
	}
	return report.PrintableJSON(text.String()), nil
}

// jsonList writes the elements of a list as a JSON array on one line. It does not hold all of them in memory.
func (c *console) jsonList(each func(visit func(any) error) error) error {
	out := bufio.NewWriter(c.Out)
	before := "["
	err := each(func(value any) error {
		text, err := jsonText(value)
		if err != nil {
			return err
		}
		_, err = out.WriteString(before + strings.TrimSuffix(text, "\n"))
		before = ","
		return err
	})
	if err != nil {
		return err
	}
	if before == "[" {
		out.WriteString("[") // Flush returns the error.
	}
	out.WriteString("]\n")
	return out.Flush()
}

// tableText returns a table without trailing blanks.
func (c *console) tableText(t tables.Table) string {
	var out strings.Builder
	for line := range t.Lines(c.style(), c.width()) {
		out.WriteString(strings.TrimRight(line, " \n"))
		out.WriteByte('\n')
	}
	return out.String()
}

// trimLines removes trailing blanks from lines and blank lines from the end.
func trimLines(text string) string {
	var out strings.Builder
	for line := range strings.Lines(strings.TrimRight(text, " \n") + "\n") {
		out.WriteString(strings.TrimRight(line, " \n"))
		out.WriteByte('\n')
	}
	return out.String()
}

// facts is a list of names and values.
type facts [][2]string

func (f *facts) add(name, format string, args ...any) {
	*f = append(*f, [2]string{name, report.Printable(fmt.Sprintf(format, args...))})
}

// String returns one line per fact with aligned values.
func (f facts) String() string {
	width := 0
	for _, row := range f {
		width = max(width, len(row[0]))
	}
	var b strings.Builder
	for _, row := range f {
		fmt.Fprintf(&b, "%-*s  %s\n", width, row[0], row[1])
	}
	return b.String()
}

// eachOf returns the results of a function for the elements of a list. It never returns nil, which would be
// null in JSON.
func eachOf[T, R any](list []T, of func(T) R) []R {
	out := make([]R, len(list))
	for i, item := range list {
		out[i] = of(item)
	}
	return out
}
