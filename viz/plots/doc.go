// Package plots describes pictures with an x and a y axis. Package chart draws them. They show
//
//   - predictions with observations: Fits, Predictions, Bands;
//   - calibration: Histogram, Coverage, Reliability;
//   - points: Scatter, ErrorBars, Inducing, Stems;
//   - sampled functions in the layers of a model: Layer, Depths.
//
// Relevance shows the relevance of inputs as bars.
package plots
