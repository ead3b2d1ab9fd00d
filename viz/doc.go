// Package viz turns numbers into pictures made of text. Of a run: training curves
// (Curve), the covariance block map (BlockMap), what samples do in a layer
// (LayerPanel). To compare runs: curves over each other, read at a cursor, or as
// the mean of a group; maps on one scale (BlockMaps); a metric against the values
// of a hyperparameter (ErrorBars); calibration (Scatter, Bars, Coverage). For any
// screen: tables, sparklines and progress bars.
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
// Style.ASCII no byte above 126; braille dots appear only with Style.Braille.
//
// Nothing is hidden in silence: thinning keeps the least and the greatest value
// of every column, non-finite values are marked and counted, and smoothing,
// clipping and pooling are said in the legend.
//
// Long series that are drawn again and again are summed up once (Prepared), so
// that a frame costs what its columns cost and not what its points cost.
//
// The package figure, below this one, draws the same structs as PNG and SVG.
package viz
