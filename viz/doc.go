// Package viz turns numbers into pictures. A Picture is described once and drawn as text, as a
// figure (PNG or SVG) and as a table. The packages of pictures are:
//
//	curves   training curves, one or several, or as the mean of a group
//	heatmap  colours of cells: the blocks of a covariance, a quantity over a plane, matrices
//	plots    all other pictures with an x and a y axis: fits, calibration, points, layers
//	tables   rows of text in columns, average ranks, sparklines
//
// Pictures with an x and a y axis are descriptions of a chart (package chart): axes and marks,
// drawn by one renderer as text and by another as a figure. All packages use canvas (cells,
// colours, glyphs, legends, numbers as text) and figure (vector drawings and CSV). Package golden
// serves tests.
//
// Everything here is a pure function of its arguments: no state, no files, no clock, no access to
// the terminal. A picture is a plain struct of slices with a method
//
//	Render(style canvas.Style, w, h int) []string
//
// that returns exactly h lines of exactly w cells each for any data: empty, constant, a single
// point, NaN or Inf. A small picture leaves things out in a fixed order (legend, axes, labels) and
// never breaks a line. A width or height below one gives nil.
//
// Colour is never the only sign: every series also has a marker, every state a word or a glyph.
// With NoColor the text has no escape codes, and with Style.ASCII no byte above 126. Braille dots
// appear only with Style.Braille.
//
// Nothing is hidden silently: thinning keeps the smallest and the largest value of every column,
// values that are not finite are marked and counted, and the legend mentions smoothing, clipping
// and pooling.
package viz
