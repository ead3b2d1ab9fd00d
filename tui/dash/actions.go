package dash

import "dgplab/tui/kit"

// Actions of panels, and actions that the texts of panels recommend.
const (
	Baseline         kit.Action = "baseline"
	Clip             kit.Action = "clip"
	CovarianceCursor kit.Action = "covariance_cursor"
	Diagnose         kit.Action = "diagnose"
	Evaluate         kit.Action = "evaluate"
	FitTarget        kit.Action = "fit_target"
	NextLayer        kit.Action = "next_layer"
	PlaneField       kit.Action = "plane_field"
	Follow           kit.Action = "follow"
	Group            kit.Action = "group"
	LogX             kit.Action = "log_x"
	PanLeft          kit.Action = "pan_left"
	PanRight         kit.Action = "pan_right"
	PerPoint         kit.Action = "per_point"
	ShowPredictions  kit.Action = "predictions"
	Rougher          kit.Action = "rougher"
	Smoother         kit.Action = "smoother"
	ZoomReset        kit.Action = "zoom_reset"
	YAxis            kit.Action = "y_axis"
	Enlarge          kit.Action = "zoom"
	ZoomIn           kit.Action = "zoom_in"
	ZoomOut          kit.Action = "zoom_out"
)
