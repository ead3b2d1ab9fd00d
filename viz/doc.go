// Package viz turns numbers into pictures. A Picture is described once and drawn as text, as a
// figure (PNG or SVG) and as a table. There is a package for each kind of picture:
//
//	blocks       covariance maps of blocks
//	calibration  histograms, coverage, reliability
//	curves       training curves, one or several, or as the mean of a group
//	fits         predictions beside observations, relevance of inputs
//	layers       samples in a layer
//	matrices     small matrices of numbers
//	plane        a quantity over a plane
//	points       scatter, error bars, functions with bands, inducing points, stems
//	ranks        average ranks with a critical difference
//	spark        sparklines, histograms and progress bars of one line
//	tables       rows of text in columns
//
// Pictures with an x and a y axis are descriptions of a chart (package chart): axes and marks,
// drawn by one renderer as text and by another as a figure. All packages use canvas (cells,
// colours, glyphs, legends), axes (scales, ticks), number (numbers as text) and figure (vector
// drawings and CSV). Packages golden and viztest are for tests.
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
// Nothing is hidden silently: thinning keeps the least and the greatest value of every column,
// values that are not finite are marked and counted, and the legend mentions smoothing, clipping
// and pooling.
package viz
