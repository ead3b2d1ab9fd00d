package compare

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"dgplab/datasets/table"
	"dgplab/session/metric"
)

// Markdown returns the sheet as a pipe table. The best number is bold, and tied numbers have a
// dagger.
func (s Sheet) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n|", markdownText(s.Title))
	for _, c := range s.Columns {
		fmt.Fprintf(&b, " %s |", markdownText(c))
	}
	b.WriteString("\n|" + strings.Repeat(":---|", s.Names) +
		strings.Repeat("---:|", len(s.Columns)-s.Names) + "\n")
	rows := s.Rows
	if s.Foot != nil {
		rows = append(rows[:len(rows):len(rows)], s.Foot)
	}
	for _, row := range rows {
		b.WriteString("|")
		for _, e := range row {
			text := markdownText(e.Text)
			if e.Best {
				text = "**" + text + "**"
			}
			if e.SE != "" {
				text += " (" + e.SE + ")"
			}
			if e.Tied {
				text += " †"
			}
			if e.Inconclusive {
				text += " ^"
			}
			if e.Apart {
				text += " !"
			}
			fmt.Fprintf(&b, " %s |", text)
		}
		b.WriteString("\n")
	}
	notes := s.notes("bold: best", "†: ")
	switch {
	case len(notes) > longNotes:
		b.WriteString("\n")
		for _, note := range notes {
			fmt.Fprintf(&b, "* %s\n", markdownText(note))
		}
	case len(notes) > 0:
		b.WriteString("\n" + markdownText(strings.Join(notes, "; ")) + "\n")
	}
	return b.String()
}

// longNotes is the number of notes above which Markdown lists them.
const longNotes = 4

// notes returns the notes. The note on ties gets the format's symbol, and is preceded by the
// explanation of the best mark.
func (s Sheet) notes(best, tied string) []string {
	var list []string
	if s.marked() {
		list = append(list, best)
	}
	for _, note := range s.Notes {
		if rest, ok := strings.CutPrefix(note, "tied: "); ok {
			note = tied + rest
		}
		list = append(list, note)
	}
	return list
}

// marked reports whether any entry is marked as the best.
func (s Sheet) marked() bool {
	return slices.ContainsFunc(slices.Concat(s.Rows...), func(e Entry) bool { return e.Best })
}

// markdownText escapes Markdown markup.
func markdownText(text string) string {
	return strings.NewReplacer(`\`,
		`\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "<", "&lt;", "~", `\~`, "\n", " ").Replace(text)
}

// LaTeX returns the sheet as a tabular that needs the package booktabs. The best number is bold,
// and tied numbers have a dagger. Title and notes are written as comments.
func (s Sheet) LaTeX() string {
	var b strings.Builder
	comment := func(text string) {
		if text != "" {
			fmt.Fprintf(&b, "%% %s\n", strings.ReplaceAll(text, "\n", " "))
		}
	}
	comment(s.Title)
	comment(strings.Join(s.notes("bold: best", "dagger: "), "; "))
	fmt.Fprintf(&b, "\\begin{tabular}{%s%s}\n\\toprule\n", strings.Repeat("l", s.Names),
		strings.Repeat("r", len(s.Columns)-s.Names))
	line := func(fields []string) { fmt.Fprintf(&b, "%s \\\\\n", strings.Join(fields, " & ")) }
	var head []string
	for _, c := range s.Columns {
		head = append(head, latexText(c))
	}
	line(head)
	b.WriteString("\\midrule\n")
	for _, row := range s.Rows {
		line(latexRow(row))
	}
	if s.Foot != nil {
		b.WriteString("\\midrule\n")
		line(latexRow(s.Foot))
	}
	b.WriteString("\\bottomrule\n\\end{tabular}\n")
	return b.String()
}

func latexRow(row []Entry) (fields []string) {
	for _, e := range row {
		fields = append(fields, e.latex())
	}
	return fields
}

// latex formats an entry. Numbers are set in math mode.
func (e Entry) latex() string {
	if _, err := strconv.ParseFloat(e.Text, 64); err != nil || !e.Number {
		return latexText(e.Text)
	}
	text := latexNumber(e.Text)
	if e.Best {
		text = `\mathbf{` + text + `}`
	}
	if e.SE != "" {
		text += `\;(` + latexNumber(e.SE) + `)`
	}
	switch {
	case e.Tied:
		text += `^{\dagger}`
	case e.Inconclusive:
		text += `^{\wedge}`
	case e.Apart:
		text += `^{!}`
	}
	return "$" + text + "$"
}

// latexNumber formats a number in math mode.
func latexNumber(text string) string {
	switch text {
	case "NaN":
		return `\mathrm{NaN}`
	case "+Inf", "-Inf":
		return text[:1] + `\infty`
	}
	if mantissa, exponent, ok := strings.Cut(text, "e"); ok {
		power, _ := strconv.Atoi(exponent) // The text is known to be a number.
		return fmt.Sprintf(`%s\times10^{%d}`, mantissa, power)
	}
	return text
}

// latexText escapes LaTeX special characters.
func latexText(text string) string {
	return strings.NewReplacer(`\`, `\textbackslash{}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`,
		"{", `\{`, "}", `\}`, "~", `$\sim$`, "^", `\textasciicircum{}`, "<", `$<$`, ">", `$>$`, "|",
		`$|$`, "\n", " ").Replace(text)
}

// CSV writes a line per run and metric. Numbers have full precision, and cells are safe for spreadsheets (see
// table.PlainCells). Runs that a Table leaves out for lack of a counterpart are included.
func (s *Set) CSV(w io.Writer, metrics []metric.Column) error {
	out := csv.NewWriter(w)
	rows := [][]string{{"method", "family", "dataset", "split", "seed", "run", "metric", "value"}}
	for _, m := range metrics {
		for _, r := range s.Runs {
			if v, ok := m.Of(metric.OfInfo(&r.Info)); ok {
				rows = append(rows,
					table.PlainCells([]string{s.Methods[r.Method].Label,
						r.Config.Family, s.Datasets[r.Dataset],
						r.Config.Split, strconv.FormatUint(r.Config.Seed, 10), r.ID, m.Key,
						strconv.FormatFloat(v, 'g', -1, 64)}))
			}
		}
	}
	if err := out.WriteAll(rows); err != nil {
		return fmt.Errorf("write CSV: %w", err)
	}
	return nil
}
