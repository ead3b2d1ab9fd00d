package report

import (
	"bytes"
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"dgplab/session/compare"
	"dgplab/viz/figure"
)

// Page is a report on runs: a single HTML page without scripts or further files.
type Page struct {
	Title, Lead string
	// Scores are the most important results.
	Scores   []PageScore
	Sections []PageSection
	// Commands repeat the runs.
	Commands []PageCommand
	// Version is the version of the program that wrote the page.
	Version string
}

// PageScore is a score with its standard error or another note, which may be empty.
type PageScore struct{ Name, Value, Note string }

// PageSection is a part of a Page. Empty parts are omitted.
type PageSection struct {
	Title string
	// Alarms lists the problems of the runs.
	Alarms []string
	// Sentences are a paragraph.
	Sentences []string
	// Facts holds names and values. A value without a name continues the previous value.
	Facts   [][2]string
	Sheets  []compare.Sheet
	Notes   []string
	Figures []Figure
}

// PageCommand is a command line. Run names its run, and is empty if there is only one.
type PageCommand struct{ Run, Line string }

// mostNotes is the maximum number of notes of a section that are not folded.
const mostNotes = 5

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"capitalised": Capitalised,
	"notes":       SheetNotes,
	"draw":        draw,
	"folds":       folds,
	"join":        strings.Join,
	"mostNotes":   func() int { return mostNotes },
	"number":      func(i int) int { return i + 1 },
}).Parse(pageText))

// Write writes the page. It omits empty pictures, tables without a picture, and sections that are empty as a
// result. Texts are escaped.
func (p Page) Write(w io.Writer) error {
	for i := range p.Sections {
		s := &p.Sections[i]
		s.Figures = slices.DeleteFunc(slices.Clone(s.Figures), func(f Figure) bool {
			if f.Picture == nil {
				return true
			}
			_, err := f.Picture.Figure(f.Options)
			return errors.Is(err, figure.ErrNothing)
		})
	}
	p.Sections = slices.DeleteFunc(slices.Clone(p.Sections), func(s PageSection) bool {
		return len(s.Alarms)+len(s.Sentences)+len(s.Facts)+len(s.Sheets)+len(s.Notes)+len(s.Figures) == 0
	})
	return pageTemplate.Execute(w, p)
}

// foldedFigures are pictures of a panel that the reader unfolds.
type foldedFigures struct {
	Summary string
	Figures []Figure
}

// folds returns the folded figures of a section by panel.
func folds(s PageSection) (list []foldedFigures) {
	for _, f := range s.Figures {
		if f.Folded == "" {
			continue
		}
		i := slices.IndexFunc(list, func(other foldedFigures) bool {
			return other.Figures[0].Panel == f.Panel
		})
		if i < 0 {
			i = len(list)
			list = append(list, foldedFigures{})
		}
		list[i].Figures = append(list[i].Figures, f)
		list[i].Summary = fmt.Sprintf("%s %s: %s", Capitalised(f.Panel), f.Folded,
			Plural(len(list[i].Figures), "picture", "pictures"))
	}
	return list
}

// drawing is a picture in a page. A wide picture fills a whole row.
type drawing struct {
	Caption string
	Wide    bool
	SVG     template.HTML
}

// PageFigure is the width of pictures of which two share a row of a page.
const PageFigure = 5 * vg.Inch

// draw draws a picture without a title, because the page has a caption.
func draw(f Figure) (d drawing, err error) {
	o := f.Options
	d.Caption = cmp.Or(o.Title, f.Name)
	if o.Y != "" && !strings.Contains(strings.ToLower(d.Caption), strings.ToLower(o.Y)) {
		d.Caption = Capitalised(o.Y) + ": " + d.Caption
	}
	o.Title = ""
	drawn, err := f.Picture.Figure(o)
	if err != nil {
		return d, err
	}
	d.Wide = drawn.Width() > PageFigure.Points()
	var b bytes.Buffer
	if err := drawn.Write(&b, figure.SVG); err != nil {
		return d, err
	}
	// The element follows the XML declaration and a comment.
	_, element, _ := bytes.Cut(b.Bytes(), []byte("<svg "))
	d.SVG = template.HTML(fmt.Sprintf(`<svg aria-hidden="true" style="max-width: %.0fpt" `, drawn.Width()) +
		string(element))
	return d, nil
}
