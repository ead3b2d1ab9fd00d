// Package figure draws the pictures of package viz for papers and talks: as PNG
// or SVG through gonum/plot, and their numbers as CSV.
//
// It takes the structs of viz, so a figure shows what the screen shows: the same
// thinning, the same scales, the same best value, on a white background. The
// same input gives the same bytes on the same machine. Data without anything to
// draw is an error (ErrNothing), not an empty picture.
package figure
