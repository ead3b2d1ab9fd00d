// Package heatmap draws numbers as colours of cells, or as characters where there are no colours.
//
// A BlockMap shows the covariance of a posterior in blocks, a PlaneMap a quantity over a plane, and
// Matrices small matrices with the number in each cell. BlockMaps and PlaneMaps are maps side by
// side on one colour scale.
package heatmap
