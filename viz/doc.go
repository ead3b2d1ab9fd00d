// Package viz turns numbers into pictures. A Picture is described once and drawn as text, as a
// figure (PNG or SVG) and as a table. There is a package for each kind of picture:
//
//	curves       training curves, over each other or as the mean of a group
//	blocks       the covariance block map, and maps on one scale
//	layers       what samples do in a layer
//	points       scatter, and a metric against the values of a hyperparameter
//	calibration  histogram of the probability integral transform, coverage
//	ranks        average ranks with a critical difference
//	tables       rows of text in columns
//	spark        sparklines, histograms and progress bars of one line
//
// They use canvas (cells, colours, glyphs, legends), axes (scales, ticks), number (numbers as
// text) and figure (vector drawings and CSV). Packages golden and viztest are for tests.
//
// Everything here is a pure function of its arguments: no state, no files, no
// clock, no look at the terminal. A picture is a plain struct of slices with a
// method
//
//	Render(style canvas.Style, w, h int) []string
//
// that returns exactly h lines of exactly w cells each, whatever the data:
// empty, constant, a single point, NaN or Inf. A picture that is given little
// room leaves things out in a fixed order (legend, axes, labels) and never
// breaks a line. A width or height below one gives nil.
//
// Colour is never the only sign: every series also has a marker, every state a
// word or a glyph. With NoColor the text holds no escape codes, and with
// Style.ASCII no byte above 126; braille dots appear only with Style.Braille.
//
// Nothing is hidden in silence: thinning keeps the least and the greatest value
// of every column, non-finite values are marked and counted, and smoothing,
// clipping and pooling are said in the legend.
package viz
