package board

import "dgplab/tui/kit"

// Actions of panels, and actions that the texts of panels recommend.
const (
	ActBaseline         kit.Action = "baseline"
	ActClip             kit.Action = "clip"
	ActCovarianceCursor kit.Action = "covariance_cursor"
	ActDiagnose         kit.Action = "diagnose"
	ActEvaluate         kit.Action = "evaluate"
	ActFilter           kit.Action = "filter"
	ActFitTarget        kit.Action = "fit_target"
	ActGuide            kit.Action = "guide"
	ActMatrices         kit.Action = "matrices"
	ActNextLayer        kit.Action = "next_layer"
	ActPlaneField       kit.Action = "plane_field"
	ActFollow           kit.Action = "follow"
	ActGroup            kit.Action = "group"
	ActLogX             kit.Action = "log_x"
	ActPanLeft          kit.Action = "pan_left"
	ActPanRight         kit.Action = "pan_right"
	ActPerPoint         kit.Action = "per_point"
	ActPredictions      kit.Action = "predictions"
	ActRougher          kit.Action = "rougher"
	ActSmoother         kit.Action = "smoother"
	ActZoomReset        kit.Action = "zoom_reset"
	ActYAxis            kit.Action = "y_axis"
	ActEnlarge          kit.Action = "zoom"
	ActZoomIn           kit.Action = "zoom_in"
	ActZoomOut          kit.Action = "zoom_out"
)
