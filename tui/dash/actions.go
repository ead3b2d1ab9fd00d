package dash

import "dgplab/tui/kit"

// Actions of panels, and actions whose keys appear in the text of pictures.
const (
	actBaseline         kit.Action = "baseline"
	actClip             kit.Action = "clip"
	actCovarianceCursor kit.Action = "covariance_cursor"
	actDiagnose         kit.Action = "diagnose"
	actEvaluate         kit.Action = "evaluate"
	actFitTarget        kit.Action = "fit_target"
	actFollow           kit.Action = "follow"
	actGroup            kit.Action = "group"
	actLogX             kit.Action = "log_x"
	actPanLeft          kit.Action = "pan_left"
	actPanRight         kit.Action = "pan_right"
	actPerPoint         kit.Action = "per_point"
	actPredictions      kit.Action = "predictions"
	actRougher          kit.Action = "rougher"
	actSmoother         kit.Action = "smoother"
	actWhole            kit.Action = "zoom_reset"
	actYAxis            kit.Action = "y_axis"
	actZoom             kit.Action = "zoom"
	actZoomIn           kit.Action = "zoom_in"
	actZoomOut          kit.Action = "zoom_out"
)
