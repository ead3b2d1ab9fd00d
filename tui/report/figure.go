package report

import (
	"io"
	"slices"

	"dgplab/viz"
	"dgplab/viz/figure"
)

// Figure is a picture of runs to be exported, with its numbers.
type Figure struct {
	// Panel is the name of the panel that shows the picture, and Page is the name of its page, both in
	// lower case.
	Panel, Page string
	// Name is the name of the files, without extension.
	Name string
	// Picture is nil if there is only a table.
	Picture viz.Picture
	Options figure.Options
	// Folded is set for a picture that pages fold, because it is one of many of its panel: "of other inputs".
	Folded string
	// CSV writes the numbers. It is nil if another figure writes them.
	CSV func(io.Writer) error
}

// NewFigure returns a picture with its own numbers.
func NewFigure(name string, p viz.Picture, o figure.Options) Figure {
	return Figure{Name: name, Picture: p, Options: o, CSV: p.CSV}
}

// CSV is the file format of tables. Package figure has the formats of pictures.
const CSV figure.Format = "csv"

// File is a file of an export. Write returns an error that wraps figure.ErrNothing if there is
// nothing to draw.
type File struct {
	Name  string
	Write func(io.Writer) error
}

// drawn lists the formats of pictures.
var drawn = []figure.Format{figure.SVG, figure.PNG, figure.PDF}

// Files returns the files of figures in the given formats. A figure without numbers has no table, and a
// figure without a picture has no drawing.
func Files(list []Figure, formats ...figure.Format) (all []File) {
	for _, f := range list {
		if f.CSV != nil && slices.Contains(formats, CSV) {
			all = append(all, File{f.Name + "." + string(CSV), f.CSV})
		}
		for _, format := range formats {
			if slices.Contains(drawn, format) && f.Picture != nil {
				all = append(all, File{f.Name + "." + string(format), func(w io.Writer) error {
					return WritePicture(w, f.Picture, f.Options, format)
				}})
			}
		}
	}
	return all
}

// WritePicture writes a picture in a format of package figure.
func WritePicture(w io.Writer, p viz.Picture, o figure.Options, format figure.Format) error {
	drawn, err := p.Figure(o)
	if err != nil {
		return err
	}
	return drawn.Write(w, format)
}
