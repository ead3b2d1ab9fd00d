// Package viz turns numbers into pictures made of text: training curves, the
// covariance block map, what samples do in a layer, tables, sparklines and
// progress bars.
//
// Everything here is a pure function of its arguments: no state, no files, no
// clock, no look at the terminal. A picture is a plain struct of slices with a
// method
//
//	Render(style Style, w, h int) string
//
// that returns exactly h lines of exactly w cells each, whatever the data:
// empty, constant, a single point, NaN or Inf. A picture that is given little
// room leaves things out in a fixed order (legend, axes, labels) and never
// breaks a line. A width or height below one gives the empty string.
//
// Colour is never the only sign: every series also has a marker, every state a
// word or a glyph. With NoColor the text holds no escape codes, and with
// Style.ASCII no byte above 126.
//
// Nothing is hidden in silence: thinning keeps the least and the greatest value
// of every column, non-finite values are marked and counted, and smoothing,
// clipping and pooling are said in the legend.
//
// The package figure, below this one, draws the same structs as PNG and SVG.
package viz
