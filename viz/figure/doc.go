// Package figure is the base of the vector drawings of package viz: the canvas, the file formats, the house
// style, titles and legends of PNG, SVG and PDF files through gonum/plot, and tables of CSV. It does not
// depend on any kind of picture.
//
// Figures have a white background. The same input gives the same bytes on the same machine. A picture without
// data is an error (ErrNothing), not an empty figure.
package figure
